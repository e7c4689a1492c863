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
package io.sluice.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A client that has every write executed twice, by its plan and by Cassandra's own road, and compares the answers. */
public final class TwoRoads implements AutoCloseable
{
    /** What is said beside the values. */
    public static final int ONE = 1;
    static final int VERSION = 5;
    private static final int WARNED = 0x08;
    private static final int VALUES = 0x01;
    private static final int TIMESTAMP = 0x20;
    private static final int NAMES = 0x40;
    private static final int NOW = 0x100;
    private static final long MICROS = 1_790_000_000_000_000L;

    private final WireClient client;
    private final WritePlansMXBean plans = PlanDifferential.writePlans();
    private boolean saysNow;

    public TwoRoads(final TestNode node) throws IOException
    {
        client = WireClient.ready(node.address(), VERSION, null);
    }

    /** A value of type text. */
    public static byte[] text(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A value of type int. */
    public static byte[] number(final int value)
    {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    /** From here on requests say how late it is, so that what is deleted is the same on both roads. */
    public void sayNow()
    {
        saysNow = true;
    }

    /** The node's switch and counts. */
    public WritePlansMXBean plans()
    {
        return plans;
    }

    /** Executes statements that must succeed. */
    public void define(final String... statements) throws IOException
    {
        for (final String cql : statements)
        {
            final WireEnvelope answer = ask(cql);
            assertEquals(Opcode.RESULT, answer.type(), () -> cql + ": " + answer);
        }
    }

    /** Any statement without values. */
    public WireEnvelope ask(final String cql) throws IOException
    {
        return client.ask(Requests.query(VERSION, 1, cql));
    }

    /** The id of a statement. */
    public byte[] prepare(final String cql) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.prepare(VERSION, 1, cql));
        assertEquals(Opcode.RESULT, answer.type(), () -> cql + ": " + answer);
        final byte[] body = withoutWarnings(answer);
        final int length = body[4] << 8 | body[5];
        return Arrays.copyOfRange(body, 6, 6 + length);
    }

    /** The code of an error, or -1 if it is none. */
    public static int error(final WireEnvelope answer)
    {
        return answer.type() == Opcode.ERROR ? ByteBuffer.wrap(withoutWarnings(answer)).getInt() : -1;
    }

    /** The body behind the warnings, if there are any. */
    static byte[] withoutWarnings(final WireEnvelope answer)
    {
        final ByteBuffer body = ByteBuffer.wrap(answer.body());
        if ((answer.flags() & WARNED) != 0)
        {
            final int warnings = body.getShort();
            for (int i = 0; i < warnings; i++)
            {
                final int length = body.getShort() & 0xFFFF;
                body.position(body.position() + length);
            }
        }
        return Arrays.copyOfRange(answer.body(), body.position(), answer.body().length);
    }

    /** EXECUTE with values by position. */
    public byte[] execute(final int consistency, final byte[] id, final byte[]... values)
    {
        return execute(0, consistency, id, null, values);
    }

    /** EXECUTE, values with names if there are any. */
    public byte[] execute(final int envelopeFlags,
        final int consistency,
        final byte[] id,
        final List<String> names,
        final byte[]... values)
    {
        final WireBytes body = new WireBytes().shortBytes(id).shortBytes(new byte[16]);
        body.u16(consistency).i32(VALUES | timeFlags() | (names == null ? 0 : NAMES)).u16(values.length);
        for (int i = 0; i < values.length; i++)
        {
            if (names != null)
            {
                body.string(names.get(i));
            }
            BatchEnvelope.value(body, values[i]);
        }
        times(body);
        return Requests.envelope(VERSION, envelopeFlags, 1, Opcode.EXECUTE.code(), body.toArray());
    }

    /** BATCH of one statement, once for each of these values. */
    public byte[] batch(final int type, final byte[] id, final byte[][]... values)
    {
        final BatchEnvelope batch = batch(type);
        for (final byte[][] cells : values)
        {
            batch.add(id, cells);
        }
        return batch.at(ONE);
    }

    /** BATCH of any statements, none so far. */
    public BatchEnvelope batch(final int type)
    {
        return new BatchEnvelope(type, body -> times(body.i32(timeFlags())));
    }

    private int timeFlags()
    {
        return TIMESTAMP | (saysNow ? NOW : 0);
    }

    private void times(final WireBytes body)
    {
        body.i32((int)(MICROS >>> Integer.SIZE)).i32((int)MICROS);
        if (saysNow)
        {
            body.i32((int)MutationBytes.NOW_IN_SECONDS);
        }
    }

    /** The answer, which must be the same on both roads; by the plan so many statements must have gone. */
    public WireEnvelope both(final int planned, final byte[] request) throws IOException
    {
        final WireEnvelope answer = once(planned, request);
        plans.setEnabled(false);
        try
        {
            assertEquals(once(0, request), answer);
        }
        finally
        {
            plans.setEnabled(true);
        }
        return answer;
    }

    /** The answer; by plans so many statements must have gone. */
    public WireEnvelope once(final int planned, final byte[] request) throws IOException
    {
        final long before = plans.getPlannedStatements();
        final WireEnvelope answer = client.ask(request);
        assertEquals(planned, plans.getPlannedStatements() - before, () -> "by plans; " + answer + " " + plans
            .getUnplannedStatements());
        return answer;
    }

    /** A request whose answer is read later. */
    public void send(final byte[] request) throws IOException
    {
        client.request(request);
    }

    /** The answer to what was sent. */
    public WireEnvelope receive() throws IOException
    {
        return client.readEnvelope();
    }

    /** Asks for one column of a type without parameters. */
    public void expectRows(final int rows, final String cql) throws IOException
    {
        final WireEnvelope answer = ask(cql);
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
        assertEquals(1, answer.intAt(8), "columns");
        // Behind the metadata, of which the names are the only parts of unknown length.
        int offset = 12;
        for (int i = 0; i < 3; i++)
        {
            offset += 2 + ((answer.body()[offset] & 0xFF) << 8 | answer.body()[offset + 1] & 0xFF);
        }
        assertEquals(rows, answer.intAt(offset + 2), () -> cql + ": " + answer);
    }

    @Override
    public void close() throws IOException
    {
        client.close();
    }
}
