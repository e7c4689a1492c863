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
package io.sluice.transport;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Every connection as a row of words, for people. Has no state, any thread. */
final class ConnectionTable
{
    private ConnectionTable()
    {
    }

    /** Those that have moved most bytes first. */
    static List<Map<String, String>> rows(final TransportContext context)
    {
        final List<Row> rows = new ArrayList<>();
        for (final Connection connection : context.connections.all())
        {
            rows.add(new Row(connection, connection.figures()));
        }
        rows.sort(Comparator.comparingLong(Row::bytes).reversed());
        return rows.stream().map(row -> row.cells(context)).toList();
    }

    private static String orNone(final Object value)
    {
        return value == null ? "none" : value.toString();
    }

    /** A connection and its figures at one moment. */
    private record Row(Connection connection, ConnectionFigures figures)
    {
        long bytes()
        {
            return figures.bytesRead() + figures.bytesWritten();
        }

        Map<String, String> cells(final TransportContext context)
        {
            final InetSocketAddress remote = connection.remoteAddress();
            final Map<String, String> cells = new LinkedHashMap<>();
            cells.put("client", remote.getAddress().getHostAddress() + ":" + remote.getPort());
            cells.put("state", connection.state().name().toLowerCase(Locale.ROOT));
            cells.put("version", connection.version() == null ? "none" : connection.version().text());
            cells.put("compression", connection.compressionName());
            cells.put("tls", connection.tlsSession() == null ? "none" : connection.tlsSession().getProtocol());
            cells.put("driver", orNone(ClientWords.shown(connection.driverName())));
            cells.put("driverVersion", orNone(ClientWords.shown(connection.driverVersion())));
            cells.put("user", orNone(ClientWords.shown(context.lifecycle.user(connection))));
            cells.put("requests", Long.toString(figures.requests()));
            cells.put("answers", Long.toString(figures.answers()));
            cells.put("events", Long.toString(figures.events()));
            cells.put("errors", Long.toString(figures.errors()));
            cells.put("requestBytes", Long.toString(figures.requestBytes()));
            cells.put("answerBytes", Long.toString(figures.answerBytes()));
            cells.put("bytesRead", Long.toString(figures.bytesRead()));
            cells.put("bytesWritten", Long.toString(figures.bytesWritten()));
            cells.put("flushes", Long.toString(figures.flushes()));
            cells.put("inService", Integer.toString(figures.requestsInService()));
            cells.put("inFlightBytes", Long.toString(figures.inFlightBytes()));
            cells.put("unreadBytes", Long.toString(figures.unreadBytes()));
            cells.put("pausedBy", orNone(figures.pausedBy()).toLowerCase(Locale.ROOT));
            cells.put("pausedMillis", Long.toString(TimeUnit.NANOSECONDS.toMillis(
                figures.pausedNanos().values().stream().mapToLong(Long::longValue).sum())));
            return cells;
        }
    }
}
