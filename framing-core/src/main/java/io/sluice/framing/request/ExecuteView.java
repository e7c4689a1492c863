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
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import org.agrona.DirectBuffer;

/**
 * An EXECUTE where it lies: offsets and lengths into the wire bytes, no copies, nothing allocated.
 * <p>
 * Valid until the handler that it was lent to returns; then it expires and all access throws. Confined to one event
 * loop; one object serves all requests there.
 */
public final class ExecuteView
{
    /** {@link #valueLength}: null. */
    public static final int NULL = BodyReader.NULL_LENGTH;
    /** {@link #valueLength}: to be left as it is. */
    public static final int UNSET = BodyReader.UNSET_LENGTH;
    /** Requests with more values have no view. */
    public static final int MAX_VALUES = 1024;

    private final BodyReader reader = new BodyReader();
    private final int[] offsets = new int[MAX_VALUES];
    private final int[] lengths = new int[MAX_VALUES];
    private boolean valid;
    private DirectBuffer buffer;
    private ProtocolVersion version;
    private int envelopeFlags;
    private int streamId;
    private int idOffset;
    private int idLength;
    private int metadataIdOffset;
    private int metadataIdLength;
    private Consistency consistency;
    private int flags;
    private int valueCount;
    private int pageSize;
    private int pagingStateOffset;
    private int pagingStateLength;
    private Consistency serialConsistency;
    private long timestamp;
    private int keyspaceOffset;
    private int keyspaceLength;
    private long nowInSeconds;

    /**
     * Moves the view to a request.
     *
     * @param header of an EXECUTE; borrowed until return
     * @param newVersion of the connection
     * @param newBuffer borrowed until {@link #expire()}
     * @param offset where the body starts, plain
     * @param length in bytes; it is there
     * @return false if the request has what a view does not show (a custom payload, named values, more than
     * {@link #MAX_VALUES} values): decode it
     * @throws ProtocolException as {@link RequestDecoder#decode} would
     */
    public boolean wrap(final EnvelopeHeader header,
        final ProtocolVersion newVersion,
        final DirectBuffer newBuffer,
        final int offset,
        final int length)
    {
        valid = false;
        if (header.hasFlag(EnvelopeFlags.CUSTOM_PAYLOAD))
        {
            return false;
        }
        buffer = newBuffer;
        version = newVersion;
        envelopeFlags = header.flags();
        streamId = header.streamId();
        try
        {
            reader.wrap(newBuffer, offset, offset + length);
            readIds();
            valid = readParameters();
        }
        catch (final ProtocolException e)
        {
            throw e.onStream(header.streamId());
        }
        return valid;
    }

    private void readIds()
    {
        idLength = reader.readShortBytesLength();
        idOffset = reader.position();
        reader.skip(idLength);
        metadataIdLength = NULL;
        metadataIdOffset = reader.position();
        if (version.isAtLeast(ProtocolVersion.V5))
        {
            metadataIdLength = reader.readShortBytesLength();
            metadataIdOffset = reader.position();
            reader.skip(metadataIdLength);
        }
    }

    private boolean readParameters()
    {
        consistency = reader.readConsistency();
        flags = version.isAtLeast(ProtocolVersion.V5) ? reader.readInt() : reader.readByte();
        valueCount = 0;
        if ((flags & QueryParameters.VALUES) != 0 &&
            ((flags & QueryParameters.NAMES) != 0 || !readValues(reader.readCount(Integer.BYTES))))
        {
            return false;
        }
        readTail();
        return true;
    }

    private boolean readValues(final int count)
    {
        if (count > MAX_VALUES)
        {
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            final int length = reader.readValueLength(version);
            lengths[i] = length;
            offsets[i] = reader.position();
            reader.skip(Math.max(0, length));
        }
        valueCount = count;
        return true;
    }

