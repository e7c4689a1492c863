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
package io.sluice.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds request envelopes of one protocol version. */
final class Requests
{
    static final String CHEAP_QUERY = "SELECT key FROM system.local";

    private final int version;

    Requests(final int version)
    {
        this.version = version;
    }

    int version()
    {
        return version;
    }

    byte[] envelope(final int stream, final int opcode, final byte[] body)
    {
        return Envelope.of(version, 0, stream, opcode, body);
    }

    byte[] envelope(final int stream, final int opcode, final int flags, final byte[] body)
    {
        return Envelope.of(version, flags, stream, opcode, body);
    }

    byte[] options(final int stream)
    {
        return envelope(stream, Opcode.OPTIONS, new byte[0]);
    }

    byte[] startup(final int stream, final Map<String, String> options)
    {
        return envelope(stream, Opcode.STARTUP, new ByteBuilder().stringMap(options).toBytes());
    }

    byte[] startup(final int stream, final Compression compression)
    {
        return startup(stream, startupOptions(compression));
    }

    static Map<String, String> startupOptions(final Compression compression)
    {
        final Map<String, String> options = new LinkedHashMap<>();
        options.put("CQL_VERSION", "3.0.0");
        if (compression != Compression.NONE)
        {
            options.put("COMPRESSION", compression.wireName());
        }
        options.put("DRIVER_NAME", "sluice-conformance");
        options.put("DRIVER_VERSION", "1");
        return options;
    }

    byte[] query(final int stream, final String cql)
    {
        return query(stream, cql, new Parameters());
    }

    byte[] query(final int stream, final String cql, final Parameters parameters)
    {
        return envelope(stream, Opcode.QUERY, queryBody(cql, parameters));
    }

    byte[] queryBody(final String cql, final Parameters parameters)
    {
        return new ByteBuilder().longString(cql).raw(parameters.toBytes(version)).toBytes();
    }

    byte[] prepare(final int stream, final String cql)
    {
        return envelope(stream, Opcode.PREPARE, prepareBody(cql));
    }

    byte[] prepareBody(final String cql)
    {
        final ByteBuilder body = new ByteBuilder().longString(cql);
        return (version >= 5 ? body.int32(0) : body).toBytes();
    }

    byte[] execute(final int stream, final byte[] id, final byte[] metadataId, final Parameters parameters)
    {
        return envelope(stream, Opcode.EXECUTE, executeBody(id, metadataId, parameters));
    }

    byte[] executeBody(final byte[] id, final byte[] metadataId, final Parameters parameters)
    {
        final ByteBuilder body = new ByteBuilder().shortBytes(id);
        return (version >= 5 ? body.shortBytes(metadataId) : body).raw(parameters.toBytes(version)).toBytes();
    }

    /** @param statements each as kind, text or id, and values: see {@link #textInBatch} and {@link #preparedInBatch} */
    byte[] batch(final int stream, final int type, final List<byte[]> statements)
    {
        return envelope(stream, Opcode.BATCH, batchBody(type, statements, new Parameters()));
    }

    byte[] batchBody(final int type, final List<byte[]> statements, final Parameters tail)
    {
        return new ByteBuilder().int8(type)
            .int16(statements.size())
            .raw(ByteBuilder.join(statements.toArray(new byte[0][])))
            .raw(tail.toBytes(version))
            .toBytes();
    }

    static byte[] textInBatch(final String cql, final byte[]... values)
    {
        return values(new ByteBuilder().int8(0).longString(cql), values);
    }

    static byte[] preparedInBatch(final byte[] id, final byte[]... values)
    {
        return values(new ByteBuilder().int8(1).shortBytes(id), values);
    }

    byte[] register(final int stream, final String... types)
    {
        return envelope(stream, Opcode.REGISTER, new ByteBuilder().stringList(List.of(types)).toBytes());
    }

    byte[] authResponse(final int stream, final byte[] token)
    {
        return envelope(stream, Opcode.AUTH_RESPONSE, new ByteBuilder().bytes(token).toBytes());
    }

    /** A request for one row whose envelope has exactly the length asked for (at least 60 bytes). */
    byte[] queryOfLength(final int stream, final int envelopeLength)
    {
        final int bare = query(stream, CHEAP_QUERY).length;
        final int filler = envelopeLength - bare - "/**/".length();
        if (filler < 0)
        {
            throw new IllegalArgumentException(
                "envelopeLength: " + envelopeLength + " (expected: >= " + (bare + 4) + ")");
        }
        return query(stream, CHEAP_QUERY + "/*" + "x".repeat(filler) + "*/");
    }

    private static byte[] values(final ByteBuilder statement, final byte[]... values)
    {
        statement.int16(values.length);
        for (final byte[] value : values)
        {
            statement.raw(value);
        }
        return statement.toBytes();
    }
}
