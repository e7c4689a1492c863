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
package io.sluice.bench;

import io.sluice.bench.server.ServerKind;
import io.sluice.bench.server.ServerProcess;
import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

/** A server to be hostile to, and what good and hostile clients ask it. Immutable but for its process. */
final class HostileServer implements AutoCloseable
{
    static final int VERSION = 4;

    private static final int PATIENCE_MILLIS = 60_000;
    private static final String KEYSPACE = "sluice_hostile";
    private static final int GOOD_VALUES = 7;
    private static final int GOOD_VALUE_BYTES = 10;

    private final String name;
    private final InetSocketAddress address;
    private final long pid;
    private final ServerProcess process;

    private HostileServer(final String name,
        final InetSocketAddress address,
        final long pid,
        final ServerProcess process)
    {
        this.name = name;
        this.address = address;
        this.pid = pid;
        this.process = process;
    }

    /** A null-engine server in a JVM of its own, whose resident memory grows by direct memory alone. */
    static HostileServer start(final ServerKind kind, final int requestThreads) throws IOException
    {
        final ServerProcess process = new ServerProcess(kind,
            List.of("-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=2g"),
            List.of("--threads", Integer.toString(requestThreads)),
            // Some servers log every hostile client.
            ProcessBuilder.Redirect.DISCARD);
        return new HostileServer(kind.toString(),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), process.port()), process.pid(),
            process);
    }

    /** A node that runs without login on this machine; makes a table with the big row in it. */
    static HostileServer node(final InetSocketAddress address, final long pid) throws IOException
    {
        if (ResidentMemory.ofProcess(pid) == 0)
        {
            throw new IOException("pid: " + pid + " (expected: a process of this machine, see " +
                Path.of("/proc") + ")");
        }
        final Socket socket = new Socket();
        socket.connect(address, PATIENCE_MILLIS);
        try (RawClient client = new RawClient(socket, VERSION, "none"))
        {
            final RawAnswer ready = client.start("cassandra", "cassandra", PATIENCE_MILLIS);
            if (ready == null || !ready.is("READY"))
            {
                throw new IOException("STARTUP: " + (ready == null ? client.end() : ready.describe()));
            }
            for (final byte[] request : List.of(
                client.requests().query(1, "DROP KEYSPACE IF EXISTS " + KEYSPACE),
                client.requests()
                    .query(1, "CREATE KEYSPACE " + KEYSPACE +
                        " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"),
                client.requests().query(1, "CREATE TABLE " + KEYSPACE + ".big (k int PRIMARY KEY, v blob)"),
                client.requests()
                    .query(1, "INSERT INTO " + KEYSPACE + ".big (k, v) VALUES (1, ?)", RequestBytes.bigCell())))
            {
                client.send(request);
                final RawAnswer answer = client.receive(PATIENCE_MILLIS);
                if (answer == null || answer.errorCode() >= 0)
                {
                    throw new IOException("table: " + (answer == null ? client.end() : answer.describe()));
                }
            }
        }
        return new HostileServer("node", address, pid, null);
    }

    String name()
    {
        return name;
    }

    InetSocketAddress address()
    {
        return address;
    }

    long residentBytes() throws IOException
    {
        return ResidentMemory.ofProcess(pid);
    }

    byte[] goodRequest()
    {
        return process == null
            ? rawRequests().query(1, "SELECT key FROM system.local")
            : RequestBytes.execute(VERSION, 1, GOOD_VALUES, GOOD_VALUE_BYTES);
    }

    /** Its answer has a cell of 1 MiB. */
    byte[] bigRequest(final int streamId)
    {
        return process == null
            ? rawRequests().query(streamId, "SELECT v FROM " + KEYSPACE + ".big WHERE k = 1")
            : RequestBytes.executeBig(VERSION, streamId);
    }

    private static RawRequests rawRequests()
    {
        return RawRequests.of(VERSION);
    }

    @Override
    public void close() throws IOException
    {
        if (process != null)
        {
            process.close();
        }
    }
}
