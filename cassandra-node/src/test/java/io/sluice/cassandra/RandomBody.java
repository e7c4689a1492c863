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

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** A request body at random: good at first, and good or bad once it has been damaged. */
final class RandomBody
{
    private static final Opcode[] OPCODES = {Opcode.QUERY, Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH};
    private static final ProtocolVersion[] VERSIONS = {ProtocolVersion.V3, ProtocolVersion.V4, ProtocolVersion.V5};
    private static final String[] TEXTS = {"", "q", "SELECT * FROM t", "\u00fc\u20ac\uD83D\uDE00\u0000", "ks"};
    private static final int LEVELS = 12;

    private final Random random;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final ProtocolVersion version;
    private final Opcode opcode;
    private final int envelopeFlags;

    RandomBody(final Random random)
    {
        this.random = random;
        version = VERSIONS[random.nextInt(VERSIONS.length)];
        opcode = OPCODES[random.nextInt(OPCODES.length)];
        envelopeFlags = random.nextInt(8) == 0 ? EnvelopeFlags.CUSTOM_PAYLOAD : 0;
    }

    ProtocolVersion version()
    {
        return version;
    }

    Opcode opcode()
    {
        return opcode;
    }

    int envelopeFlags()
    {
        return envelopeFlags;
    }

    /** Every other one is damaged. */
    byte[] toArray()
    {
        try
        {
            write();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        byte[] body = bytes.toByteArray();
        for (int left = Math.max(0, random.nextInt(6) - 2); left > 0 && body.length > 0; left--)
        {
            body = damage(body);
        }
        return body;
    }

    private byte[] damage(final byte[] body)
    {
        final int at = random.nextInt(body.length);
        final int end = Math.min(body.length, at + 1 + random.nextInt(4));
        switch (random.nextInt(6))
        {
            case 0 -> body[at] ^= (byte)(1 << random.nextInt(8));
            case 1 -> body[at] = (byte)random.nextInt();
            case 2 -> Arrays.fill(body, at, end, (byte)0xFF);
            case 3 -> Arrays.fill(body, at, end, (byte)0);
            case 4 -> body[at] += (byte)(random.nextBoolean() ? 1 : -1);
            default ->
            {
                return Arrays.copyOf(body, random.nextInt(body.length + 8));
            }
        }
        return body;
    }

    private void write() throws IOException
    {
        if (envelopeFlags != 0)
        {
            writePayload();
        }
        switch (opcode)
        {
            case QUERY ->
            {
                writeLongString();
                writeParameters();
            }
            case PREPARE -> writePrepare();
            case EXECUTE ->
            {
                writeId();
                if (version == ProtocolVersion.V5)
                {
                    writeId();
                }
                writeParameters();
            }
            default -> writeBatch();
        }
    }

    private void writePayload() throws IOException
    {
        final int entries = random.nextInt(3);
        out.writeShort(entries);
        for (int i = 0; i < entries; i++)
        {
            writeString();
            writeValue();
        }
    }

    private void writePrepare() throws IOException
    {
        writeLongString();
        if (version == ProtocolVersion.V5)
        {
            final int flags = random.nextInt(4);
            out.writeInt(flags);
            if ((flags & 1) != 0)
            {
                writeString();
            }
        }
    }

    private void writeBatch() throws IOException
    {
        out.writeByte(random.nextInt(16) == 0 ? random.nextInt() : random.nextInt(3));
        final int statements = random.nextInt(4);
        out.writeShort(statements);
        for (int i = 0; i < statements; i++)
        {
            final int kind = random.nextInt(2);
            out.writeByte(kind);
            if (kind == 0)
            {
                writeLongString();
            }
            else
            {
                writeId();
            }
            writeValues(false);
        }
        writeParameters();
    }

    private void writeParameters() throws IOException
    {
        out.writeShort(random.nextInt(LEVELS));
        final boolean wide = version == ProtocolVersion.V5;
        final int flags = sparse() & (random.nextInt(4) == 0 ? -1 : 0x1FF) & (wide ? -1 : 0xFF);
        if (wide)
        {
            out.writeInt(flags);
        }
        else
        {
            out.writeByte(flags);
        }
        if ((flags & 0x01) != 0)
        {
            writeValues((flags & 0x40) != 0);
        }
        if ((flags & 0x04) != 0)
        {
            out.writeInt(random.nextInt(8) - 2);
        }
        if ((flags & 0x08) != 0)
        {
            writePagingState();
        }
        if ((flags & 0x10) != 0)
        {
            out.writeShort(random.nextInt(LEVELS));
        }
        if ((flags & 0x20) != 0)
        {
            out.writeLong(random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextLong());
        }
        if ((flags & 0x80) != 0)
        {
            writeString();
        }
        if ((flags & 0x100) != 0)
        {
            out.writeInt(random.nextInt());
        }
    }

    /** A quarter of the bits set. */
    private int sparse()
    {
        final int bits = random.nextInt();
        return bits & random.nextInt();
    }

    private void writePagingState() throws IOException
    {
        if (random.nextInt(4) == 0)
        {
            writeValue();
            return;
        }
        final byte[] state = StockFields.pagingState(random, version);
        out.writeInt(state.length);
        out.write(state);
    }

    private void writeValues(final boolean named) throws IOException
    {
        final int count = random.nextInt(4);
        out.writeShort(count);
        for (int i = 0; i < count; i++)
        {
            if (named)
            {
                writeString();
            }
            writeValue();
        }
    }

    private void writeValue() throws IOException
    {
        final int length = random.nextInt(20) - 3;
        out.writeInt(length);
        writeNoise(length);
    }

    private void writeId() throws IOException
    {
        final int length = random.nextInt(8) == 0 ? random.nextInt(20) : 16;
        out.writeShort(length);
        writeNoise(length);
    }

    private void writeNoise(final int length) throws IOException
    {
        for (int i = 0; i < length; i++)
        {
            out.writeByte(random.nextInt());
        }
    }

    private void writeString() throws IOException
    {
        final byte[] text = text();
        out.writeShort(text.length);
        out.write(text);
    }

    private void writeLongString() throws IOException
    {
        final byte[] text = text();
        out.writeInt(text.length);
        out.write(text);
    }

    private byte[] text()
    {
        return TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.UTF_8);
    }
}