    private void readTail()
    {
        pageSize = ParameterRules.pageSize(reader, flags, false);
        pagingStateLength = (flags & QueryParameters.PAGING_STATE) != 0 ? reader.skipBytes() : NULL;
        pagingStateOffset = reader.position() - Math.max(0, pagingStateLength);
        serialConsistency = ParameterRules.serialConsistency(reader, flags);
        timestamp = ParameterRules.timestamp(reader, flags);
        keyspaceLength = (flags & QueryParameters.KEYSPACE) != 0 ? reader.skipString() : NULL;
        keyspaceOffset = reader.position() - Math.max(0, keyspaceLength);
        nowInSeconds = ParameterRules.nowInSeconds(reader, flags);
    }

    /** Ends the loan: all access throws until the next {@link #wrap}. */
    public void expire()
    {
        valid = false;
        buffer = null;
    }

    /** The wire bytes; borrowed until the view expires. */
    public DirectBuffer buffer()
    {
        check();
        return buffer;
    }

    /** The connection's. */
    public ProtocolVersion version()
    {
        check();
        return version;
    }

    /** See {@link EnvelopeFlags}. */
    public int envelopeFlags()
    {
        check();
        return envelopeFlags;
    }

    /** True if the client wants it traced. */
    public boolean isTraced()
    {
        check();
        return (envelopeFlags & EnvelopeFlags.TRACING) != 0;
    }

    /** The request's. */
    public int streamId()
    {
        check();
        return streamId;
    }

    /** Where the prepared id is. */
    public int idOffset()
    {
        check();
        return idOffset;
    }

    /** In bytes. */
    public int idLength()
    {
        check();
        return idLength;
    }

    /** Where the result metadata id is, if there is one. */
    public int resultMetadataIdOffset()
    {
        check();
        return metadataIdOffset;
    }

    /** In bytes, or {@link #NULL} before version 5. */
    public int resultMetadataIdLength()
    {
        check();
        return metadataIdLength;
    }

    /** How many values are bound. */
    public int valueCount()
    {
        check();
        return valueCount;
    }

    /** Where a value starts. */
    public int valueOffset(final int index)
    {
        check(index);
        return offsets[index];
    }

    /** In bytes, {@link #NULL} or {@link #UNSET}. */
    public int valueLength(final int index)
    {
        check(index);
        return lengths[index];
    }

    /** How many replicas have to answer. */
    public Consistency consistency()
    {
        check();
        return consistency;
    }

    /** The flags of {@link QueryParameters}, as sent. */
    public int flags()
    {
        check();
        return flags;
    }

    /** True if the result metadata may be left out. */
    public boolean skipMetadata()
    {
        check();
        return (flags & QueryParameters.SKIP_METADATA) != 0;
    }

    /** In rows, or {@link QueryParameters#UNPAGED}. */
    public int pageSize()
    {
        check();
        return pageSize;
    }

    /** Where the paging state is, if there is one. */
    public int pagingStateOffset()
    {
        check();
        return pagingStateOffset;
    }

    /** In bytes, or {@link #NULL}. */
    public int pagingStateLength()
    {
        check();
        return pagingStateLength;
    }

    /** SERIAL unless the client said otherwise. */
    public Consistency serialConsistency()
    {
        check();
        return serialConsistency;
    }

    /** In microseconds since the epoch, or {@link QueryParameters#NO_TIMESTAMP}. */
    public long timestamp()
    {
        check();
        return timestamp;
    }

    /** Where the keyspace for this request is, UTF-8, if there is one. */
    public int keyspaceOffset()
    {
        check();
        return keyspaceOffset;
    }

    /** In bytes, or {@link #NULL}. */
    public int keyspaceLength()
    {
        check();
        return keyspaceLength;
    }

    /** In seconds since the epoch, or {@link QueryParameters#NO_NOW_IN_SECONDS}. */
    public long nowInSeconds()
    {
        check();
        return nowInSeconds;
    }

    private void check()
    {
        if (!valid)
        {
            throw new IllegalStateException("view: expired (expected: used before the handler returns)");
        }
    }

    private void check(final int index)
    {
        check();
        if (index < 0 || index >= valueCount)
        {
            throw new IndexOutOfBoundsException("value: " + index + " (expected: 0.." + (valueCount - 1) + ")");
        }
    }
}
