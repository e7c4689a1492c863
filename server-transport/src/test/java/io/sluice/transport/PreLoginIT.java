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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.memory.BufferPool;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may cost before they are known. */
final class PreLoginIT extends SocketTest
{
    /** More by {@code -Dsluice.half.open=5000}. */
    private static final int HALF_OPEN = Integer.getInteger("sluice.half.open", 300);
    private static final int BUDGET = MIB;
    /** One figure for all: the budget, a small reserve of each, and what each of two loops reads before it looks. */
    private static final int FIGURE = BUDGET + HALF_OPEN * PreLoginBudget.FREE_BYTES + 2 * 256 * 1024;

    private final PasswordAuthenticator authenticator = new PasswordAuthenticator();
    private final ExecutorService logins = Executors.newSingleThreadExecutor();

    @AfterEach
    void end()
    {
        authenticator.goOn();
        logins.shutdown();
    }

    private void startAuthenticating(final long budget)
    {
        start(builder -> builder.authenticator(authenticator)
            .authExecutor(logins)
            .limits(TransportLimits.defaults().with().preLoginBytes(budget).build()));
    }

    private WireClient authenticating(final int version) throws IOException
    {
        final WireClient client = server.connect();
        client.send(Requests.startup(version, 1, (String)null));
        assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
        client.switchTo(version, null);
        return client;
    }

    private static byte[] token(final int version, final int streamId, final String text)
    {
        return Requests.authResponse(version, streamId, text.getBytes(StandardCharsets.UTF_8));
    }

