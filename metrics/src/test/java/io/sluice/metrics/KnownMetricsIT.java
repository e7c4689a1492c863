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

import static io.sluice.metrics.MetricAnswers.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.StatusChangeEvent;
import io.sluice.framing.response.VoidResult;
import io.sluice.memory.BufferPool;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.Exchange;
import io.sluice.transport.FlushPolicy;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.TlsConfig;
import io.sluice.transport.TransportLimitsBuilder;
import io.sluice.transport.TransportListener;
import io.sluice.transport.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** What {@link TransportMetricsIT} does not show: every reason, cause, code and stage, flush windows, compression. */
@Timeout(120)
class KnownMetricsIT
{
    private static final int HEADER = 9;
    private static final int ROOM = 1024;
    private static final int NARROW = 16 << 10;
    private static final String PROXY = "127.0.0.9";
    /** Waits of requests, in every test of them. */
    private static final long WAIT_MILLIS = 20;

    private MetricsServer server;
    /** Requests that wait for a thread, where a test is the thread. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private void start(final BiConsumer<NativeTransportBuilder, TransportListener> change)
    {
        server = new MetricsServer(change);
    }

    private void start()
    {
        start((builder, listener) ->
        {
        });
    }

    private void startWith(final Consumer<TransportLimitsBuilder> change)
    {
        start((builder, listener) -> limits(builder, change));
    }

    private void startHolding(final Consumer<TransportLimitsBuilder> change)
    {
        start((builder, listener) -> limits(builder.requestExecutor(tasks::add), change));
    }

    private static void limits(final NativeTransportBuilder builder, final Consumer<TransportLimitsBuilder> change)
    {
        final TransportLimitsBuilder limits = MetricsServer.LIMITS.with();
        change.accept(limits);
        builder.limits(limits.build());
    }

    private static TransportLimitsBuilder small(final TransportLimitsBuilder limits)
    {
        return limits.maxFrameBytes(ROOM).maxMessageBytes(ROOM);
    }

    private void change(final Consumer<TransportLimitsBuilder> change)
    {
        final TransportLimitsBuilder limits = server.transport.control().limits().with();
        change.accept(limits);
        server.transport.control().limits(limits.build());
    }

    @AfterEach
    void stop(final TestInfo test)
    {
        server.answers.expectShown(test.getTestMethod().orElseThrow());
        server.close();
    }

    private long count(final String name)
    {
        return server.answers.count(name);
    }

    private long gauge(final String name)
    {
        return server.answers.gauge(name);
    }

    // ---- requests, answers, stages

    @Test
    @Shows({"stages.*", "requests.query"})
    void stagesAddUpToTheLatency() throws IOException
    {
        final ManualClock[] clock = new ManualClock[1];
        start((builder, listener) -> builder
            .requestExecutor(task ->
            {
                clock[0].advance(3, TimeUnit.MILLISECONDS);
                task.run();
                clock[0].advance(11, TimeUnit.MILLISECONDS);
            })
            .listener(listener.andThen(new TransportListener()
            {
                @Override
                public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
                {
                    clock[0].advance(opcode == Opcode.QUERY ? 2 : 0, TimeUnit.MILLISECONDS);
                }

                @Override
                public void onFlush(final ClientConnection connection,
                    final int envelopes,
                    final int segments,
                    final long payloadBytes,
                    final int bytes)
                {
                    clock[0].advance(connection.isReady() ? 13 : 0, TimeUnit.MILLISECONDS);
                }
            })));
        clock[0] = server.clock;
        try (RawClient client = server.ready(4))
        {
            server.on("slow", exchange ->
            {
                clock[0].advance(5, TimeUnit.MILLISECONDS);
                exchange.respond(MetricsServer.rows(() -> clock[0].advance(7, TimeUnit.MILLISECONDS)));
            });
            client.send(client.query(1, "slow"));
            assertEquals(Opcode.RESULT, client.receive().opcode());
            await(() -> count("stages.write") == 1);
            server.answers.expectMillis("stages.decode", 1, 2);
            server.answers.expectMillis("stages.queue", 1, 3);
            server.answers.expectMillis("stages.serve", 1, 5);
            server.answers.expectMillis("stages.encode", 1, 7);
            server.answers.expectMillis("stages.flush", 1, 11);
            server.answers.expectMillis("stages.write", 1, 13);
            // To the write, not to its end.
            server.answers.expectMillis("requests.query", 1, 2 + 3 + 5 + 7 + 11);
        }
    }

    @Test
    @Shows({"paused.connection-bytes", "stages.decode"})
    void aWaitIsAPauseAndNoStage() throws IOException, InterruptedException
    {
        startWith(limits -> small(limits).inFlightBytesPerConnection(ROOM));
        try (RawClient client = server.ready(4))
        {
            for (int i = 0; i < 15; i++)
            {
                client.send(client.query(i, "void"));
                client.receive();
            }
            client.send(client.query(100, "park" + " ".repeat(600)));
            final Exchange parked = server.parked.take();
            // The next one that is measured, since it is the seventeenth.
            client.send(client.query(101, "void" + " ".repeat(600)));
            await(() -> gauge("held-bytes") > 0);
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            parked.respond(VoidResult.INSTANCE);
            assertEquals(100, client.receive().streamId());
            assertEquals(101, client.receive().streamId());
            await(() -> count("stages.write") == 2);
            assertEquals(0, server.answers.timer("stages.decode").getSnapshot().getMax());
            assertEquals(0, server.answers.timer("stages.queue").getSnapshot().getMax());
            server.answers.expectMillis("paused.connection-bytes", 1, WAIT_MILLIS);
            assertEquals(2, count("stages.decode"));
        }
    }

    @Test
    @Shows({"requests.prepare", "requests.execute", "requests.batch", "requests.prepare.v4", "requests.execute.v4",
        "requests.batch.v4", "request-bytes.prepare.v4", "request-bytes.execute.v4", "request-bytes.batch.v4",
        "response-bytes.prepare.v4", "response-bytes.execute.v4", "response-bytes.batch.v4"})
    void everyKindOfRequest() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            int times = 1;
            for (final Opcode opcode : List.of(Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH))
            {
                final byte[] request = client.statement(opcode, 7, "void");
                for (int i = 0; i < times; i++)
                {
                    client.send(request);
                    assertEquals(new RawClient.Answer(Opcode.RESULT, 7, 4), client.receive());
                }
                final String name = opcode.name().toLowerCase(Locale.ROOT);
                final long expected = times;
                await(() -> count("requests." + name) == expected);
                assertEquals(expected, count("requests." + name + ".v4"));
                assertEquals(expected * request.length, count("request-bytes." + name + ".v4"));
                assertEquals(expected * (HEADER + 4), count("response-bytes." + name + ".v4"));
                times++;
            }
        }
    }

    @Test
    @Shows({"response-bytes.event.v4", "response-bytes.error.v4"})
    void answersToNoRequest() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            client.send(client.register("STATUS_CHANGE"));
            assertEquals(Opcode.READY, client.receive().opcode());
            server.transport.publish(EventType.STATUS_CHANGE, new StatusChangeEvent(StatusChangeEvent.Change.UP,
                InetAddress.getLoopbackAddress(), 9042));
            final RawClient.Answer event = client.receive();
            assertEquals(Opcode.EVENT, event.opcode());
            final byte[] endless = client.query(3, "void");
            endless[5] = -1;
            client.send(endless);
            final RawClient.Answer error = client.receive();
            assertEquals(Opcode.ERROR, error.opcode());
            assertTrue(client.isAtEnd());
            assertEquals(HEADER + event.bodyLength(), count("response-bytes.event.v4"));
            assertEquals(HEADER + error.bodyLength(), count("response-bytes.error.v4"));
        }
    }

    @Test
    @Shows("errors.*")
    void everyErrorByItsCode() throws IOException
    {
        start();
        try (RawClient client = server.ready(5))
        {
            int times = 0;
            for (final ErrorCode code : ErrorCode.values())
            {
                times++;
                for (int i = 0; i < times; i++)
                {
                    client.send(client.query(i, "error " + code));
                    assertEquals(Opcode.ERROR, client.receive().opcode());
                }
            }
            times = 0;
            for (final ErrorCode code : ErrorCode.values())
            {
                times++;
                assertEquals(times, count("errors." + MetricGroup.nameOf(code)), code::name);
            }
        }
    }

    @Test
    @Shows({"expired", "errors.overloaded"})
    void whatIsTooOldToBeStarted() throws IOException
    {
        startHolding(limits -> limits.requestTimeout(Duration.ofSeconds(12)));
        try (RawClient client = server.ready(4))
        {
            for (int i = 0; i < 3; i++)
            {
                client.send(client.query(i, "void"));
            }
            await(() -> tasks.size() == 3);
            server.clock.advance(12, TimeUnit.SECONDS);
            tasks.poll().run();
            assertEquals(Opcode.RESULT, client.receive().opcode());
            server.clock.advance(1, TimeUnit.NANOSECONDS);
            tasks.poll().run();
            tasks.poll().run();
            assertEquals(Opcode.ERROR, client.receive().opcode());
            assertEquals(Opcode.ERROR, client.receive().opcode());
            assertEquals(2, count("expired"));
            assertEquals(2, count("errors.overloaded"));
        }
    }

    // ---- connections that are refused

    @Test
    @Shows({"connections.refused", "connections.refused.address-limit"})
    void refusedByAddress() throws IOException
    {
        startWith(limits -> limits.maxConnectionsPerAddress(1));
        try (RawClient client = server.ready(4);
            RawClient neighbour = new RawClient(server.address(), 4, "127.0.0.2", 0))
        {
            neighbour.start(Map.of());
            for (int i = 0; i < 3; i++)
            {
                try (RawClient refused = server.connect(4))
                {
                    assertTrue(refused.isAtEnd());
                }
            }
            assertEquals(3, count("connections.refused.address-limit"));
            assertEquals(3, count("connections.refused"));
            assertEquals(2, count("connections.opened"));
            assertTrue(client.bytesOut > 0);
        }
    }

    private void startBehindAProxy()
    {
        start((builder, listener) -> builder.trustedProxies(TrustedProxies.of(PROXY)));
    }

    @Test
    @Shows({"connections.refused", "connections.refused.proxy-header"})
    void refusedForWhatItsProxySays() throws IOException
    {
        startBehindAProxy();
        try (RawClient client = new RawClient(server.address(), 4, PROXY, 0))
        {
            client.send(client.startup(Map.of()));
            assertTrue(client.isAtEnd());
            assertEquals(1, count("connections.refused.proxy-header"));
            assertEquals(1, count("connections.refused"));
            assertEquals(0, count("connections.opened"));
        }
    }

    @Test
    @Shows({"connections.refused", "connections.refused.shutdown"})
    void refusedSinceTheTransportStops() throws IOException
    {
        startBehindAProxy();
        try (RawClient client = new RawClient(server.address(), 4, PROXY, 0))
        {
            assertTrue(server.connection().isOpen());
            assertTrue(ended(server.transport.drain(Duration.ofMinutes(1))));
            assertTrue(client.isAtEnd());
            assertEquals(1, count("connections.refused.shutdown"));
            assertEquals(1, count("connections.refused"));
        }
    }

    private static boolean ended(final CompletableFuture<Boolean> drained)
    {
        return drained.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    @Shows({"connections.refused", "connections.refused.server-error"})
    void refusedForWantOfACertificate() throws IOException
    {
        server = new MetricsServer(new TlsConfig(TlsConfig.Mode.REQUIRED, () ->
        {
            throw new IOException("no such file, on purpose");
        }, Duration.ofSeconds(10), false), (builder, listener) ->
        {
        });
        try (RawClient client = server.connect(4))
        {
            assertTrue(client.isAtEnd());
            await(() -> count("connections.refused") == 1);
            assertEquals(1, count("connections.refused.server-error"));
            assertEquals(0, count("connections.closed.server-error"));
        }
    }

    // ---- connections that are closed

    private void expectClosed(final String reason)
    {
        await(() -> count("connections.closed." + reason) == 1);
        assertEquals(0, gauge("connections"));
    }

    @Test
    @Shows("connections.closed.handshake-timeout")
    void closedByTheHandshakeTimeout() throws IOException
    {
        start();
        try (RawClient client = server.connect(4))
        {
            await(() -> count("connections.opened") == 1);
            server.clock.advance(31, TimeUnit.SECONDS);
            assertTrue(client.isAtEnd());
            expectClosed("handshake-timeout");
        }
    }

    @Test
    @Shows("connections.closed.idle-timeout")
    void closedByTheIdleTimeout() throws IOException
    {
        startWith(limits -> limits.idleTimeout(Duration.ofMinutes(5)));
        try (RawClient client = server.ready(4))
        {
            // READY may be told as written only after the client has it.
            await(() ->
            {
                server.clock.advance(5, TimeUnit.MINUTES);
                return count("connections.closed.idle-timeout") == 1;
            });
            assertTrue(client.isAtEnd());
        }
        expectClosed("idle-timeout");
    }

    @Test
    @Shows("connections.closed.stalled")
    void closedInTheMiddleOfARequest() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            final byte[] query = client.query(1, "void");
            client.sendBytes(Arrays.copyOf(query, query.length - 1));
            await(() -> count("bytes-read") == client.bytesOut);
            server.clock.advance(61, TimeUnit.SECONDS);
            assertTrue(client.isAtEnd());
        }
        expectClosed("stalled");
    }

    @Test
    @Shows("connections.closed.answer-limit")
    void closedForOneAnswer() throws IOException
    {
        startWith(limits -> limits.answerBytesPerConnection(500).answerBytesHardLimit(500));
        try (RawClient client = server.ready(4))
        {
            client.send(client.query(1, "rows 500"));
            assertTrue(client.isAtEnd());
        }
        expectClosed("answer-limit");
    }

    @Test
    @Shows({"connections.closed.login-attempts", "logins.failure"})
    void closedForItsPasswords() throws IOException
    {
        start((builder, listener) -> limits(builder.authenticator(new TransportMetricsIT.Password()),
            limits -> limits.loginAttempts(2)));
        try (RawClient client = server.connect(4))
        {
            client.start(Map.of());
            final byte[] token = client.envelope(Opcode.AUTH_RESPONSE, 1, new byte[]{0, 0, 0, 3, 'b', 'a', 'd'});
            client.send(token);
            assertEquals(Opcode.ERROR, client.receive().opcode());
            client.send(token);
            assertEquals(Opcode.ERROR, client.receive().opcode());
            assertTrue(client.isAtEnd());
        }
        expectClosed("login-attempts");
        assertEquals(2, count("logins.failure"));
    }

    @Test
    @Shows("connections.closed.tls-failure")
    void closedForWhatIsNoTls() throws Exception
    {
        final KeyManagerFactory nothing = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        nothing.init(null, null);
        final SslContext context = SslContextBuilder.forServer(nothing).sslProvider(SslProvider.JDK).build();
        server = new MetricsServer(new TlsConfig(TlsConfig.Mode.REQUIRED, () -> context, Duration.ofSeconds(10), false),
            (builder, listener) ->
            {
            });
        try (RawClient client = server.connect(4))
        {
            client.send(client.startup(Map.of()));
            expectClosed("tls-failure");
        }
    }

    @Test
    @Shows("connections.closed.out-of-memory")
    void closedForWantOfMemory() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            server.connection().channel().pipeline().fireExceptionCaught(new OutOfMemoryError("Direct buffer memory"));
            assertTrue(client.isAtEnd());
        }
        expectClosed("out-of-memory");
    }

    @Test
    @Shows("connections.closed.server-error")
    void closedForTheServersFault() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            server.connection().channel().pipeline().fireExceptionCaught(new IllegalStateException("on purpose"));
            assertTrue(client.isAtEnd());
        }
        expectClosed("server-error");
    }

    @Test
    @Shows("connections.closed.forced")
    void closedByAnOperator() throws IOException
    {
        start();
        try (RawClient client = server.ready(4))
        {
            server.connection().close(CloseReason.FORCED);
            assertTrue(client.isAtEnd());
        }
        expectClosed("forced");
    }

    @Test
    @Shows({"connections.closed.shutdown", "connections.closed.shutdown-forced"})
    void closedByAStop() throws IOException, InterruptedException
    {
        start();
        try (RawClient waiting = server.ready(4))
        {
            final CompletableFuture<Boolean> drained;
            waiting.send(waiting.query(1, "park"));
            final Exchange parked = server.parked.take();
            try (RawClient client = server.ready(4))
            {
                drained = server.transport.drain(Duration.ofMinutes(1));
                assertTrue(client.isAtEnd());
            }
            await(() -> count("connections.closed.shutdown") == 1);
            server.clock.advance(1, TimeUnit.MINUTES);
            assertTrue(!ended(drained));
            await(() -> count("connections.closed.shutdown-forced") == 1);
            assertEquals(1, count("connections.closed.shutdown"));
            parked.respond(VoidResult.INSTANCE);
        }
    }

    // ---- requests that are shed

    private static Map<String, String> throwing()
    {
        return Map.of("THROW_ON_OVERLOAD", "1");
    }

    private static byte[] big(final RawClient client, final int streamId, final String query)
    {
        return client.query(streamId, query + " ".repeat(600));
    }

    /** One of a client in work takes up all room; of another client's, two do not get in. */
    private void shedBehindAnother(final String from, final String cause) throws IOException, InterruptedException
    {
        try (RawClient client = server.ready(4); RawClient other = new RawClient(server.address(), 4, from, 0))
        {
            other.start(throwing());
            client.send(big(client, 1, "park"));
            final Exchange parked = server.parked.take();
            for (int i = 0; i < 2; i++)
            {
                other.send(big(other, i, "void"));
                assertEquals(Opcode.ERROR, other.receive().opcode());
            }
            assertEquals(2, count("shed." + cause));
            parked.respond(VoidResult.INSTANCE);
            client.receive();
        }
    }

