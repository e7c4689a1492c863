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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One file with everything in it: no script, no font and no picture comes from elsewhere. Confined to one thread. */
public final class HtmlReport
{
    private static final String STYLE = """
        body{font:15px/1.45 system-ui,sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;color:#1c2430}
        h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #d6dbe2}
        .machine{color:#5a6675;font-size:.9em}
        table{border-collapse:collapse;font-size:.86em;margin:.6em 0}
        th,td{padding:.22em .7em;text-align:right;border-bottom:1px solid #e6e9ee}
        th:first-child,td:first-child{text-align:left}th{color:#5a6675;font-weight:600}
        .good{color:#1a7f37}.bad{color:#b42318}
        .plots{display:flex;flex-wrap:wrap;gap:18px}svg{background:#fff;border:1px solid #e6e9ee}
        """;

    private final String title;
    private final StringBuilder body = new StringBuilder();

    /** Begins with a title and where it was measured. */
    public HtmlReport(final String title, final Machine machine)
    {
        this.title = title;
        body.append("<h1>")
            .append(escaped(title))
            .append("</h1>\n<p class=machine>")
            .append(escaped(machine.toString()))
            .append("</p>\n");
    }

    static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Begins a section. */
    public HtmlReport heading(final String text)
    {
        body.append("<h2>").append(escaped(text)).append("</h2>\n");
        return this;
    }

    /** Some words. */
    public HtmlReport paragraph(final String text)
    {
        body.append("<p>").append(escaped(text)).append("</p>\n");
        return this;
    }

    /** A table. */
    public HtmlReport table(final Table table)
    {
        body.append(table.html());
        return this;
    }

    /** Plots side by side. */
    public HtmlReport plots(final Iterable<String> svgs)
    {
        body.append("<div class=plots>\n");
        svgs.forEach(svg -> body.append(svg).append('\n'));
        body.append("</div>\n");
        return this;
    }

    /** A page within the page, script and all. */
    public HtmlReport page(final String html)
    {
        body.append("<iframe width=1180 height=900 srcdoc=\"")
            .append(html.replace("&", "&amp;").replace("\"", "&quot;"))
            .append("\"></iframe>\n");
        return this;
    }

    /** Replaces the file. */
    public void write(final Path file) throws IOException
    {
        Files.writeString(file, "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>" + escaped(title) +
            "</title><style>\n" + STYLE + "</style></head><body>\n" + body + "</body></html>\n");
    }
}
