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

import java.util.ArrayList;
import java.util.List;

/** Envelopes of one version, right and wrong ones. Immutable. */
public final class RawRequests
{
    /** The opcode of that name on the wire. */
    public static final int QUERY = Opcode.QUERY;
    /** The opcode of that name on the wire. */
    public static final int EXECUTE = Opcode.EXECUTE;
    /** The opcode of that name on the wire. */
    public static final int BATCH = Opcode.BATCH;

    private final Requests requests;

    RawRequests(final int version)
    {
        requests = new Requests(version);
    }

    /** For 3, 4 or 5. */
    public static RawRequests of(final int version)
    {
        return new RawRequests(version);
    }

    /** 3, 4 or 5. */
    public int version()
    {
        return requests.version();
    }

    /** Values bound by position; a null is the CQL null. */
    public byte[] query(final int stream, final String cql, final byte[]... values)
    {
        return requests.query(stream, cql, parameters(values));
    }

    /** As {@link #query}, a page at a time; {@code pagingState} is null for the first. */
    public byte[] page(final int stream,
        final String cql,
        final int rows,
        final byte[] pagingState,
        final byte[]... values)
    {
        final Parameters parameters = parameters(values).pageSize(rows);
        if (pagingState != null)
        {
            parameters.pagingState(Parameters.value(pagingState));
        }
        return requests.query(stream, cql, parameters);
    }

    /** A PREPARE. */
    public byte[] prepare(final int stream, final String cql)
    {
        return requests.prepare(stream, cql);
    }

    /** The metadata id is sent in version 5 only. */
    public byte[] execute(final int stream, final byte[] id, final byte[] metadataId, final byte[]... values)
    {
        return requests.execute(stream, id, metadataId, parameters(values));
    }

    /** A logged batch; see {@link #inBatch(String, byte[][])}. */
    public byte[] batch(final int stream, final List<byte[]> statements)
    {
        return requests.batch(stream, 0, statements);
    }

    /** A statement of a batch, by its text. */
    public static byte[] inBatch(final String cql, final byte[]... values)
    {
        return Requests.textInBatch(cql, encoded(values));
    }

    /** A statement of a batch, by its id. */
    public static byte[] inBatch(final byte[] id, final byte[]... values)
    {
        return Requests.preparedInBatch(id, encoded(values));
    }

    /** An OPTIONS. */
    public byte[] options(final int stream)
    {
        return requests.options(stream);
    }

    /** A REGISTER for all kinds of events. */
    public byte[] register(final int stream)
    {
        return requests.register(stream, "SCHEMA_CHANGE", "STATUS_CHANGE", "TOPOLOGY_CHANGE");
    }

    /** Any opcode, any body, the right length. */
    public byte[] envelope(final int stream, final int opcode, final byte[] body)
    {
        return requests.envelope(stream, opcode, body);
    }

    /** Any header that the caller likes over any body. */
    public static byte[] claiming(final int version,
        final int flags,
        final int stream,
        final int opcode,
        final int length,
        final byte[] body)
    {
        return Envelope.claiming(version, flags, stream, opcode, length, body);
    }

    /** A QUERY whose only value claims that length with {@code behind} in its place. */
    public byte[] lyingValue(final int stream, final int claimed, final byte[] behind)
    {
        return requests.query(stream, Requests.CHEAP_QUERY,
            new Parameters().values(ByteBuilder.join(Parameters.bareLength(claimed), behind)));
    }

    /** A QUERY that claims a number of values and has none. */
    public byte[] lyingCount(final int stream, final int claimed)
    {
        return requests.query(stream, Requests.CHEAP_QUERY, new Parameters().claimValues(claimed));
    }

    /** The bytes of a CQL int. */
    public static byte[] int32(final int value)
    {
        return new ByteBuilder().int32(value).toBytes();
    }

    private static Parameters parameters(final byte[]... values)
    {
        return values.length == 0 ? new Parameters() : new Parameters().values(encoded(values));
    }

    private static byte[][] encoded(final byte[]... values)
    {
        final List<byte[]> encoded = new ArrayList<>(values.length);
        for (final byte[] value : values)
        {
            encoded.add(Parameters.value(value));
        }
        return encoded.toArray(new byte[0][]);
    }
}
