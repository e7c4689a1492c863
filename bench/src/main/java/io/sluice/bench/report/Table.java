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

import java.util.ArrayList;
import java.util.List;

/** Rows under headings, as Markdown or HTML. Confined to one thread. */
public final class Table
{
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    /** Without rows. */
    public Table(final String... headings)
    {
        this.headings = List.of(headings);
    }

    /** One cell per heading. */
    public void add(final String... cells)
    {
        if (cells.length != headings.size())
        {
            throw new IllegalArgumentException("cells: " + cells.length + " (expected: " + headings.size() + ")");
        }
        rows.add(List.of(cells));
    }

    /** True without rows. */
    public boolean isEmpty()
    {
        return rows.isEmpty();
    }

    /** Lines of a Markdown table. */
    public String markdown()
    {
        final StringBuilder text = new StringBuilder();
        line(text, headings);
        line(text, headings.stream().map(heading -> "---").toList());
        rows.forEach(row -> line(text, row));
        return text.toString();
    }

    private static void line(final StringBuilder text, final List<String> cells)
    {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    String html()
    {
        final StringBuilder text = new StringBuilder("<table><thead><tr>");
        headings.forEach(heading -> text.append("<th>").append(HtmlReport.escaped(heading)).append("</th>"));
        text.append("</tr></thead><tbody>");
        for (final List<String> row : rows)
        {
            text.append("<tr>");
            for (final String cell : row)
            {
                text.append(cell.startsWith("reached")
                    ? "<td class=good>"
                    : cell.startsWith("missed")
                        ? "<td class=bad>"
                        : "<td>")
                    .append(HtmlReport.escaped(cell))
                    .append("</td>");
            }
            text.append("</tr>\n");
        }
        return text.append("</tbody></table>\n").toString();
    }
}
