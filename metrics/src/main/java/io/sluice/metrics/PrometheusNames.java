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
package io.sluice.metrics;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a metric of a Dropwizard registry is called in Prometheus, where parts of a name are labels. Has no state, any
 * thread.
 */
final class PrometheusNames
{
    /** Names that have parts to be made labels, or another name over there. */
    private static final List<Rule> RULES = List.of(
        new Rule("requests\\.(?<opcode>[a-z_-]+)\\.(?<version>[a-z0-9]+)", "request_duration"),
        new Rule("requests\\.[a-z_-]+", null),
        new Rule("request-bytes\\.(?<opcode>[a-z_-]+)\\.(?<version>[a-z0-9]+)", "request_bytes"),
        new Rule("response-bytes\\.(?<opcode>[a-z_-]+)\\.(?<version>[a-z0-9]+)", "response_bytes"),
        new Rule("request-bytes", "request_size_bytes"),
        new Rule("response-bytes", "response_size_bytes"),
        new Rule("flush-bytes", "flush_size_bytes"),
        new Rule("bytes-read\\.(?<version>[a-z0-9]+)", "wire_read_bytes"),
        new Rule("bytes-written\\.(?<version>[a-z0-9]+)", "wire_written_bytes"),
        new Rule("bytes-(?:read|written)", null),
        new Rule("connections\\.closed\\.(?<reason>[a-z-]+)", "connections_closed"),
        new Rule("connections\\.refused\\.(?<reason>[a-z-]+)", "connections_refused"),
        new Rule("connections\\.refused", null),
        new Rule("connections\\.(?<version>v[0-9]+|none)", "connections"),
        new Rule("connections", null),
        new Rule("errors\\.(?<code>[a-z-]+)", "errors"),
        new Rule("shed\\.(?<cause>[a-z-]+)", "shed"),
        new Rule("paused\\.(?<cause>[a-z-]+)", "pause_duration"),
        new Rule("stages\\.(?<stage>[a-z-]+)", "stage_duration"),
        new Rule("logins\\.(?<result>[a-z]+)", "logins"));

    private PrometheusNames()
    {
    }

    /**
     * @param name without the group's prefix
     * @return null for what is not shown, since its parts are
     */
    static Name of(final String group, final String name)
    {
        for (final Rule rule : RULES)
        {
            final Matcher matcher = rule.pattern.matcher(name);
            if (matcher.matches())
            {
                return rule.family == null
                    ? null
                    : new Name(group + "_" + rule.family, rule.labels(), rule.values(
                        matcher));
            }
        }
        return plain(group, name);
    }

    /** The name as it is, in words joined by underscores. */
    static Name plain(final String group, final String name)
    {
        final String words = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
            .replaceAll("[^a-zA-Z0-9]+", "_")
            .toLowerCase(Locale.ROOT);
        // The format adds it to counters by itself.
        final String family = group + "_" + (words.endsWith("_total") ? words.substring(0, words.length() - 6) : words);
        return new Name(family, List.of(), List.of());
    }

    /** A family of metrics and the labels of one of them. */
    record Name(String family, List<String> labels, List<String> values)
    {
    }

    private record Rule(Pattern pattern, String family)
    {
        private static final Pattern LABEL = Pattern.compile("\\?<([a-z]+)>");

        Rule(final String pattern, final String family)
        {
            this(Pattern.compile(pattern), family);
        }

        List<String> labels()
        {
            return LABEL.matcher(pattern.pattern()).results().map(found -> found.group(1)).toList();
        }

        List<String> values(final Matcher matcher)
        {
            return labels().stream().map(matcher::group).toList();
        }
    }
}
