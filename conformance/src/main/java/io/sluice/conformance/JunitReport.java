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
package io.sluice.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes outcomes as the XML that build servers read. */
final class JunitReport
{
    private JunitReport()
    {
    }

    /** @param byServer in the order in which they stand in the file */
    static void write(final Path file, final Map<String, List<Outcome>> byServer) throws IOException
    {
        final StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        byServer.forEach((server, outcomes) -> suite(xml, server, outcomes));
        Files.writeString(file, xml.append("</testsuites>\n"), StandardCharsets.UTF_8);
    }

    private static void suite(final StringBuilder xml, final String server, final List<Outcome> outcomes)
    {
        final long failures = outcomes.stream().filter(outcome -> outcome.verdict().isFailure()).count();
        final long skipped = outcomes.stream().filter(outcome -> outcome.verdict() == Verdict.SKIPPED).count();
        xml.append(String.format(Locale.ROOT, "<testsuite name=\"conformance of %s\" tests=\"%d\" failures=\"%d\"",
            escape(server), outcomes.size(), failures));
        xml.append(String.format(Locale.ROOT, " errors=\"0\" skipped=\"%d\" time=\"%s\">%n", skipped,
            seconds(outcomes.stream().mapToLong(Outcome::millis).sum())));
        outcomes.forEach(outcome -> testCase(xml, outcome));
        xml.append("</testsuite>\n");
    }

    private static void testCase(final StringBuilder xml, final Outcome outcome)
    {
        final Check check = outcome.check();
        xml.append(String.format(Locale.ROOT, "  <testcase classname=\"conformance.%s\" name=\"%s\" time=\"%s\"",
            escape(check.group()), escape(check.id()), seconds(outcome.millis())));
        switch (outcome.verdict())
        {
            case PASS -> xml.append("/>\n");
            case SKIPPED ->
                xml.append("><skipped message=\"").append(escape(outcome.got())).append("\"/></testcase>\n");
            default -> xml.append("><failure type=\"")
                .append(escape(outcome.verdict().label()))
                .append("\" message=\"")
                .append(escape(outcome.got()))
                .append("\">")
                .append(escape("expected: " + check.expected() + "\naccepted: " + check.accepted() + "\ngot: " +
                    outcome.got() + "\nerror texts: " + outcome.errorTexts()))
                .append("</failure></testcase>\n");
        }
    }

    private static String seconds(final long millis)
    {
        return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
    }

    /** XML 1.0 has no place for control characters, escaped or not. */
    private static String escape(final String text)
    {
        final StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c ->
        {
            switch (c)
            {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n' -> escaped.append("&#10;");
                default ->
                {
                    final boolean legal = c >= 0x20 && c < 0xd800 || c > 0xdfff && c < 0xfffe || c > 0xffff;
                    escaped.appendCodePoint(legal ? c : '?');
                }
            }
        });
        return escaped.toString();
    }
}
