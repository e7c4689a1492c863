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

import com.codahale.metrics.Counter;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.transport.ClientConnection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is counted for each request opcode and each version: requests and their latency, bytes of requests, bytes of
 * answers; and bytes from and to the socket for each version. Everything is made beforehand, so that counting looks
 * nothing up by name. Any thread.
 */
final class TrafficTable
{
    /** In place of a version, before STARTUP has fixed one. */
    private static final String NO_VERSION = "none";
    private static final int VERSIONS = 1 + ProtocolVersion.values().length;

    /** By opcode and version; null for what is no request. */
    private final BucketTimer[][] latencies = new BucketTimer[Opcode.values().length][];
    private final Counter[][] requestBytes = new Counter[Opcode.values().length][];
    /** By the request's opcode; the last but one row is for events. */
    private final Counter[][] responseBytes = new Counter[Opcode.values().length][];
    private final Counter[] bytesRead;
    private final Counter[] bytesWritten;

    TrafficTable(final MetricGroup group)
    {
        final List<Opcode> requests = Arrays.stream(Opcode.values()).filter(Opcode::isRequest).toList();
        for (final Opcode opcode : requests)
        {
            final String name = MetricGroup.nameOf(opcode);
            final List<BucketTimer> timers = new ArrayList<>();
            for (int version = 0; version < VERSIONS; version++)
            {
                timers.add(group.timer("requests." + name + "." + versionName(version)));
            }
            latencies[opcode.ordinal()] = timers.toArray(BucketTimer[]::new);
            group.sum("requests." + name, timers);
            requestBytes[opcode.ordinal()] = byVersion(group, "request-bytes." + name);
            responseBytes[opcode.ordinal()] = byVersion(group, "response-bytes." + name);
        }
        responseBytes[Opcode.EVENT.ordinal()] = byVersion(group, "response-bytes.event");
        // What answers no request that could be told, errors above all.
        responseBytes[Opcode.ERROR.ordinal()] = byVersion(group, "response-bytes.error");
        bytesRead = byVersion(group, "bytes-read");
        group.sum("bytes-read", bytesRead);
        bytesWritten = byVersion(group, "bytes-written");
        group.sum("bytes-written", bytesWritten);
    }

    private static String versionName(final int index)
    {
        return index == 0 ? NO_VERSION : MetricGroup.nameOf(ProtocolVersion.values()[index - 1]);
    }

    private static Counter[] byVersion(final MetricGroup group, final String name)
    {
        final Counter[] counters = new Counter[VERSIONS];
        for (int version = 0; version < VERSIONS; version++)
        {
            counters[version] = group.counter(name + "." + versionName(version));
        }
        return counters;
    }

    private static int index(final ClientConnection connection)
    {
        final ProtocolVersion version = connection == null ? null : connection.version();
        return version == null ? 0 : 1 + version.ordinal();
    }

    void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        requestBytes[opcode.ordinal()][index(connection)].inc(bytes);
    }

    /** @param request null if nobody asked, or nobody knows what */
    void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
        final int version = index(connection);
        if (request != null)
        {
            latencies[request.ordinal()][version].update(latencyNanos);
            responseBytes[request.ordinal()][version].inc(bytes);
        }
        else
        {
            final Opcode row = response == Opcode.EVENT ? Opcode.EVENT : Opcode.ERROR;
            responseBytes[row.ordinal()][version].inc(bytes);
        }
    }

    void onBytesRead(final ClientConnection connection, final int bytes)
    {
        bytesRead[index(connection)].inc(bytes);
    }

    void onBytesWritten(final ClientConnection connection, final int bytes)
    {
        bytesWritten[index(connection)].inc(bytes);
    }
}