    @Test
    @Shows("shed.address-bytes")
    void shedByTheBytesOfItsAddress() throws IOException, InterruptedException
    {
        startWith(limits -> small(limits).inFlightBytesPerAddress(ROOM));
        shedBehindAnother("127.0.0.1", "address-bytes");
    }

    @Test
    @Shows("shed.global-bytes")
    void shedByTheBytesOfAll() throws IOException, InterruptedException
    {
        startWith(limits -> small(limits).inFlightBytesPerAddress(ROOM).inFlightBytes(ROOM));
        shedBehindAnother("127.0.0.2", "global-bytes");
    }

    @Test
    @Shows("shed.request-rate")
    void shedByTheRate() throws IOException
    {
        startWith(limits -> limits.requestsPerSecond(3).requestBurst(Duration.ofSeconds(1)));
        try (RawClient client = server.connect(4))
        {
            client.start(throwing());
            for (int i = 0; i < 8; i++)
            {
                client.send(client.query(i, "void"));
                assertEquals(i < 3 ? Opcode.RESULT : Opcode.ERROR, client.receive().opcode(), "request " + i);
            }
            assertEquals(5, count("shed.request-rate"));
            server.clock.advance(2, TimeUnit.SECONDS);
            client.send(client.query(9, "void"));
            assertEquals(Opcode.RESULT, client.receive().opcode());
        }
    }

