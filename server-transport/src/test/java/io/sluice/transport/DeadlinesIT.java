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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who says nothing, reads nothing or stops halfway is found: plain and over TLS, on each kind of socket. */
final class DeadlinesIT extends SecuredSocketTest
{
    private static final Duration SHORT = Duration.ofMillis(300);

    private void startLimited(final Security security, final UnaryOperator<TransportLimitsBuilder> change)
        throws Exception
    {
        start(security, builder -> builder.limits(change.apply(TransportLimits.defaults().with()).build()));
    }

    private void expectClosed(final CloseReason... reasons)
    {
        Await.until("closed", () -> server.listener().closed().size() == reasons.length);
        assertEquals(List.of(reasons), server.listener().closed());
        server.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource
    void silenceBeforeStartup(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.handshakeTimeout(SHORT));
        // Over TLS not even its handshake has begun.
        try (WireClient silent = server.connect())
        {
            silent.readToEnd();
        }
        expectClosed(CloseReason.HANDSHAKE_TIMEOUT);
    }

    @ParameterizedTest
    @EnumSource
    void silenceInTheMiddleOfALogin(final Security security) throws Exception
    {
        start(security, builder -> builder.authenticator(new PasswordAuthenticator())
            .limits(TransportLimits.defaults().with().handshakeTimeout(Duration.ofSeconds(2)).build()));
        try (WireClient client = connect())
        {
            client.send(Requests.startup(5, 1, (String)null));
            client.readBare();
            client.switchTo(5, null);
            client.send(new byte[]{1, 2, 3});
            client.expectEnd();
        }
        expectClosed(CloseReason.HANDSHAKE_TIMEOUT);
    }

    @ParameterizedTest
    @EnumSource
    void idleEndsInOrderAndBusyDoesNot(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.idleTimeout(SHORT));
        try (WireClient idle = ready(5); WireClient busy = ready(4))
        {
            busy.request(Requests.query(4, 7, "park"));
            final Exchange parked = server.engine().nextParked();
            idle.expectEnd();
            assertTrue(parked.connection().isOpen());
            parked.respond(VoidResult.INSTANCE);
            assertEquals(7, busy.readEnvelope().streamId());
            // From the answer on it is idle, too.
            busy.expectEnd();
        }
        expectClosed(CloseReason.IDLE_TIMEOUT, CloseReason.IDLE_TIMEOUT);
    }

    /** Nothing comes from it for longer than the timeout, but it takes what it is sent. */
    @ParameterizedTest
    @EnumSource
    void readerIsNotIdleWhileItReads(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.idleTimeout(SHORT).stallTimeout(Duration.ofMinutes(1)));
        try (WireClient slow = connect(4096))
        {
            slow.startUp(4, null);
            final long begin = System.nanoTime();
            slow.request(Requests.query(4, 1, "rows " + 24 * MIB));
            // The timeout passes with the answer on its way, however fast the machine is.
            Await.until("long enough", () -> System.nanoTime() - begin > 3 * SHORT.toNanos());
            assertEquals(0, server.listener().closed().size());
            assertTrue(slow.readEnvelope().body().length > 24 * MIB);
            slow.expectEnd();
        }
        expectClosed(CloseReason.IDLE_TIMEOUT);
    }

    @ParameterizedTest
    @EnumSource
    void readerThatStopsIsStalled(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.stallTimeout(SHORT));
        try (WireClient stalled = connect(4096); WireClient other = ready(5))
        {
            stalled.startUp(5, null);
            stalled.request(Requests.query(5, 1, "rows " + 24 * MIB));
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.STALLED));
            expectServes(other);
            assertThrows(IOException.class, () -> stalled.readEnvelope());
        }
        server.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource
    void requestThatIsNeverFinishedIsStalled(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.stallTimeout(SHORT));
        for (int version = 3; version <= 5; version++)
        {
            try (WireClient client = ready(version))
            {
                final byte[] envelope = Requests.query(version, 1, "void");
                final byte[] query = version == 5 ? Segments.plain(true, envelope) : envelope;
                client.send(Arrays.copyOf(query, query.length - 1));
                client.readToEnd();
            }
        }
        expectClosed(CloseReason.STALLED, CloseReason.STALLED, CloseReason.STALLED);
    }

    /** A byte now and then is no reading, once others need the room: by the deadline of whole requests. */
    @ParameterizedTest
    @EnumSource
    void readerThatTricklesKeepsItsRoomForABoundedTime(final Security security) throws Exception
    {
        startLimited(security, limits -> limits.stallTimeout(Duration.ofMinutes(1))
            .answerBytes(MIB)
            .exchangeTimeout(Duration.ofSeconds(1)));
        try (WireClient trickling = connect(4096); WireClient other = ready(5))
        {
            trickling.startUp(5, null);
            trickling.request(Requests.query(5, 1, "rows " + 32 * MIB));
            final Thread reader = new Thread(() -> trickle(trickling));
            reader.start();
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.STALLED));
            // What the kernel still has is more than it would ever read.
            trickling.leave();
            reader.join();
            expectServes(other);
        }
        server.awaitQuiet();
    }

    private static void trickle(final WireClient client)
    {
        try
        {
            while (client.socket().getInputStream().read() >= 0)
            {
                LockSupport.parkNanos(1_000_000);
            }
        }
        catch (final IOException e)
        {
            // Closed with what was not read.
        }
    }
}