    private void expectLogin(final int version) throws IOException
    {
        try (WireClient client = authenticating(version))
        {
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(version, 2, "secret")).type());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void messagesAreCounted(final int version) throws IOException
    {
        startWithLimits(limits -> limits.preLoginMessages(20));
        try (WireClient client = server.connect())
        {
            for (int stream = 0; stream < 20; stream++)
            {
                client.send(Requests.options(version, stream));
                assertEquals(Opcode.SUPPORTED, client.readBare().type());
            }
            client.send(Requests.options(version, 77));
            final WireEnvelope error = expectError(client.readBare(), 77, PROTOCOL_ERROR);
            assertEquals("Too many messages before login", error.errorMessage());
            client.expectEnd();
        }
        try (WireClient client = server.ready(version))
        {
            for (int i = 0; i < 100; i++)
            {
                assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(version, i)).type());
            }
        }
    }

    @Test
    void mistakesCountAsMessages() throws IOException
    {
        startWithLimits(limits -> limits.preLoginMessages(10));
        try (WireClient client = server.connect())
        {
            for (int stream = 0; stream < 10; stream++)
            {
                client.send(Requests.startup(4, stream, "zip"));
                expectError(client.readBare(), stream, PROTOCOL_ERROR);
            }
            client.send(Requests.startup(4, 10, (String)null));
            expectError(client.readBare(), 10, PROTOCOL_ERROR);
            client.expectEnd();
        }
    }

    @Test
    void claimsBeforeLoginTakeNothingFromRequests() throws IOException
    {
        start();
        final List<WireClient> half = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            final WireClient client = server.connect();
            client.send(Requests.header(4, 1, Opcode.STARTUP, 90_000));
            client.send(new byte[1000]);
            half.add(client);
        }
        Await.until("read", () -> server.transport().buffers().outstandingLeases() == half.size());
        assertEquals(0, server.transport().inFlightBytes());
        for (final WireClient client : half)
        {
            client.close();
        }
    }

    @Test
    void memoryOfHalfOpenConnectionsStaysUnderOneFigureAndOthersLogIn() throws IOException
    {
        startAuthenticating(BUDGET);
        final List<WireClient> half = new ArrayList<>();
        for (int i = 0; i < HALF_OPEN; i++)
        {
            half.add(halfOpen(i));
            final long taken = server.transport().buffers().outstandingBytes();
            assertTrue(taken <= FIGURE, () -> "taken: " + taken + " (expected: at most " + FIGURE + ")");
            if (i % 50 == 0)
            {
                expectLogin(3 + i % 3);
            }
        }
        expectLogin(5);
        Await.until("the first over the budget is closed", () -> server.listener()
            .closed()
            .contains(CloseReason.OUT_OF_MEMORY));
        // It is the budget that bounds them, and it is used.
        final long charged = server.transport().preLoginBytes();
        assertTrue(charged > BUDGET / 2 && charged <= BUDGET, () -> "charged: " + charged);
        for (final WireClient client : half)
        {
            client.close();
        }
        server.awaitQuiet();
        expectLogin(4);
    }

    /** In each of the ways in which a client can stop halfway. */
    private WireClient halfOpen(final int index) throws IOException
    {
        switch (index % 3)
        {
            case 0 ->
            {
                final WireClient client = server.connect();
                client.send(Requests.header(4, 1, Opcode.STARTUP, 90_000));
                client.send(new byte[50_000]);
                return client;
            }
            case 1 ->
            {
                // Of a segment that is not all there nobody knows what is in it.
                final WireClient client = authenticating(5);
                final byte[] segment = Segments.plain(true, new byte[Segments.MAX_PAYLOAD]);
                client.send(Arrays.copyOf(segment, 70_000));
                return client;
            }
            default ->
            {
                final WireClient client = authenticating(5);
                final byte[] pieces = Segments.pieces(SegmentFormat.PLAIN, 10_000, token(5, 2, "x".repeat(90_000)));
                client.send(Arrays.copyOf(pieces, 60_000));
                return client;
            }
        }
    }

    @Test
    void whoeverIsOverTheBudgetIsToldAndClosed() throws IOException
    {
        startAuthenticating(BUDGET);
        final byte[] header = Requests.header(4, 1, Opcode.STARTUP, 90_000);
        final List<WireClient> first = new ArrayList<>();
        // As much memory for each as the largest message before login may take up.
        final int each = BufferPool.SEGMENT_CAPACITY - PreLoginBudget.FREE_BYTES;
        for (int held = each; held <= BUDGET; held += each)
        {
            final WireClient client = server.connect();
            client.send(header, new byte[50_000]);
            first.add(client);
        }
        Await.until("held", () -> server.transport().preLoginBytes() == (long)each * first.size());
        try (WireClient late = server.connect())
        {
            late.send(header, new byte[50_000]);
            expectError(late.readBare(), 0, OVERLOADED);
            late.expectEnd();
        }
        // Beside those who stay, an ordinary login; and they themselves go on.
        expectLogin(5);
        for (final WireClient client : first)
        {
            client.send(new byte[40_000]);
            expectError(client.readBare(), 1, PROTOCOL_ERROR);
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void loginsThatWaitAreCountedAlsoWhenTheirClientsHaveLeft(final int version) throws IOException
    {
        startAuthenticating(BUDGET);
        final String large = "x".repeat(90_000);
        try (WireClient slow = authenticating(version))
        {
            slow.request(token(version, 2, "slow"));
            authenticator.awaitSlow();
            final int queued = BUDGET / 91_000;
            for (int i = 0; i < queued; i++)
            {
                final WireClient leaving = authenticating(version);
                leaving.request(token(version, 2, large));
                final long count = i + 1L;
                Await.until("queued", () -> server.transport().context.logins.usedBytes() > count * 90_000);
                leaving.reset();
            }
            if (sockets == TestServer.Sockets.EPOLL)
            {
                // NIO does not hear of a reset while nothing is read.
                Await.until("left", () -> server.transport().connections().size() == 1);
            }
            assertTrue(server.transport().context.logins.usedBytes() > queued * 90_000);
            try (WireClient late = authenticating(version))
            {
                late.request(token(version, 2, large));
                expectError(late, 2, OVERLOADED);
                late.expectEnd();
            }
            authenticator.goOn();
            assertEquals(Opcode.AUTH_SUCCESS, slow.readEnvelope().type());
            Await.until("given back", () -> server.transport().preLoginBytes() == 0);
            expectLogin(version);
        }
    }
}
