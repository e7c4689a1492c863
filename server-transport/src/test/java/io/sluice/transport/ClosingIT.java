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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.ScriptedEngine;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every end of a connection and of the transport: plain and over TLS, on each kind of socket. */
final class ClosingIT extends SecuredSocketTest
{
    private static boolean get(final CompletableFuture<Boolean> drained) throws Exception
    {
        return drained.get(Await.HANG.toSeconds(), TimeUnit.SECONDS);
    }

    /** The kernel may still take a connection while it closes the listening socket; it is ended at once. */
    private void expectNotListening()
    {
        assertThrows(IOException.class, () ->
        {
            try (WireClient client = server.connect())
            {
                client.send(Requests.options(5, 1));
                client.readBare();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void drainFinishesWhatIsInWorkThenEndsInOrder(final Security security) throws Exception
    {
        start(security, builder ->
        {
        });
        try (WireClient v3 = ready(3); WireClient v4 = ready(4); WireClient v5 = ready(5))
        {
            for (final WireClient client : List.of(v3, v4, v5))
            {
                client.request(Requests.query(client.version(), client.version(), "park"));
            }
            final List<Exchange> parked = List.of(server.engine().nextParked(), server.engine().nextParked(),
                server.engine().nextParked());
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            // Not listening any more, while everybody is still there.
            expectNotListening();
            assertTrue(server.transport().connections().size() >= 3);
            for (final Exchange exchange : parked)
            {
                exchange.respond(ScriptedEngine.rows(MIB));
            }
            for (final WireClient client : List.of(v3, v4, v5))
            {
                assertEquals(client.version(), client.readEnvelope().streamId());
                client.expectEnd();
                client.leave();
            }
            assertTrue(get(drained));
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.SHUTDOWN, CloseReason.SHUTDOWN, CloseReason.SHUTDOWN), server.listener()
            .closed());
    }

    @ParameterizedTest
    @EnumSource
    void drainThatWaitsNoLongerCountsWhoLosesAnswers(final Security security) throws Exception
    {
        start(security, builder ->
        {
        });
        try (WireClient idle = ready(4); WireClient waiting = ready(5))
        {
            waiting.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            assertFalse(get(server.transport().drain(Duration.ofMillis(1))));
            assertEquals(0, waiting.readToEnd().length);
            idle.expectEnd();
            // Too late; nothing comes of it.
            parked.respond(VoidResult.INSTANCE);
        }
        server.awaitQuiet();
        assertEquals(Set.of(CloseReason.SHUTDOWN, CloseReason.SHUTDOWN_FORCED), Set.copyOf(server.listener().closed()));
        assertEquals(2, server.listener().closed().size());
    }

    @ParameterizedTest
    @EnumSource
    void lateStartupIsRefused(final Security security) throws Exception
    {
        start(security, builder ->
        {
        });
        try (WireClient late = connect())
        {
            Await.until("accepted", () -> server.listener().opened() == 1);
            // Between the two halves of a drain: nobody new is served, whoever is there has not heard of it yet.
            server.transport().control().stopAccepting();
            late.send(Requests.startup(5, 9, (String)null));
            assertEquals("Server is shutting down", expectError(late.readBare(), 9, OVERLOADED).errorMessage());
            late.expectEnd();
        }
        try (WireClient later = server.connect())
        {
            assertEquals(0, later.readToEnd().length);
        }
        server.awaitQuiet();
        assertEquals(List.of(RefusalReason.SHUTDOWN), server.listener().refused());
    }

    @ParameterizedTest
    @EnumSource
    void drainEndsLoginsHalfway(final Security security) throws Exception
    {
        start(security, builder -> builder.authenticator(new PasswordAuthenticator()));
        try (WireClient silent = connect(); WireClient asked = connect())
        {
            asked.send(Requests.startup(4, 1, (String)null));
            assertEquals(Opcode.AUTHENTICATE, asked.readBare().type());
            Await.until("accepted", () -> server.transport().connections().size() == 2);
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            silent.expectEnd();
            asked.expectEnd();
            silent.leave();
            asked.leave();
            assertTrue(get(drained));
        }
    }

    @ParameterizedTest
    @EnumSource
    void lastErrorComesAfterAnswersInWorkAndBeforeTheEnd(final Security security) throws Exception
    {
        start(security, builder ->
        {
        });
        for (int version = 3; version <= 5; version++)
        {
            try (WireClient client = ready(version))
            {
                client.request(Requests.query(version, 1, "park"), Requests.query(version, 2, "park"));
                final Exchange first = server.engine().nextParked();
                final Exchange second = server.engine().nextParked();
                client.send(new byte[]{2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
                Await.until("read", () -> !first.connection().isOpen());
                first.respond(ScriptedEngine.rows(MIB));
                second.respond(VoidResult.INSTANCE);
                assertEquals(first.streamId(), client.readEnvelope().streamId());
                assertEquals(second.streamId(), client.readEnvelope().streamId());
                expectFatal(client, 0);
            }
            server.awaitQuiet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotFinishedInTimeIsFailedThenTheLastErrorComes(final Security security) throws Exception
    {
        start(security, builder -> builder.limits(TransportLimits.defaults()
            .with()
            .closeTimeout(Duration.ofMillis(100))
            .build()));
        try (WireClient client = ready(4))
        {
            client.request(Requests.query(4, 1, "park"), Requests.header(4, 6, Opcode.QUERY, 0x7FFFFFFF));
            final Exchange parked = server.engine().nextParked();
            expectError(client, 1, OVERLOADED);
            expectFatal(client, 6);
            assertFalse(parked.isAbandoned());
            // Late: ignored, and its permit comes back.
            parked.respond(VoidResult.INSTANCE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingSurvivesTheEndOfADrain(final Security security) throws Exception
    {
        start(security, builder ->
        {
        });
        try (WireClient stuck = ready(5); WireClient unread = connect(4096); WireClient silent = connect())
        {
            stuck.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            unread.startUp(4, null);
            unread.request(Requests.query(4, 1, "rows " + 20 * MIB));
            Await.until("on its way", () -> server.transport().answerBytes() > MIB);
            assertFalse(get(server.transport().drain(Duration.ofMillis(50))));
            server.transport().close();
            assertTrue(server.transport().connections().isEmpty());
            assertTrue(parked.isAbandoned());
            expectNotListening();
            parked.respond(VoidResult.INSTANCE);
            // To the end of what there is, in order or not.
            assertThrows(IOException.class, () -> unread.readEnvelopes(2));
            silent.leave();
        }
        assertEquals(0, server.transport().buffers().outstandingLeases());
        assertEquals(0, server.transport().answerBytes());
        assertEquals(0, server.transport().inFlightBytes());
    }
}
