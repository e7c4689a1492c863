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

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.StartupRequest;
import io.sluice.framing.request.StatementIds;
import io.sluice.framing.response.BodyWriter;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.StatusChangeEvent;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Java Errors, wherever they strike: whoever watches over the process hears of them, the client gets an answer or a
 * close, permits come back (the server's close sees to that), loops live, and nobody else notices.
 */
@LogWatch.Warns
final class JavaErrorIT extends SocketTest
{
    /** What the JVM throws. */
    enum Fault
    {
        HEAP
        {
            @Override
            Error make()
            {
                return new OutOfMemoryError("Java heap space");
            }
        },
        STACK
        {
            @Override
            Error make()
            {
                return new StackOverflowError();
            }
        },
        LINKAGE
        {
            @Override
            Error make()
            {
                return new NoClassDefFoundError("secret");
            }
        },
        ASSERTION
        {
            @Override
            Error make()
            {
                return new AssertionError("secret");
            }
        };

        abstract Error make();
    }

    private static final int CLIENTS = 4;

    private final Queue<Throwable> inspected = new ConcurrentLinkedQueue<>();
    /** What strikes next; null for nothing. */
    private volatile Error fault;

    /** As Cassandra's inspector does with an OutOfMemoryError, the last resort being its to throw. */
    private void inspect(final Throwable error)
    {
        inspected.add(error);
        if (error instanceof OutOfMemoryError memory)
        {
            throw memory;
        }
    }

    private void startInspected(final Consumer<NativeTransportBuilder> change)
    {
        start(builder ->
        {
            builder.errorInspector(this::inspect);
            change.accept(builder);
        });
    }

    private void strike()
    {
        final Error error = fault;
        if (error != null)
        {
            throw error;
        }
    }

    /** Whatever came of it: it was seen, all loops live, and nothing is in work. */
    private void expectSeenAndUnharmed(final Error error) throws IOException
    {
        fault = null;
        assertTrue(inspected.contains(error), () -> "inspected: " + inspected);
        for (int i = 0; i < CLIENTS; i++)
        {
            try (WireClient client = server.ready(3 + i % 3))
            {
                expectServes(client);
            }
        }
        server.awaitQuiet();
    }

    /** Every request gets an answer, or the connection ends; never silence. */
    private static void expectErrorOrEnd(final WireClient client, final int streamId)
    {
        try
        {
            expectError(client, streamId, SERVER_ERROR);
        }
        catch (final IOException e)
        {
            // Closed.
        }
    }

    @ParameterizedTest
    @EnumSource
    void inDecoding(final Fault kind) throws IOException
    {
        startInspected(builder -> builder.statementIds((buffer, offset, length) ->
        {
            strike();
            return StatementIds.UNSHARED.intern(buffer, offset, length);
        }));
        for (int version = 3; version <= 5; version++)
        {
            final Error error = kind.make();
            try (WireClient client = server.ready(version); WireClient other = server.ready(version))
            {
                client.request(Requests.query(version, 1, "park"));
                final Exchange parked = server.engine().nextParked();
                fault = error;
                client.request(Requests.execute(version, 2, "void"));
                expectErrorOrEnd(client, 2);
                fault = null;
                expectServes(other);
                parked.respond(VoidResult.INSTANCE);
            }
            expectSeenAndUnharmed(error);
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAP,3", "STACK,4", "LINKAGE,5", "ASSERTION,5", "HEAP,5"})
    void inTheHandler(final Fault kind, final int version) throws IOException
    {
        final Error error = kind.make();
        startInspected(builder ->
        {
        });
        server.engine().beforeEach(this::strike);
        try (WireClient client = server.ready(version))
        {
            fault = error;
            client.request(Requests.query(version, 7, "void"));
            expectError(client, 7, SERVER_ERROR);
            fault = null;
            expectServes(client);
        }
        expectSeenAndUnharmed(error);
    }

    @ParameterizedTest
    @EnumSource
    void inTheHandlerOnALoopThread(final Fault kind) throws IOException
    {
        final Error error = kind.make();
        startInspected(builder -> builder.requestExecutor(Runnable::run));
        server.engine().beforeEach(this::strike);
        try (WireClient client = server.ready(5))
        {
            fault = error;
            client.request(Requests.query(5, 7, "void"));
            expectError(client, 7, SERVER_ERROR);
            fault = null;
            expectServes(client);
        }
        expectSeenAndUnharmed(error);
    }

    /** An answer that fails while it is encoded. */
    private record FailingAnswer(Error error) implements ResponseBody
    {
        @Override
        public Opcode opcode()
        {
            return Opcode.RESULT;
        }

        @Override
        public int encodedLengthHint(final ProtocolVersion version)
        {
            return 100;
        }

        @Override
        public void encode(final BodyWriter out, final ProtocolVersion version)
        {
            out.putInt(2);
            throw error;
        }
    }

    @ParameterizedTest
    @EnumSource
    void inEncoding(final Fault kind) throws IOException
    {
        startInspected(builder ->
        {
        });
        for (int version = 3; version <= 5; version++)
        {
            final Error error = kind.make();
            try (WireClient client = server.ready(version, version == 4 ? "lz4" : null))
            {
                client.request(Requests.query(version, 7, "park"));
                server.engine().nextParked().respond(new FailingAnswer(error));
                expectError(client, 7, SERVER_ERROR);
                expectServes(client);
            }
            expectSeenAndUnharmed(error);
        }
    }

    @Test
    void inEncodingAnEvent() throws IOException
    {
        startInspected(builder ->
        {
        });
        final Error error = new AssertionError("secret");
        try (WireClient client = server.ready(5))
        {
            assertEquals(Opcode.READY, client.ask(Requests.register(5, 1, "STATUS_CHANGE")).type());
            assertEquals(0, server.transport().publish(EventType.STATUS_CHANGE, new FailingAnswer(error)));
            assertEquals(1, server.transport()
                .publish(EventType.STATUS_CHANGE, new StatusChangeEvent(StatusChangeEvent.Change.UP, InetAddress
                    .getLoopbackAddress(), 9042)));
            assertEquals(Opcode.EVENT, client.readEnvelope().type());
        }
        expectSeenAndUnharmed(error);
    }

    /** Strikes in the way of what is written. */
    private final class FailingWriter extends ChannelOutboundHandlerAdapter
    {
        private final boolean atFlush;

        FailingWriter(final boolean atFlush)
        {
            this.atFlush = atFlush;
        }

        @Override
        public void write(final ChannelHandlerContext ctx, final Object message, final ChannelPromise promise)
            throws Exception
        {
            if (!atFlush)
            {
                try
                {
                    strike();
                }
                catch (final Error e)
                {
                    ReferenceCountUtil.release(message);
                    throw e;
                }
            }
            super.write(ctx, message, promise);
        }

        @Override
        public void flush(final ChannelHandlerContext ctx) throws Exception
        {
            if (atFlush)
            {
                strike();
            }
            super.flush(ctx);
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAP,false", "STACK,true", "LINKAGE,false", "ASSERTION,true"})
    void inTheFlush(final Fault kind, final boolean atFlush) throws IOException
    {
        final Error error = kind.make();
        startInspected(builder -> builder.lifecycle(new ConnectionLifecycle()
        {
            @Override
            public void onReady(final ClientConnection connection)
            {
                connection.channel().pipeline().addFirst(new FailingWriter(atFlush));
            }
        }));
        try (WireClient client = server.ready(5); WireClient other = server.ready(4))
        {
            expectServes(client);
            fault = error;
            client.request(Requests.query(5, 7, "rows 300000"));
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.SERVER_ERROR));
            fault = null;
            expectServes(other);
        }
        expectSeenAndUnharmed(error);
    }

    /** All of a listener's methods throw. */
    private TransportListener failingListener(final AtomicInteger calls)
    {
        return (TransportListener)Proxy.newProxyInstance(JavaErrorIT.class.getClassLoader(),
            new Class<?>[]{TransportListener.class}, (proxy, method, arguments) ->
            {
                if (method.getDeclaringClass() != Object.class)
                {
                    calls.incrementAndGet();
                    strike();
                }
                return null;
            });
    }

    @ParameterizedTest
    @EnumSource
    void inAnyCallbackOfTheListener(final Fault kind) throws IOException
    {
        final Error error = kind.make();
        final AtomicInteger calls = new AtomicInteger();
        startInspected(builder -> builder.listener(failingListener(calls))
            .limits(TransportLimits.defaults().with().requestsPerConnection(1).build()));
        fault = error;
        for (int version = 3; version <= 5; version++)
        {
            try (WireClient client = server.ready(version))
            {
                client.request(Requests.query(version, 1, "fail"), Requests.query(version, 2, "void"),
                    Requests.envelope(version, 0, 3, 0x77), Requests.options(version, 4));
                final Map<Integer, WireEnvelope> answers = new HashMap<>();
                client.readEnvelopes(4).forEach(answer -> answers.put(answer.streamId(), answer));
                expectError(answers.get(1), 1, INVALID);
                assertEquals(Opcode.RESULT, answers.get(2).type());
                expectError(answers.get(3), 3, PROTOCOL_ERROR);
                assertEquals(Opcode.SUPPORTED, answers.get(4).type());
                assertTrue(client.ask(Requests.query(version, 5, "rows 500000")).body().length > 500_000);
            }
            server.awaitQuiet();
        }
        assertTrue(calls.get() > 20, () -> "calls: " + calls);
        expectSeenAndUnharmed(error);
    }

    /** One step of a connection's life in which the node's part of it fails. */
    enum Step
    {
        /** STARTUP was understood. */
        STARTUP,
        /** Which mechanism? */
        MECHANISM,
        /** A login begins. */
        NEGOTIATE,
        /** A token is checked. */
        EVALUATE,
        /** Requests are served from now on. */
        READY,
        /** Events are asked for. */
        REGISTER,
        /** The end. */
        CLOSED
    }

    @ParameterizedTest
    @EnumSource
    void inAnyPartOfTheNodes(final Step step) throws IOException
    {
        final Error error = new NoClassDefFoundError("secret");
        final Executor logins = ForkJoinPool.commonPool();
        startInspected(builder -> builder.authExecutor(logins)
            .lifecycle(new FailingLifecycle(step))
            .authenticator(new FailingAuthenticator(step)));
        fault = error;
        try (WireClient client = server.connect())
        {
            live(client);
        }
        catch (final IOException e)
        {
            // Closed somewhere on the way.
        }
        Await.until("seen", () -> inspected.contains(error));
        fault = null;
        server.awaitQuiet();
        try (WireClient client = server.connect())
        {
            assertEquals(Opcode.RESULT, live(client).type());
        }
        server.awaitQuiet();
    }

    /** All of a client's life; throws when it is cut short, returns the last answer. */
    private static WireEnvelope live(final WireClient client) throws IOException
    {
        client.send(Requests.startup(4, 1, (String)null));
        client.switchTo(4, null);
        WireEnvelope answer = client.readBare();
        if (answer.type() == Opcode.AUTHENTICATE)
        {
            answer = client.ask(Requests.authResponse(4, 2, (byte)1));
        }
        if (answer.type() == Opcode.AUTH_SUCCESS)
        {
            answer = client.ask(Requests.register(4, 3, "STATUS_CHANGE"));
        }
        if (answer.type() == Opcode.READY)
        {
            answer = client.ask(Requests.query(4, 4, "void"));
        }
        if (answer.type() == Opcode.ERROR)
        {
            expectError(answer, answer.streamId(), SERVER_ERROR);
        }
        return answer;
    }

    private final class FailingLifecycle implements ConnectionLifecycle
    {
        private final Step step;

        FailingLifecycle(final Step step)
        {
            this.step = step;
        }

        private void strikeAt(final Step here)
        {
            if (here == step)
            {
                strike();
            }
        }

        @Override
        public void onStartup(final ClientConnection connection, final StartupRequest startup)
        {
            strikeAt(Step.STARTUP);
        }

        @Override
        public void onReady(final ClientConnection connection)
        {
            strikeAt(Step.READY);
        }

        @Override
        public void onRegister(final ClientConnection connection, final EventType type)
        {
            strikeAt(Step.REGISTER);
        }

        @Override
        public void onClosed(final ClientConnection connection, final CloseReason reason)
        {
            strikeAt(Step.CLOSED);
        }
    }

    private final class FailingAuthenticator implements Authenticator
    {
        private final Step step;

        FailingAuthenticator(final Step step)
        {
            this.step = step;
        }

        @Override
        public String mechanism(final ClientConnection connection)
        {
            if (step == Step.MECHANISM)
            {
                strike();
            }
            return "demo.Authenticator";
        }

        @Override
        public SaslNegotiation negotiate(final ClientConnection connection)
        {
            if (step == Step.NEGOTIATE)
            {
                strike();
            }
            return token ->
            {
                if (step == Step.EVALUATE)
                {
                    strike();
                }
                return SaslNegotiation.Step.success(null);
            };
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inTheExecutor(final boolean ofLogins) throws IOException
    {
        final Error error = new OutOfMemoryError("unable to create native thread");
        final Executor failing = command ->
        {
            strike();
            ForkJoinPool.commonPool().execute(command);
        };
        startInspected(builder ->
        {
            if (ofLogins)
            {
                builder.authExecutor(failing).authenticator(new FailingAuthenticator(null));
            }
            else
            {
                builder.requestExecutor(failing);
            }
        });
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(4, 1, (String)null));
            client.readBare();
            fault = error;
            client.send(ofLogins ? Requests.authResponse(4, 2, (byte)1) : Requests.query(4, 2, "void"));
            expectErrorOrEnd(client, 2);
        }
        fault = null;
        assertTrue(inspected.contains(error));
        server.awaitQuiet();
    }

    @Test
    void inTheLoopsOwnTurnOfDeadlines() throws IOException
    {
        final Error error = new StackOverflowError();
        startInspected(builder -> builder.limits(TransportLimits.defaults()
            .with()
            .idleTimeout(Duration.ofMillis(100))
            .build())
            .eventLoopThreads(1)
            .lifecycle(new ConnectionLifecycle()
            {
                @Override
                public void onClosed(final ClientConnection connection, final CloseReason reason)
                {
                    strike();
                }
            }));
        fault = error;
        try (WireClient first = server.ready(5);
            WireClient second = server.ready(4);
            WireClient third = server.ready(
                3))
        {
            first.expectEnd();
            second.expectEnd();
            third.expectEnd();
        }
        Await.until("seen", () -> inspected.contains(error));
        fault = null;
        server.awaitQuiet();
    }

    /** Direct memory is used up below us: that costs one connection, and no inspector, which might end the process. */
    @Test
    void directMemoryThatIsUsedUpInTheSocketsLayer() throws IOException
    {
        final Error error = new OutOfMemoryError(
            "Cannot reserve 65536 bytes of direct buffer memory (allocated: 1, limit: 1)");
        startInspected(builder -> builder.lifecycle(new ConnectionLifecycle()
        {
            @Override
            public void onReady(final ClientConnection connection)
            {
                connection.channel().pipeline().addFirst(new ChannelInboundHandlerAdapter()
                {
                    @Override
                    public void channelRead(final ChannelHandlerContext ctx, final Object message) throws Exception
                    {
                        try
                        {
                            strike();
                        }
                        catch (final Error e)
                        {
                            ReferenceCountUtil.release(message);
                            throw e;
                        }
                        super.channelRead(ctx, message);
                    }
                });
            }
        }));
        try (WireClient client = server.ready(5); WireClient other = server.ready(5))
        {
            fault = error;
            client.request(Requests.query(5, 1, "void"));
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.OUT_OF_MEMORY));
            fault = null;
            expectServes(other);
        }
        assertEquals(0, inspected.size(), () -> "inspected: " + inspected);
    }

    /** The transport's own memory is used up: what does not fit is shed, and the connection goes on. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void directMemoryThatIsUsedUpIsOverload(final int version) throws IOException
    {
        startInspected(builder -> builder.bufferBytes(2 * MIB));
        try (WireClient client = server.ready(version); WireClient other = server.ready(version))
        {
            expectError(client.ask(Requests.query(version, 1, "rows " + 4 * MIB)), 1, OVERLOADED);
            expectError(client.ask(Requests.queryOfLength(version, 2, 4 * MIB)), 2, OVERLOADED);
            expectServes(client);
            assertTrue(client.ask(Requests.query(version, 3, "rows 100000")).body().length > 100_000);
            expectServes(other);
        }
        assertEquals(0, inspected.size(), () -> "inspected: " + inspected);
    }
}
