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
package io.sluice.framing.request;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.WireBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Request bodies for tests, and buffers with them in the middle. */
final class Bodies
{
    static final byte[] ID = WireBytes.hex("4b9feb82d7ece0378ec0f750810ceb4e");
    static final byte[] METADATA_ID = WireBytes.hex("20b7fe8510d99228eec24d9ecd5a2ff1");
    /** In front of and behind each body lie bytes that make sense too, so that reading over an edge shows. */
    private static final int MARGIN = 7;

    /** One valid message. */
    record Sample(String name, ProtocolVersion version, Opcode opcode, int flags, byte[] body)
    {
        @Override
        public String toString()
        {
            return name + " " + version;
        }
    }

    private Bodies()
    {
    }

    static EnvelopeHeader header(final ProtocolVersion version,
        final int flags,
        final int streamId,
        final int opcode,
        final int bodyLength)
    {
        final EnvelopeHeader header = new EnvelopeHeader();
        final byte[] envelope = WireBytes.envelope(version.number(), flags, streamId, opcode, new byte[0]);
        final UnsafeBuffer buffer = new UnsafeBuffer(envelope);
        buffer.putInt(5, bodyLength, java.nio.ByteOrder.BIG_ENDIAN);
        header.wrap(buffer, 0);
        return header;
    }

    /** A direct buffer with the body at {@link #offset()}. */
    static UnsafeBuffer direct(final byte[] body)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(body.length + 2 * MARGIN));
        buffer.putBytes(MARGIN, body);
        return buffer;
    }

    static int offset()
    {
        return MARGIN;
    }

    static Request decode(final ProtocolVersion version, final Opcode opcode, final int flags, final byte[] body)
    {
        return decode(new RequestDecoder(StatementIds.UNSHARED), version, opcode, flags, body);
    }

    static Request decode(final RequestDecoder decoder,
        final ProtocolVersion version,
        final Opcode opcode,
        final int flags,
        final byte[] body)
    {
        return decoder.decode(header(version, flags, 77, opcode.code(), body.length), version, direct(body), MARGIN,
            body.length);
    }

    /** The message of a whole captured envelope. */
    static Request decodeEnvelope(final byte[] envelope)
    {
        final UnsafeBuffer buffer = direct(envelope);
        final EnvelopeHeader header = new EnvelopeHeader();
        header.wrap(buffer, MARGIN);
        return new RequestDecoder(StatementIds.UNSHARED).decode(header, ProtocolVersion.of(header.version()), buffer,
            MARGIN + EnvelopeHeader.LENGTH, header.bodyLength());
    }

    static WireBytes putFlags(final WireBytes out, final ProtocolVersion version, final int flags)
    {
        return version.number() >= 5 ? out.int4(flags) : out.int1(flags);
    }

    /** Parameters with these flags and a fixed content for each; two values. */
    static WireBytes putParameters(final WireBytes out, final ProtocolVersion version, final int flags)
    {
        putFlags(out.int2(4), version, flags);
        if ((flags & 0x01) != 0)
        {
            out.int2(2);
            if ((flags & 0x40) != 0)
            {
                out.string("zwei").bytes(new byte[]{2}).string("e\u00edns").bytes(null);
            }
            else
            {
                out.bytes(new byte[]{1, 2, 3}).bytes(new byte[0]);
            }
        }
        if ((flags & 0x04) != 0)
        {
            out.int4(5000);
        }
        if ((flags & 0x08) != 0)
        {
            out.bytes(new byte[]{9, 8, 7});
        }
        if ((flags & 0x10) != 0)
        {
            out.int2(9);
        }
        if ((flags & 0x20) != 0)
        {
            out.int8(-5L);
        }
        if ((flags & 0x80) != 0)
        {
            out.string("ks");
        }
        return (flags & 0x100) != 0 && version.number() >= 5 ? out.int4(-2) : out;
    }

    static byte[] query(final ProtocolVersion version, final int flags)
    {
        return putParameters(new WireBytes().longString("SELECT \u20ac FROM t"), version, flags).toArray();
    }

    static byte[] execute(final ProtocolVersion version, final int flags)
    {
        final WireBytes out = new WireBytes().shortBytes(ID);
        if (version.number() >= 5)
        {
            out.shortBytes(METADATA_ID);
        }
        return putParameters(out, version, flags).toArray();
    }

    /** A prepared statement with this many values of this many bytes, and what drivers usually say beside them. */
    static byte[] executeOf(final ProtocolVersion version, final int values, final int valueBytes)
    {
        final WireBytes out = new WireBytes().shortBytes(ID);
        if (version.number() >= 5)
        {
            out.shortBytes(METADATA_ID);
        }
        putFlags(out.int2(10), version, 0x01 | 0x02 | 0x04 | 0x20).int2(values);
        for (int i = 0; i < values; i++)
        {
            out.bytes(new byte[valueBytes]);
        }
        return out.int4(5000).int8(1_700_000_000_000_000L).toArray();
    }

    static byte[] batch(final ProtocolVersion version, final int flags)
    {
        final WireBytes out = new WireBytes().int1(1).int2(3);
        out.int1(0).longString("INSERT \u00fc").int2(0);
        out.int1(1).shortBytes(ID).int2(2).bytes(new byte[]{1}).bytes(null);
        out.int1(0).longString("").int2(1).bytes(new byte[0]);
        return putParameters(out, version, flags).toArray();
    }

    static byte[] prepare(final ProtocolVersion version, final boolean keyspace)
    {
        final WireBytes out = new WireBytes().longString("SELECT * FROM t");
        if (version.number() >= 5)
        {
            out.int4(keyspace ? 1 : 0);
            return keyspace ? out.string("ks").toArray() : out.toArray();
        }
        return out.toArray();
    }

    static byte[] payload()
    {
        return new WireBytes().int2(2)
            .string("k")
            .bytes(new byte[]{(byte)0xCA, (byte)0xFE})
            .string("n")
            .bytes(null)
            .toArray();
    }

    /** Every message in every version with every field. */
    static List<Sample> samples()
    {
        final List<Sample> samples = new ArrayList<>();
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            for (final int flags : new int[]{0, 0x01, 0x41, 0xFF, 0x1FF})
            {
                add(samples, "query " + flags, version, Opcode.QUERY, query(version, flags));
                add(samples, "execute " + flags, version, Opcode.EXECUTE, execute(version, flags));
                add(samples, "batch " + flags, version, Opcode.BATCH, batch(version, flags));
            }
            add(samples, "prepare", version, Opcode.PREPARE, prepare(version, false));
            add(samples, "prepare in keyspace", version, Opcode.PREPARE, prepare(version, true));
            add(samples, "execute 7", version, Opcode.EXECUTE, executeOf(version, 7, 10));
        }
        return samples;
    }

    private static void add(final List<Sample> samples,
        final String name,
        final ProtocolVersion version,
        final Opcode opcode,
        final byte[] body)
    {
        samples.add(new Sample(name, version, opcode, 0, body));
        if (version.number() >= 4)
        {
            samples.add(new Sample(name + " with payload", version, opcode, 0x04,
                new WireBytes().raw(payload()).raw(body).toArray()));
        }
    }
}
