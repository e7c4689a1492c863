/*
 * Copyright 2026 The Sluice Authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sluice.bench.report;

import java.util.List;
import java.util.Locale;

/** What line and bar plots have in common, as SVG text. Confined to one thread. */
final class Picture
{
    static final double WIDTH = 540;
    static final double HEIGHT = 320;
    static final double LEFT = 64;
    static final double RIGHT = 14;
    static final double TOP = 34;
    static final double BOTTOM = 74;
    private static final double LEGEND_LINE = 16;
    private static final double LEGEND_COLUMN = 160;
    private static final int LEGEND_COLUMNS = 3;
    private static final List<String> COLOURS = List.of("#0b6e99", "#2ca58d", "#d1495b", "#edae49", "#6a4c93",
        "#8d6b4f");

    private final StringBuilder text = new StringBuilder();

    Picture(final String title, final String below, final String beside)
    {
        text.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" " +
            "height=\"%.0f\" font-family=\"system-ui,sans-serif\" font-size=\"11\">\n", WIDTH, HEIGHT));
        words(WIDTH / 2, 18, "middle", "#1c2430", title, "font-size=\"13\" font-weight=\"600\"");
        words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 32, "middle", "#5a6675", below, "");
        text.append(String.format(Locale.ROOT, "<text transform=\"translate(13,%.1f) rotate(-90)\" " +
            "text-anchor=\"middle\" fill=\"#5a6675\">%s</text>\n", (TOP + HEIGHT - BOTTOM) / 2,
            HtmlReport.escaped(beside)));
    }

    static String colour(final int series)
    {
        return COLOURS.get(series % COLOURS.size());
    }

    void words(final double x,
        final double y,
        final String anchor,
        final String colour,
        final String words,
        final String more)
    {
        text.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" %s>" +
            "%s</text>\n", x, y, anchor, colour, more, HtmlReport.escaped(words)));
    }

    void line(final double x1, final double y1, final double x2, final double y2, final String colour)
    {
        text.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" " +
            "stroke=\"%s\"/>\n", x1, y1, x2, y2, colour));
    }

    /** The marks of the upright axis, with a line across. */
    void across(final Axis axis)
    {
        for (final double mark : axis.marks())
        {
            line(LEFT, axis.at(mark), WIDTH - RIGHT, axis.at(mark), "#e6e9ee");
            words(LEFT - 6, axis.at(mark) + 4, "end", "#5a6675", Axis.text(mark), "");
        }
    }

    void add(final String format, final Object... arguments)
    {
        text.append(String.format(Locale.ROOT, format, arguments));
    }

    /** The names of the series. */
    void legend(final List<String> names)
    {
        for (int i = 0; i < names.size(); i++)
        {
            final double x = LEFT + i % LEGEND_COLUMNS * LEGEND_COLUMN;
            final int line = i / LEGEND_COLUMNS;
            final double y = HEIGHT - 26 + line * LEGEND_LINE;
            add("<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, y - 9, colour(i));
            words(x + 14, y, "start", "#1c2430", names.get(i), "");
        }
    }

    String svg()
    {
        return text + "</svg>";
    }
}