    @Test
    @Shows("shed.queue-age")
    void shedBehindAnOldQueue() throws IOException
    {
        startHolding(limits -> limits.queueAge(Duration.ofSeconds(2)));
        try (RawClient client = server.connect(4))
        {
            client.start(throwing());
            client.send(client.query(1, "void"));
            await(() -> tasks.size() == 1);
            server.clock.advance(2, TimeUnit.SECONDS);
            client.send(client.query(2, "void"));
            await(() -> tasks.size() == 2);
            server.clock.advance(1, TimeUnit.NANOSECONDS);
            client.send(client.query(3, "void"));
            assertEquals(3, client.receive().streamId());
            assertEquals(1, count("shed.queue-age"));
            tasks.poll().run();
            tasks.poll().run();
            client.receive();
            client.receive();
        }
    }

    // ---- requests that wait

    private void expectPaused(final String cause)
    {
        await(() -> count("paused." + cause) == 1);
        server.answers.expectMillis("paused." + cause, 1, WAIT_MILLIS);
        assertEquals(0, gauge("paused-connections"));
    }

    private void waitsBehindAnother(final String from, final String cause) throws IOException, InterruptedException
    {
        try (RawClient client = server.ready(4); RawClient other = new RawClient(server.address(), 4, from, 0))
        {
            other.start(Map.of());
            client.send(big(client, 1, "park"));
            final Exchange parked = server.parked.take();
            other.send(big(other, 1, "void"));
            await(() -> gauge("waiting-connections") == 1);
            assertEquals(1, gauge("paused-connections"));
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            parked.respond(VoidResult.INSTANCE);
            client.receive();
            other.receive();
            expectPaused(cause);
            assertEquals(0, gauge("waiting-connections"));
        }
    }

