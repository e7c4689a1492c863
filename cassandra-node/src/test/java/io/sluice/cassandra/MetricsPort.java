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
package io.sluice.cassandra;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a node shows to Prometheus, as Prometheus reads it. */
public final class MetricsPort
{
    private static final String TYPE = "# TYPE ";

    private MetricsPort()
    {
    }

    private static List<String> lines(final TestNode node) throws IOException
    {
        final HttpURLConnection http = (HttpURLConnection)URI.create("http://127.0.0.1:" + node.metricsPort() +
            "/metrics").toURL().openConnection();
        try
        {
            if (http.getResponseCode() != HttpURLConnection.HTTP_OK)
            {
                throw new IOException("status " + http.getResponseCode());
            }
            return new String(http.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        finally
        {
            http.disconnect();
        }
    }

    /** The names of all metrics, without what is added for parts of histograms. */
    public static Set<String> families(final TestNode node) throws IOException
    {
        final Set<String> families = new TreeSet<>();
        for (final String line : lines(node))
        {
            if (line.startsWith(TYPE))
            {
                families.add(line.substring(TYPE.length(), line.indexOf(' ', TYPE.length())));
            }
        }
        return families;
    }

    /** All values, by name and labels. */
    public static Map<String, Double> values(final TestNode node) throws IOException
    {
        final Map<String, Double> values = new HashMap<>();
        for (final String line : lines(node))
        {
            final int end = line.lastIndexOf(' ');
            if (!line.startsWith("#") && end > 0)
            {
                values.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)
                    .replace("Inf",
                        "Infinity")));
            }
        }
        return values;
    }

    /** True if this JVM answers HTTP. */
    public static boolean isServed()
    {
        return Thread.getAllStackTraces()
            .keySet()
            .stream()
            .anyMatch(thread -> thread.getName().startsWith("HTTP-Dispatcher"));
    }
}
