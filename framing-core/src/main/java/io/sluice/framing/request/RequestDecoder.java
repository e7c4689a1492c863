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

import io.sluice.framing.Consistency;
import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Makes requests for the node from bodies (native protocol, section 4.1): one pass, each value copied once into a cell
 * of its own, nothing kept of the bytes. What lies behind the end of a message is ignored.
 * <p>
 * Confined to one event loop; one object serves all its connections.
 */
public final class RequestDecoder
{
    private static final BatchRequest.Type[] BATCH_TYPES = BatchRequest.Type.values();
    private static final int PREPARE_KEYSPACE = 0x01;
    /** A [value] is at least its length. */
    private static final int LEAST_VALUE_BYTES = Integer.BYTES;
    private static final int LEAST_NAMED_VALUE_BYTES = Short.BYTES + Integer.BYTES;
    /** Kind, an empty id and a count of no values. */
    private static final int LEAST_BATCH_ENTRY_BYTES = 1 + Short.BYTES + Short.BYTES;

    private final StatementIds statementIds;
    private final BodyReader reader = new BodyReader();

    /** A decoder that gets its prepared ids here. */
    public RequestDecoder(final StatementIds statementIds)
    {
        this.statementIds = Objects.requireNonNull(statementIds, "statementIds");
    }

    /**
     * The request in an envelope.
     *
     * @param header of a QUERY, PREPARE, EXECUTE or BATCH; borrowed until return
     * @param version of the connection
     * @param buffer borrowed until return
     * @param bodyOffset where the body starts, plain
     * @param bodyLength in bytes, after decompression; it is there
     * @return owned by the caller, heap data only
     * @throws ProtocolException recoverable, on the header's stream, if the body is not what it should be
     */
    public Request decode(final EnvelopeHeader header,
        final ProtocolVersion version,
        final DirectBuffer buffer,
        final int bodyOffset,
        final int bodyLength)
    {
        try
        {
            reader.wrap(buffer, bodyOffset, bodyOffset + bodyLength);
            return decodeBody(header, version);
        }
        catch (final ProtocolException e)
        {
            throw e.onStream(header.streamId());
        }
    }

    private Request decodeBody(final EnvelopeHeader header, final ProtocolVersion version)
    {
        final int flags = header.flags();
        final Map<String, byte[]> payload = (flags & EnvelopeFlags.CUSTOM_PAYLOAD) == 0 ? null : payload(version);
        final int opcode = header.opcode();
        if (opcode == Opcode.EXECUTE.code())
        {
            return execute(flags, payload, version);
        }
        if (opcode == Opcode.QUERY.code())
        {
            final String query = reader.readLongString();
            return new QueryRequest(flags, payload, query, parameters(version, false));
        }
        if (opcode == Opcode.BATCH.code())
        {
            return batch(flags, payload, version);
        }
        if (opcode == Opcode.PREPARE.code())
        {
            return prepare(flags, payload, version);
        }
        throw ProtocolException.recoverable("opcode: " + opcode + " (expected: QUERY, PREPARE, EXECUTE or BATCH)");
    }