    @Test
    @Shows({"paused.address-bytes", "waiting-connections", "paused-connections"})
    void waitsForTheBytesOfItsAddress() throws IOException, InterruptedException
    {
        startWith(limits -> small(limits).inFlightBytesPerAddress(ROOM));
        waitsBehindAnother("127.0.0.1", "address-bytes");
    }

    @Test
    @Shows({"paused.global-bytes", "waiting-connections", "paused-connections"})
    void waitsForTheBytesOfAll() throws IOException, InterruptedException
    {
        startWith(limits -> small(limits).inFlightBytesPerAddress(ROOM).inFlightBytes(ROOM));
        waitsBehindAnother("127.0.0.2", "global-bytes");
    }

    @Test
    @Shows("paused.requests-in-service")
    void waitsForItsOthers() throws IOException, InterruptedException
    {
        startWith(limits -> limits.requestsPerConnection(1));
        try (RawClient client = server.ready(4))
        {
            client.send(client.query(1, "park"), client.query(2, "void"));
            final Exchange parked = server.parked.take();
            await(() -> gauge("paused-connections") == 1);
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            parked.respond(VoidResult.INSTANCE);
            client.receive();
            client.receive();
            expectPaused("requests-in-service");
        }
    }

    @Test
    @Shows("paused.request-rate")
    void waitsForTheRate() throws IOException
    {
        startWith(limits -> limits.requestsPerSecond(1).requestBurst(Duration.ofSeconds(1)));
        try (RawClient client = server.ready(4))
        {
            client.send(client.query(1, "void"));
            client.receive();
            // Nothing is saved up any more, and the clock stands still: their moments do not come.
            change(limits -> limits.requestBurst(Duration.ZERO));
            client.send(client.query(2, "void"), client.query(3, "void"));
            await(() -> gauge("paused-connections") == 1);
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            change(limits -> limits.requestsPerSecond(0));
            client.receive();
            client.receive();
            expectPaused("request-rate");
        }
    }

