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

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests as a client sends them, built without any of the libraries that are measured. The same arguments make the
 * same bytes. Stateless.
 */
public final class RequestBytes
{
    /** Of every prepared statement here. */
    private static final byte[] STATEMENT_ID = id(0x51);
    /** Of the statement with the big answer. */
    private static final byte[] BIG_STATEMENT_ID = id(0x61);
    /** Of the statement that is answered with a row. */
    private static final byte[] TEXT_STATEMENT_ID = id(0x27);
    private static final byte[] SLOW_STATEMENT_ID = id(0x55);
    private static final long SLOW_NANOS = 200_000;
    /** Of every result here. */
    private static final byte[] METADATA_ID = id(0x3A);

    /** Of the one cell of the big answer. */
    public static final int BIG_BYTES = 1 << 20;

    private static final int HEADER_BYTES = 9;
    private static final int STARTUP = 0x01;
    private static final int OPTIONS = 0x05;
    private static final int QUERY = 0x07;
    private static final int PREPARE = 0x09;
    private static final int EXECUTE = 0x0A;
    private static final int BATCH = 0x0D;
    private static final int AUTH_RESPONSE = 0x0F;
    private static final int CONSISTENCY_ONE = 1;
    private static final int VALUES = 0x01;
    private static final int SKIP_METADATA = 0x02;
    private static final int VERSION_WITH_INT_FLAGS = 5;
    private static final int ALPHABET = 64;

    private RequestBytes()
    {
    }

    private static byte[] id(final int first)
    {
        final byte[] id = new byte[16];
        for (int i = 0; i < id.length; i++)
        {
            id[i] = (byte)(first * (i + 1));
        }
        return id;
    }

    /** The id of the statement that is answered with a row of {@link #BIG_BYTES}. */
    public static byte[] bigStatementId()
    {
        return BIG_STATEMENT_ID.clone();
    }

    /** True if it is {@link #bigStatementId}. */
    public static boolean isBig(final byte[] statementId)
    {
        return statementId.length > 0 && statementId[0] == BIG_STATEMENT_ID[0];
    }

    /** The one cell of the big answer: nothing compresses it. */
    public static byte[] bigCell()
    {
        final byte[] cell = new byte[BIG_BYTES];
        new SplittableRandom(BIG_BYTES).nextBytes(cell);
        return cell;
    }

    /** The id that a null engine answers with one row of 1 kB of text; to be left as it is. */
    public static byte[] textStatementId()
    {
        return TEXT_STATEMENT_ID;
    }

    /** The id of the statement that an engine blocks for; to be left as it is. */
    public static byte[] slowStatementId()
    {
        return SLOW_STATEMENT_ID;
    }

    /** True if it is {@link #slowStatementId}. */
    public static boolean isSlow(final byte[] statementId)
    {
        return statementId.length > 0 && statementId[0] == SLOW_STATEMENT_ID[0];
    }

    /** Blocks as an engine does that waits for others: {@value #SLOW_NANOS} ns and what the timer adds. */
    public static void block()
    {
        LockSupport.parkNanos(SLOW_NANOS);
    }

    /** The id that all other statements have. */
    public static byte[] statementId()
    {
        return STATEMENT_ID.clone();
    }

    /** The id that all result metadata have. */
    public static byte[] metadataId()
    {
        return METADATA_ID.clone();
    }