    private Map<String, byte[]> payload(final ProtocolVersion version)
    {
        if (version == ProtocolVersion.V3)
        {
            // Clients may know this text.
            throw ProtocolException.recoverable(
                "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
        }
        return reader.readBytesMap();
    }

    private ExecuteRequest execute(final int flags, final Map<String, byte[]> payload, final ProtocolVersion version)
    {
        final StatementId id = statementId();
        byte[] metadataId = null;
        if (version.isAtLeast(ProtocolVersion.V5))
        {
            final int length = reader.readShortBytesLength();
            metadataId = id.metadataId(reader.buffer(), reader.position(), length);
            reader.skip(length);
        }
        return new ExecuteRequest(flags, payload, id, metadataId, parameters(version, false));
    }

    private PrepareRequest prepare(final int flags, final Map<String, byte[]> payload, final ProtocolVersion version)
    {
        final String query = reader.readLongString();
        String keyspace = null;
        if (version.isAtLeast(ProtocolVersion.V5) && (reader.readInt() & PREPARE_KEYSPACE) != 0)
        {
            keyspace = reader.readString();
        }
        return new PrepareRequest(flags, payload, query, keyspace);
    }

    private BatchRequest batch(final int flags, final Map<String, byte[]> payload, final ProtocolVersion version)
    {
        final int type = (byte)reader.readByte();
        if (type < 0 || type >= BATCH_TYPES.length)
        {
            throw ProtocolException.recoverable("Invalid BATCH message type " + type);
        }
        final int count = reader.readCount(LEAST_BATCH_ENTRY_BYTES);
        final Object[] statements = new Object[count];
        final byte[][][] values = new byte[count][][];
        for (int i = 0; i < count; i++)
        {
            statements[i] = batchStatement();
            values[i] = values(version);
        }
        return new BatchRequest(flags, payload, BATCH_TYPES[type], statements, values, parameters(version, true));
    }

    private Object batchStatement()
    {
        final int kind = (byte)reader.readByte();
        if (kind == 0)
        {
            return reader.readLongString();
        }
        if (kind == 1)
        {
            return statementId();
        }
        throw ProtocolException.recoverable(
            "Invalid query kind in BATCH messages. Must be 0 or 1 but got " + kind);
    }

    private StatementId statementId()
    {
        final int length = reader.readShortBytesLength();
        final StatementId id = statementIds.intern(reader.buffer(), reader.position(), length);
        reader.skip(length);
        return id;
    }

    private byte[][] values(final ProtocolVersion version)
    {
        final int count = reader.readCount(LEAST_VALUE_BYTES);
        if (count == 0)
        {
            return Cells.NONE;
        }
        final byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++)
        {
            values[i] = reader.readValue(version);
        }
        return values;
    }

    private QueryParameters parameters(final ProtocolVersion version, final boolean batch)
    {
        final Consistency consistency = reader.readConsistency();
        final int flags = version.isAtLeast(ProtocolVersion.V5) ? reader.readInt() : reader.readByte();
        byte[][] values = Cells.NONE;
        String[] names = null;
        if ((flags & QueryParameters.VALUES) != 0)
        {
            if ((flags & QueryParameters.NAMES) == 0)
            {
                values = values(version);
            }
            else
            {
                final int count = reader.readCount(LEAST_NAMED_VALUE_BYTES);
                names = new String[count];
                values = new byte[count][];
                namedValues(names, values, version);
            }
        }
        return (flags & ParameterRules.WITH_TAIL) == 0
            ? new QueryParameters(consistency, flags, values, names, QueryParameters.UNPAGED, null, Consistency.SERIAL,
                QueryParameters.NO_TIMESTAMP, null, QueryParameters.NO_NOW_IN_SECONDS)
            : tail(consistency, flags, values, names, batch);
    }

    private void namedValues(final String[] names, final byte[][] values, final ProtocolVersion version)
    {
        for (int i = 0; i < names.length; i++)
        {
            names[i] = reader.readString();
            values[i] = reader.readValue(version);
        }
    }

    private QueryParameters tail(final Consistency consistency,
        final int flags,
        final byte[][] values,
        final String[] names,
        final boolean batch)
    {
        final int pageSize = ParameterRules.pageSize(reader, flags, batch);
        final byte[] pagingState = (flags & QueryParameters.PAGING_STATE) != 0 ? reader.readBytes() : null;
        final Consistency serial = ParameterRules.serialConsistency(reader, flags);
        final long timestamp = ParameterRules.timestamp(reader, flags);
        // Meant for version 5, yet versions 3 and 4 have the bit, and servers have always honoured it.
        final String keyspace = (flags & QueryParameters.KEYSPACE) != 0 ? reader.readString() : null;
        final long nowInSeconds = ParameterRules.nowInSeconds(reader, flags);
        return new QueryParameters(consistency, flags, values, names, pageSize, pagingState, serial, timestamp,
            keyspace, nowInSeconds);
    }
}
