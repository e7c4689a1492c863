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
package io.sluice.transport.testkit;

import io.sluice.framing.Opcode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/** Request envelopes as bytes. */
public final class Requests
{
    /** Consistency ONE. */
    private static final int ONE = 1;
    private static final int VALUES = 1;
    private static final int COMPRESSED = 1;
    private static final int BODY_OFFSET = 9;

    private Requests()
    {
    }

    /** Any envelope. */
    public static byte[] envelope(final int version,
        final int flags,
        final int streamId,
        final int opcode,
        final byte... body)
    {
        return new WireBytes().u8(version).u8(flags).u16(streamId).u8(opcode).i32(body.length).raw(body).toArray();
    }

    /** A header that claims a body. */
    public static byte[] header(final int version, final int streamId, final Opcode opcode, final int bodyLength)
    {
        return new WireBytes().u8(version).u8(0).u16(streamId).u8(opcode.code()).i32(bodyLength).toArray();
    }

    /** OPTIONS. */
    public static byte[] options(final int version, final int streamId)
    {
        return envelope(version, 0, streamId, Opcode.OPTIONS.code());
    }

    /** STARTUP with these keys and values. */
    public static byte[] startup(final int version, final int streamId, final Map<String, String> options)
    {
        final WireBytes body = new WireBytes().u16(options.size());
        options.forEach((key, value) -> body.string(key).string(value));
        return envelope(version, 0, streamId, Opcode.STARTUP.code(), body.toArray());
    }

    /** STARTUP as a driver sends it. */
    public static byte[] startup(final int version, final int streamId, final String compression)
    {
        return startup(version, streamId, compression == null
            ? Map.of("CQL_VERSION", "3.0.0")
            : Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", compression));
    }

    /** QUERY with values by position. */
    public static byte[] query(final int version, final int streamId, final String cql, final byte[]... values)
    {
        return envelope(version, 0, streamId, Opcode.QUERY.code(), queryBody(version, cql, values));
    }

    /** The body of a QUERY. */
    public static byte[] queryBody(final int version, final String cql, final byte[]... values)
    {
        final WireBytes body = new WireBytes().longString(cql).u16(ONE);
        parameters(version, body, values);
        return body.toArray();
    }

    private static void parameters(final int version, final WireBytes body, final byte[]... values)
    {
        flags(version, body, values.length == 0 ? 0 : VALUES);
        if (values.length > 0)
        {
            body.u16(values.length);
            for (final byte[] value : values)
            {
                body.value(value);
            }
        }
    }

    /** The flags of query parameters, in this version's width. */
    public static WireBytes flags(final int version, final WireBytes body, final int flags)
    {
        return version >= 5 ? body.i32(flags) : body.u8(flags);
    }

    /** QUERY of this many bytes in all. */
    public static byte[] queryOfLength(final int version, final int streamId, final int envelopeBytes)
    {
        final int others = 9 + 4 + 2 + (version >= 5 ? 4 : 1);
        return query(version, streamId, "void " + "x".repeat(envelopeBytes - others - 5));
    }

    /** PREPARE. */
    public static byte[] prepare(final int version, final int streamId, final String cql)
    {
        final WireBytes body = new WireBytes().longString(cql);
        if (version >= 5)
        {
            body.i32(0);
        }
        return envelope(version, 0, streamId, Opcode.PREPARE.code(), body.toArray());
    }

    /** EXECUTE of the statement whose id is this text. */
    public static byte[] execute(final int version, final int streamId, final String id, final byte[]... values)
    {
        final WireBytes body = new WireBytes().shortBytes(id.getBytes(StandardCharsets.UTF_8));
        if (version >= 5)
        {
            body.shortBytes(new byte[16]);
        }
        body.u16(ONE);
        parameters(version, body, values);
        return envelope(version, 0, streamId, Opcode.EXECUTE.code(), body.toArray());
    }

    /** BATCH, unlogged, of statements as text without values. */
    public static byte[] batch(final int version, final int streamId, final String... statements)
    {
        final WireBytes body = new WireBytes().u8(1).u16(statements.length);
        for (final String statement : statements)
        {
            body.u8(0).longString(statement).u16(0);
        }
        body.u16(ONE);
        return envelope(version, 0, streamId, Opcode.BATCH.code(), flags(version, body, 0).toArray());
    }

    /** REGISTER. */
    public static byte[] register(final int version, final int streamId, final String... types)
    {
        final WireBytes body = new WireBytes().u16(types.length);
        for (final String type : types)
        {
            body.string(type);
        }
        return envelope(version, 0, streamId, Opcode.REGISTER.code(), body.toArray());
    }

    /** AUTH_RESPONSE. */
    public static byte[] authResponse(final int version, final int streamId, final byte... token)
    {
        return envelope(version, 0, streamId, Opcode.AUTH_RESPONSE.code(), new WireBytes().value(token).toArray());
    }

    /** This envelope of version 3 or 4 with its body compressed. */
    public static byte[] compressed(final String algorithm, final byte[] envelope) throws IOException
    {
        final byte[] body = Arrays.copyOfRange(envelope, BODY_OFFSET, envelope.length);
        final WireBytes squeezed = new WireBytes();
        if ("snappy".equals(algorithm))
        {
            squeezed.raw(Snappy.compress(body));
        }
        else
        {
            squeezed.i32(body.length).raw(LZ4Factory.safeInstance().fastCompressor().compress(body));
        }
        return envelope(envelope[0], envelope[1] | COMPRESSED, (envelope[2] & 0xFF) << 8 | envelope[3] & 0xFF,
            envelope[4], squeezed.toArray());
    }

    /** An envelope of version 3 or 4 whose body says it is compressed. */
    public static byte[] compressed(final int version, final int streamId, final Opcode opcode, final byte... body)
    {
        return envelope(version, COMPRESSED, streamId, opcode.code(), body);
    }
}
