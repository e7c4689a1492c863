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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the transport logs about its clients: what repeats once, what is ordinary not at all, cells never. */
final class ClientLogIT
{
    private static final String CELL = "S3cr3tCell";

    private static WireClient ready(final TestServer server, final int version) throws IOException
    {
        final WireClient client = server.connect();
        client.send(Requests.startup(version, 1, Map.of("CQL_VERSION", "3.0.0", "DRIVER_NAME", "probe driver",
            "DRIVER_VERSION", "7")));
        client.switchTo(version, null);
        assertEquals(Opcode.READY, client.readBare().type());
        return client;
    }

    @Test
    void ordinaryDisconnectsAreSilent() throws Exception
    {
        try (ClientErrorLines lines = new ClientErrorLines();
            TestServer server = TestServer.start(
                TestServer.Sockets.EPOLL))
        {
            for (int version = 3; version <= 5; version++)
            {
                server.connect().close();
                server.connect().reset();
                ready(server, version).close();
                ready(server, version).reset();
                final WireClient busy = ready(server, version);
                busy.request(Requests.query(version, 1, "park"));
                final Exchange parked = server.engine().nextParked();
                busy.close();
                Await.until("left", () -> server.transport().connections().isEmpty());
                parked.fail(new IllegalStateException("too late"));
            }
            assertTrue(server.listener().closed().size() >= 9, server.listener().closed()::toString);
            assertEquals(List.of(), lines.seen().stream().filter(line -> !line.contains("a request failed")).toList());
        }
    }

    @Test
    void whatRepeatsIsOneLineWithPeerDriverAndReason() throws Exception
    {
        try (ClientErrorLines lines = new ClientErrorLines();
            TestServer server = TestServer.start(
                TestServer.Sockets.EPOLL))
        {
            for (int i = 0; i < 20; i++)
            {
                try (WireClient client = ready(server, 4))
                {
                    client.send(Requests.header(4, 3, Opcode.QUERY, -1));
                    client.readEnvelope();
                    client.expectEnd();
                }
            }
            assertEquals(1, lines.seen().size(), lines.seen()::toString);
            final String line = lines.seen().get(0);
            assertTrue(line.contains("/127.0.0.1:") && line.contains("probe driver") && line.contains("body length"),
                line);
        }
    }

    @Test
    void whoHasToWaitIsOneLineAMinute() throws Exception
    {
        try (ClientErrorLines lines = new ClientErrorLines();
            TestServer server = TestServer.start(
                TestServer.Sockets.EPOLL, TestServer.limits(limits -> limits.requestsPerSecond(100)
                    .requestBurst(
                        java.time.Duration.ZERO)));
            WireClient client = ready(server, 5))
        {
            for (int i = 0; i < 20; i++)
            {
                client.request(Requests.query(5, i, "void"));
            }
            client.readEnvelopes(20);
            assertEquals(1, lines.seen().size(), lines.seen()::toString);
            assertTrue(lines.seen().get(0).contains("100 requests/second") && lines.seen()
                .get(0)
                .contains(
                    "probe driver"),
                lines.seen()::toString);
        }
    }

    @Test
    void cellsAreNeverLogged() throws Exception
    {
        final byte[] cell = CELL.getBytes(StandardCharsets.UTF_8);
        final Everything log = new Everything();
        try (TestServer server = TestServer.start(TestServer.Sockets.EPOLL, TestServer.limits(limits -> limits
            .requestsPerConnection(2))))
        {
            for (int version = 3; version <= 5; version++)
            {
                final byte[] good = Requests.execute(version, 1, "void", cell, cell);
                try (WireClient client = ready(server, version))
                {
                    assertEquals(Opcode.RESULT, client.ask(good).type());
                    // A body that ends too early, and one with a value that is longer than the rest.
                    final byte[] cut = Requests.envelope(version, 0, 2, Opcode.EXECUTE.code(), Arrays.copyOfRange(
                        good, 9, good.length - 4));
                    assertEquals(Opcode.ERROR, client.ask(cut).type());
                    final byte[] lying = good.clone();
                    lying[good.length - cell.length - 1] = 127;
                    assertEquals(Opcode.ERROR, client.ask(lying).type());
                    assertEquals(Opcode.ERROR, client.ask(Requests.envelope(version, 0, 4, 0x6B, cell)).type());
                    client.request(Requests.execute(version, 5, "park", cell), Requests.execute(version, 6, "park",
                        cell), Requests.execute(version, 7, "void", cell));
                    Await.until("paused", () -> server.transport().heldBytes() > 0);
                    client.send(version == 5 ? damaged(good) : Requests.header(version, 8, Opcode.EXECUTE, -1));
                    for (int i = 0; i < 2; i++)
                    {
                        server.engine().nextParked().fail(new IllegalStateException("the engine's own text"));
                    }
                    client.readEnvelopes(4);
                    client.expectEnd();
                }
                try (WireClient client = server.connect())
                {
                    // Where a version byte should be.
                    client.send(cell);
                    client.readEnvelope();
                }
            }
            server.takeInspected();
        }
        finally
        {
            log.close();
        }
        final String all = String.join("\n", log.lines);
        assertTrue(all.contains("client error"), "something was logged");
        assertFalse(all.contains(CELL), all);
        assertFalse(all.toLowerCase(Locale.ROOT).contains(java.util.HexFormat.of().formatHex(cell)), all);
    }

    private static byte[] damaged(final byte[] envelope)
    {
        final byte[] segment = Segments.plain(true, envelope);
        segment[segment.length - 1] ^= 1;
        return segment;
    }

    /** Whatever anything of ours logs, at any level, with stack traces. */
    private static final class Everything extends AppenderBase<ILoggingEvent>
    {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final Level before = logger().getLevel();

        Everything()
        {
            setContext(logger().getLoggerContext());
            start();
            logger().addAppender(this);
            logger().setLevel(Level.TRACE);
        }

        private static Logger logger()
        {
            return (Logger)LoggerFactory.getLogger("io.sluice");
        }

        @Override
        protected void append(final ILoggingEvent event)
        {
            lines.add(event.getFormattedMessage() + (event.getThrowableProxy() == null
                ? ""
                : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }

        void close()
        {
            logger().setLevel(before);
            logger().detachAppender(this);
            stop();
        }
    }
}
