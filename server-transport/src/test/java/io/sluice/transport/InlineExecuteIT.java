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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsWriter;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.LogWatch.Warns;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler on the event loop: its answers, its refusals and its mistakes. */
final class InlineExecuteIT extends SocketTest
{
    private static final RowsMetadata METADATA = RowsMetadata.of(
        List.of(new ColumnSpec("demo", "blobs", "cell", ColumnType.BLOB)));

    private final AtomicInteger offered = new AtomicInteger();
    private volatile InlineExchange kept;
    private volatile ExecuteView keptView;

    @BeforeEach
    void begin()
    {
        start(builder -> builder.inlineExecute(this::tryExecute).requestExecutor(Runnable::run));
    }

    private boolean tryExecute(final ExecuteView view, final InlineExchange exchange)
    {
        offered.incrementAndGet();
        final byte[] id = new byte[view.idLength()];
        view.buffer().getBytes(view.idOffset(), id);
        switch (new String(id, StandardCharsets.UTF_8))
        {
            case "inline void" -> exchange.respond(VoidResult.INSTANCE);
            case "inline rows" -> rows(view, exchange);
            case "inline warned" ->
            {
                exchange.tracingId(new UUID(1, 2));
                exchange.warnings(List.of("beware"));
                exchange.respond(VoidResult.INSTANCE);
            }
            case "inline fail" -> exchange.fail(ErrorCode.INVALID, "no such table");
            case "inline throw" -> throw new IllegalStateException("secret");
            case "inline silent" ->
            {
                // Takes it and says nothing.
            }
            case "inline twice" -> twice(exchange);
            case "inline keep" -> keep(view, exchange);
            case "inline late throw" ->
            {
                exchange.respond(VoidResult.INSTANCE);
                throw new IllegalStateException("secret");
            }
            case "inline half" -> half(exchange);
            case "inline close" ->
            {
                exchange.connection().close(CloseReason.FORCED);
                exchange.respond(VoidResult.INSTANCE);
            }
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private static void rows(final ExecuteView view, final InlineExchange exchange)
    {
        try (RowsWriter rows = exchange.respondRows(METADATA))
        {
            for (int i = 0; i < view.valueCount(); i++)
            {
                rows.cell(view.buffer(), view.valueOffset(i), view.valueLength(i)).endRow();
            }
            rows.commit();
        }
    }

    private static void twice(final InlineExchange exchange)
    {
        exchange.respond(VoidResult.INSTANCE);
        assertThrows(IllegalStateException.class, () -> exchange.respond(VoidResult.INSTANCE));
        assertThrows(IllegalStateException.class, () -> exchange.respondRows(METADATA));
    }

    private void keep(final ExecuteView view, final InlineExchange exchange)
    {
        kept = exchange;
        keptView = view;
        exchange.respond(VoidResult.INSTANCE);
    }

    private static void half(final InlineExchange exchange)
    {
        final RowsWriter rows = exchange.respondRows(METADATA);
        rows.cell(new byte[3]);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void answersOnTheLoopInTheOrderOfRequests(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.execute(version, 1, "inline void"),
                Requests.execute(version, 2, "inline rows", new byte[]{1, 2}, new byte[]{3}),
                Requests.execute(version, 3, "inline void"),
                Requests.execute(version, 4, "inline rows"));
            final List<WireEnvelope> answers = client.readEnvelopes(4);
            assertEquals(List.of(1, 2, 3, 4), answers.stream().map(WireEnvelope::streamId).toList());
            assertArrayEquals(new byte[]{0, 0, 0, 1}, answers.get(0).body());
            final WireBytes expected = new WireBytes().i32(2).i32(1).i32(1).string("demo").string("blobs");
            expected.string("cell").u16(3).i32(2).i32(2).raw(new byte[]{1, 2}).i32(1).raw(new byte[]{3});
            assertArrayEquals(expected.toArray(), answers.get(1).body());
            assertArrayEquals(answers.get(0).body(), answers.get(2).body());
        }
        assertEquals(0, server.engine().served());
        assertEquals(4, offered.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void prefixesGoOut(final int version) throws IOException
    {
        try (WireClient client = server.ready(version, "lz4"))
        {
            final WireEnvelope answer = client.ask(Requests.execute(version, 1, "inline warned"));
            assertEquals(EnvelopeFlags.TRACING | EnvelopeFlags.WARNING, answer.flags());
            final WireEnvelope plain = client.ask(Requests.execute(version, 1, "inline void"));
            assertEquals(0, plain.flags());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void whatItDeclinesOrCannotSeeGoesToTheExecutor(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            assertEquals(Opcode.RESULT, client.ask(Requests.execute(version, 1, "void")).type());
            assertEquals(1, offered.get());
            final WireBytes body = new WireBytes().shortBytes("void".getBytes(StandardCharsets.UTF_8));
            if (version >= 5)
            {
                body.shortBytes(new byte[16]);
            }
            Requests.flags(version, body.u16(1), 0x41).u16(1).string("name").i32(1).u8(7);
            final byte[] named = Requests.envelope(version, 0, 2, Opcode.EXECUTE.code(), body.toArray());
            assertEquals(Opcode.RESULT, client.ask(named).type());
            assertEquals(1, offered.get());
            assertEquals(2, server.engine().served());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    @Warns
    void mistakesBecomeErrorsOfTheirRequests(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            expectError(client.ask(Requests.execute(version, 1, "inline fail")), 1, INVALID);
            expectError(client.ask(Requests.execute(version, 2, "inline throw")), 2, SERVER_ERROR);
            expectError(client.ask(Requests.execute(version, 3, "inline silent")), 3, SERVER_ERROR);
            expectError(client.ask(Requests.execute(version, 4, "inline half")), 4, SERVER_ERROR);
            assertEquals(Opcode.RESULT, client.ask(Requests.execute(version, 5, "inline twice")).type());
            assertEquals(Opcode.RESULT, client.ask(Requests.execute(version, 6, "inline late throw")).type());
            final byte[] cut = Requests.execute(version, 7, "inline void");
            cut[8] = (byte)(cut[8] - 1);
            expectError(client.ask(java.util.Arrays.copyOf(cut, cut.length - 1)), 7, PROTOCOL_ERROR);
            expectServes(client);
        }
        assertEquals(2, server.takeInspected());
    }

    @Test
    void theExchangeEndsWithTheCall() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            assertEquals(Opcode.RESULT, client.ask(Requests.execute(5, 1, "inline keep")).type());
            assertThrows(IllegalStateException.class, () -> kept.respond(VoidResult.INSTANCE));
            assertThrows(IllegalStateException.class, () -> keptView.buffer());
            expectServes(client);
        }
    }

    @Test
    void aHandlerMayCloseItsConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.execute(5, 1, "inline close"));
            assertEquals(0, client.readToEnd().length);
        }
    }

    @Test
    void unreadAnswersStopIt() throws IOException
    {
        stop();
        start(builder ->
        {
            builder.inlineExecute(this::tryExecute);
            builder.limits(TransportLimits.defaults().with().answerBytesPerConnection(1_000).build());
        });
        try (WireClient client = server.ready(5))
        {
            final byte[][] requests = new byte[2_000][];
            for (int i = 0; i < requests.length; i++)
            {
                requests[i] = Requests.execute(5, i, "inline rows", new byte[20]);
            }
            client.request(requests);
            // In any order: what was set aside meanwhile is not answered where it is read.
            final BitSet streams = new BitSet();
            client.readEnvelopes(requests.length).forEach(answer -> streams.set(answer.streamId()));
            assertEquals(requests.length, streams.cardinality());
        }
        assertTrue(server.listener().paused().contains(PauseCause.UNREAD_ANSWERS));
    }
}