    @Test
    @Shows("paused.queue-age")
    void waitsBehindAnOldQueue() throws IOException
    {
        startHolding(limits -> limits.queueAge(Duration.ofSeconds(2)));
        try (RawClient client = server.ready(4))
        {
            client.send(client.query(1, "void"));
            await(() -> tasks.size() == 1);
            server.clock.advance(3, TimeUnit.SECONDS);
            client.send(client.query(2, "void"));
            await(() -> gauge("paused-connections") == 1);
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            tasks.poll().run();
            client.receive();
            await(() -> tasks.size() == 1);
            tasks.poll().run();
            client.receive();
            expectPaused("queue-age");
        }
    }

    @Test
    @Shows({"paused.unread-answers", "answer-bytes"})
    void waitsForItsReader() throws IOException
    {
        startWith(limits -> limits.answerBytesPerConnection(100_000));
        try (RawClient client = new RawClient(server.address(), 4, "127.0.0.1", NARROW))
        {
            client.start(Map.of());
            client.send(client.query(1, "rows 8000000"));
            await(() -> gauge("answer-bytes") > 100_000);
            client.send(client.query(2, "void"));
            await(() -> gauge("paused-connections") == 1);
            server.clock.advance(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            assertTrue(client.receive().bodyLength() > 8_000_000);
            assertEquals(2, client.receive().streamId());
            expectPaused("unread-answers");
        }
    }

    // ---- memory

    @Test
    @Shows({"answer-bytes", "answer-bytes.limit", "leases", "leased-bytes", "oldest-lease-nanos"})
    void anAnswerThatTheLoopHasNotSeen() throws IOException, InterruptedException
    {
        startWith(limits -> limits.answerBytes(77_000_000));
        try (RawClient client = server.ready(4))
        {
            client.send(client.query(1, "park"));
            final Exchange parked = server.parked.take();
            final CountDownLatch loop = server.holdLoop();
            parked.respond(MetricsServer.rows(100_000));
            server.clock.advance(5, TimeUnit.MILLISECONDS);
            final long unread = gauge("answer-bytes");
            assertEquals(77_000_000, gauge("answer-bytes.limit"));
            assertEquals(1, gauge("leases"));
            assertEquals(BufferPool.SEGMENT_CAPACITY, gauge("leased-bytes"));
            assertEquals(5_000_000, gauge("oldest-lease-nanos"));
            loop.countDown();
            // What is beyond the 16 KiB that are each connection's own.
            assertEquals(HEADER + client.receive().bodyLength() - (16L << 10), unread);
            await(() -> gauge("answer-bytes") == 0 && gauge("leases") == 0);
            assertEquals(0, gauge("oldest-lease-nanos"));
        }
    }

    @Test
    @Shows({"pre-login-bytes", "pre-login-bytes.limit", "in-flight-bytes.limit"})
    void aClientThatIsNotReady() throws IOException
    {
        startWith(limits -> limits.preLoginBytes(5 << 20).inFlightBytes(99_000_000));
        try (RawClient client = server.connect(4))
        {
            assertEquals(5 << 20, gauge("pre-login-bytes.limit"));
            assertEquals(99_000_000, gauge("in-flight-bytes.limit"));
            final byte[] startup = client.envelope(Opcode.STARTUP, 1, new byte[60_000]);
            client.sendBytes(Arrays.copyOf(startup, 1_000));
            // The first piece of memory has 16 KiB, and the first 4 KiB of it are each connection's own.
            await(() -> gauge("pre-login-bytes") == (16 << 10) - (4 << 10));
        }
        await(() -> gauge("pre-login-bytes") == 0);
    }

    // ---- flush windows

    private NativeTransport startWindows(final FlushPolicy policy)
    {
        start((builder, listener) -> builder.flushPolicy(policy));
        return server.transport;
    }

    private static void park(final RawClient client, final int requests) throws IOException
    {
        final byte[][] all = new byte[requests][];
        for (int i = 0; i < requests; i++)
        {
            all[i] = client.query(i, "park");
        }
        client.send(all);
    }

    @Test
    @Shows({"flush-windows", "flush-windows.filled", "answer-gap-nanos", "flush-bytes"})
    void aWindowThatIsFilled() throws IOException, InterruptedException
    {
        final NativeTransport transport = startWindows(new FlushPolicy(Duration.ofMillis(100), Duration.ZERO, 0,
            64 << 10, 16 << 10));
        try (RawClient client = server.ready(4))
        {
            park(client, 40);
            await(() -> server.parked.size() == 40);
            final long flushes = count("flushes");
            final CountDownLatch first = server.holdLoop();
            server.clock.advance(1, TimeUnit.MILLISECONDS);
            server.parked.take().respond(VoidResult.INSTANCE);
            // Behind the opening of the window, and before anything that its timer may do.
            final CountDownLatch second = server.holdLoop();
            first.countDown();
            await(() -> gauge("flush-windows") == 1);
            assertEquals(1_000_000, gauge("answer-gap-nanos"));
            assertEquals(flushes, count("flushes"));
            // Half of those in flight.
            for (int i = 1; i < 20; i++)
            {
                server.parked.take().respond(VoidResult.INSTANCE);
            }
            second.countDown();
            for (int i = 0; i < 20; i++)
            {
                client.receive();
            }
            await(() -> gauge("flush-windows.filled") == 1);
            assertEquals(flushes + 1, count("flushes"));
            assertEquals(20, server.answers.histogram("envelopes-per-flush").getMax());
            final double bytes = 20.0 * (HEADER + 4);
            assertEquals(bytes, (double)server.answers.histogram("flush-bytes").getMax(), bytes / 32);
            assertEquals(0, gauge("flush-windows.expired"));
            // Nineteen at one moment: that much of the mean is as short as no time at all.
            assertEquals(1_000_000 - 1_000_000 * 19 / 64, gauge("answer-gap-nanos"));
            assertEquals(1, transport.flushCounts().windows());
        }
    }

    @Test
    @Shows({"flush-windows", "flush-windows.expired"})
    void aWindowThatIsOver() throws IOException, InterruptedException
    {
        startWindows(new FlushPolicy(Duration.ofMillis(10), Duration.ZERO, 0, 64 << 10, 16 << 10));
        try (RawClient client = server.ready(4))
        {
            park(client, 8);
            await(() -> server.parked.size() == 8);
            server.clock.advance(1, TimeUnit.MILLISECONDS);
            server.parked.take().respond(VoidResult.INSTANCE);
            client.receive();
            await(() -> gauge("flush-windows.expired") == 1);
            assertEquals(1, gauge("flush-windows"));
            assertEquals(0, gauge("flush-windows.filled"));
        }
    }

    // ---- compression

    @Test
    @Shows({"compression.payloads", "compression.raw", "compression.raw-share", "compression.plain-bytes",
        "compression.wire-bytes", "compression.ratio"})
    void compressedAndRawBodies() throws IOException
    {
        start();
        final String rows = "rows 5000";
        final String error = "error INVALID";
        try (RawClient plain = server.ready(4); RawClient client = server.connect(4))
        {
            plain.send(plain.query(1, rows));
            final long plainRows = plain.receive().bodyLength();
            plain.send(plain.query(1, error));
            final long plainError = plain.receive().bodyLength();
            assertEquals(0, count("compression.payloads"));
            // READY has no body to compress.
            client.start(Map.of("COMPRESSION", "lz4"));
            final long payloads = count("compression.payloads");
            final long raw = count("compression.raw");
            assertEquals(0, count("compression.plain-bytes"));
            client.send(client.query(1, rows));
            final long wireRows = client.receive().bodyLength();
            assertTrue(wireRows < plainRows / 10, "zeros: " + wireRows);
            client.send(client.query(1, error));
            assertEquals(plainError, client.receive().bodyLength(), "too short");
            assertEquals(payloads + 2, count("compression.payloads"));
            assertEquals(raw + 1, count("compression.raw"));
            assertEquals(plainRows + plainError, count("compression.plain-bytes"));
            assertEquals(wireRows + plainError, count("compression.wire-bytes"));
            assertEquals((raw + 1.0) / (payloads + 2), server.answers.share("compression.raw-share"));
            assertEquals((double)(wireRows + plainError) / (plainRows + plainError), server.answers.share(
                "compression.ratio"));
        }
    }

    @Test
    @Shows({"connections", "connections.none", "connections.v3"})
    void clientsThatHaveNotSaidWhatTheySpeak() throws IOException
    {
        start();
        try (RawClient silent = server.connect(4); RawClient client = server.ready(3))
        {
            await(() -> gauge("connections.none") == 1);
            assertEquals(1, gauge("connections.v3"));
            assertEquals(2, gauge("connections"));
            assertEquals(0, silent.bytesOut - silent.bytesIn);
            assertTrue(client.bytesIn > 0);
        }
    }
}