    /** What a method writes. */
    private interface Body
    {
        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(final Body body)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes))
        {
            body.write(out);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] envelope(final int version, final int streamId, final int opcode, final Body body)
    {
        final byte[] content = bytes(body);
        return bytes(out ->
        {
            out.writeByte(version);
            out.writeByte(0);
            out.writeShort(streamId);
            out.writeByte(opcode);
            out.writeInt(content.length);
            out.write(content);
        });
    }

    /** Answers AUTHENTICATE. */
    public static byte[] authResponse(final int version, final byte[] token)
    {
        return envelope(version, 0, AUTH_RESPONSE, out ->
        {
            out.writeInt(token.length);
            out.write(token);
        });
    }

    /** Opens a connection. */
    public static byte[] startup(final int version, final Map<String, String> options)
    {
        return envelope(version, 0, STARTUP, out ->
        {
            out.writeShort(options.size() + 1);
            out.writeUTF("CQL_VERSION");
            out.writeUTF("3.0.0");
            for (final Map.Entry<String, String> option : options.entrySet())
            {
                out.writeUTF(option.getKey());
                out.writeUTF(option.getValue());
            }
        });
    }

    /** The smallest request there is. */
    public static byte[] options(final int version, final int streamId)
    {
        return envelope(version, streamId, OPTIONS, out ->
        {
        });
    }

    /** A prepared statement with so many values of so many bytes of text. */
    public static byte[] execute(final int version, final int streamId, final int values, final int valueBytes)
    {
        return envelope(version, streamId, EXECUTE, out ->
        {
            writeShortBytes(out, STATEMENT_ID);
            if (version >= VERSION_WITH_INT_FLAGS)
            {
                writeShortBytes(out, METADATA_ID);
            }
            out.writeShort(CONSISTENCY_ONE);
            writeFlags(out, version, VALUES);
            writeValues(out, texts(values, valueBytes, streamId));
        });
    }

    /** A prepared statement with these values on stream 0; the answer's columns need not be named. */
    public static byte[] execute(final int version,
        final byte[] statementId,
        final byte[] metadataId,
        final byte[]... values)
    {
        return envelope(version, 0, EXECUTE, out ->
        {
            writeShortBytes(out, statementId);
            if (version >= VERSION_WITH_INT_FLAGS)
            {
                writeShortBytes(out, metadataId);
            }
            out.writeShort(CONSISTENCY_ONE);
            writeFlags(out, version, VALUES | SKIP_METADATA);
            writeValues(out, values);
        });
    }

    /** The statement with the big answer, without values. */
    public static byte[] executeBig(final int version, final int streamId)
    {
        return envelope(version, streamId, EXECUTE, out ->
        {
            writeShortBytes(out, BIG_STATEMENT_ID);
            if (version >= VERSION_WITH_INT_FLAGS)
            {
                writeShortBytes(out, METADATA_ID);
            }
            out.writeShort(CONSISTENCY_ONE);
            writeFlags(out, version, 0);
        });
    }

    /** An unlogged batch of prepared statements. */
    public static byte[] batch(final int version,
        final int streamId,
        final int statements,
        final int values,
        final int valueBytes)
    {
        final List<byte[][]> rows = new ArrayList<>();
        for (int i = 0; i < statements; i++)
        {
            rows.add(texts(values, valueBytes, streamId * statements + i));
        }
        return batch(version, streamId, STATEMENT_ID, rows);
    }

    /** An unlogged batch of one prepared statement with these values each time. */
    public static byte[] batch(final int version,
        final int streamId,
        final byte[] statementId,
        final List<byte[][]> rows)
    {
        return envelope(version, streamId, BATCH, out ->
        {
            out.writeByte(1);
            out.writeShort(rows.size());
            for (final byte[][] values : rows)
            {
                out.writeByte(1);
                writeShortBytes(out, statementId);
                writeValues(out, values);
            }
            out.writeShort(CONSISTENCY_ONE);
            writeFlags(out, version, 0);
        });
    }

    /** A statement as text, without values. */
    public static byte[] query(final int version, final String cql)
    {
        return envelope(version, 0, QUERY, out ->
        {
            writeLongString(out, cql);
            out.writeShort(CONSISTENCY_ONE);
            writeFlags(out, version, 0);
        });
    }

    /** Asks for an id. */
    public static byte[] prepare(final int version, final String cql)
    {
        return envelope(version, 0, PREPARE, out ->
        {
            writeLongString(out, cql);
            if (version >= VERSION_WITH_INT_FLAGS)
            {
                out.writeInt(0);
            }
        });
    }

    private static void writeLongString(final DataOutputStream out, final String text) throws IOException
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void writeFlags(final DataOutputStream out, final int version, final int flags) throws IOException
    {
        if (version >= VERSION_WITH_INT_FLAGS)
        {
            out.writeInt(flags);
        }
        else
        {
            out.writeByte(flags);
        }
    }

    private static void writeValues(final DataOutputStream out, final byte[][] values) throws IOException
    {
        out.writeShort(values.length);
        for (final byte[] value : values)
        {
            out.writeInt(value.length);
            out.write(value);
        }
    }

    private static byte[][] texts(final int values, final int valueBytes, final int seed)
    {
        final byte[][] texts = new byte[values][];
        for (int i = 0; i < values; i++)
        {
            texts[i] = text(valueBytes, seed * 31 + i).getBytes(StandardCharsets.US_ASCII);
        }
        return texts;
    }

    private static void writeShortBytes(final DataOutputStream out, final byte[] bytes) throws IOException
    {
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    /** Text that compresses about as well as field names and numbers do. */
    public static String text(final int length, final int seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final StringBuilder text = new StringBuilder(length);
        while (text.length() < length)
        {
            text.append(random.nextInt(3) == 0 ? "column" : Integer.toString(random.nextInt(ALPHABET)));
        }
        text.setLength(length);
        return text.toString();
    }

    /** Requests one behind the other, on streams 0 and up: what one segment carries. */
    public static byte[] executes(final int version, final int count, final int values, final int valueBytes)
    {
        return bytes(out ->
        {
            for (int i = 0; i < count; i++)
            {
                out.write(execute(version, i, values, valueBytes));
            }
        });
    }

    /** The body of one envelope. */
    public static byte[] body(final byte[] envelope)
    {
        final byte[] body = new byte[envelope.length - HEADER_BYTES];
        System.arraycopy(envelope, HEADER_BYTES, body, 0, body.length);
        return body;
    }
}
