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
package io.sluice.framing.response;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts an answer into memory as one whole envelope, uncompressed: header, tracing id, warnings, custom payload, body.
 * <p>
 * One encoder per thread, for as many answers as it likes. Not thread safe.
 */
public final class EnvelopeEncoder
{
    private static final int MOST_WARNINGS = 0xFFFF;
    private static final int TRACING_ID_BYTES = 16;
    private static final int LEGACY_BODY_LENGTH_OFFSET = 4;

    private final BodyWriter writer;
    private int version;
    private int flags;
    private int streamId;
    private int opcode;

    /** An encoder that claims its memory here. */
    public EnvelopeEncoder(final BufferPool pool)
    {
        writer = new BodyWriter(pool);
    }

    /**
     * An answer as bytes.
     *
     * @param version the connection's
     * @param streamId the request's, or -1 for an event
     * @param body borrowed until return
     * @param tracingId or null
     * @param warnings or null; dropped for version 3, which has no place for them
     * @param customPayload or null; dropped for version 3; values may be null
     * @param limitBytes the most that the whole envelope may take
     * @return owned by the caller; the envelope from offset 0, its length set
     * @throws BodyTooLargeException if the limit is too small
     * @throws RuntimeException whatever the body throws; no memory stays claimed
     */
    public BufferLease encode(final ProtocolVersion version,
        final int streamId,
        final ResponseBody body,
        final UUID tracingId,
        final List<String> warnings,
        final Map<String, byte[]> customPayload,
        final int limitBytes)
    {
        boolean done = false;
        try
        {
            final int hint = body.encodedLengthHint(version);
            body.encode(begin(version, streamId, body.opcode(), hint, tracingId, warnings, customPayload, limitBytes),
                version);
            final BufferLease lease = finish();
            done = true;
            return lease;
        }
        finally
        {
            if (!done)
            {
                abort();
            }
        }
    }

    /**
     * Starts an answer whose body is written piece by piece, up to {@link #finish} or {@link #abort}; parameters as for
     * {@link #encode}.
     *
     * @param lengthHint how many bytes the body will probably take
     * @return where the body goes; borrowed until {@link #finish} or {@link #abort}
     */
    public BodyWriter begin(final ProtocolVersion version,
        final int streamId,
        final Opcode opcode,
        final int lengthHint,
        final UUID tracingId,
        final List<String> warnings,
        final Map<String, byte[]> customPayload,
        final int limitBytes)
    {
        final long expected = EnvelopeHeader.LENGTH + Math.max(0L, lengthHint) + TRACING_ID_BYTES;
        writer.begin((int)Math.min(expected, Integer.MAX_VALUE), limitBytes);
        boolean done = false;
        try
        {
            this.version = version.number();
            this.streamId = streamId;
            this.opcode = opcode.code();
            flags = version.isBeta() ? EnvelopeFlags.USE_BETA : 0;
            writer.ensure(EnvelopeHeader.LENGTH);
            writer.position(EnvelopeHeader.LENGTH);
            if (tracingId != null)
            {
                flags |= EnvelopeFlags.TRACING;
                writer.putUuid(tracingId);
            }
            if (version.isAtLeast(ProtocolVersion.V4))
            {
                putPrefixes(warnings, customPayload);
            }
            done = true;
            return writer;
        }
        finally
        {
            if (!done)
            {
                abort();
            }
        }
    }

    private void putPrefixes(final List<String> warnings, final Map<String, byte[]> customPayload)
    {
        if (warnings != null && !warnings.isEmpty())
        {
            flags |= EnvelopeFlags.WARNING;
            writer.putStringList(warnings.size() <= MOST_WARNINGS ? warnings : warnings.subList(0, MOST_WARNINGS));
        }
        if (customPayload != null && !customPayload.isEmpty())
        {
            flags |= EnvelopeFlags.CUSTOM_PAYLOAD;
            writer.putBytesMap(customPayload);
        }
    }

    /** The answer that was begun: owned by the caller, the envelope from offset 0, its length set. */
    public BufferLease finish()
    {
        final int bodyLength = writer.position() - EnvelopeHeader.LENGTH;
        EnvelopeHeader.encodeResponse(writer.lease().buffer(), 0, version, flags, streamId, opcode, bodyLength);
        return writer.finish();
    }

    /** Gives back the memory of an answer that was begun, if one was. */
    public void abort()
    {
        writer.abort();
    }

    /**
     * An ERROR with the eight-byte header of versions 1 and 2, for clients that speak nothing newer.
     *
     * @param version 1 or 2
     * @param streamId -128..127
     * @param message cut to what the wire can carry
     * @return owned by the caller, its length set
     */
    public BufferLease encodeLegacyError(final int version,
        final int streamId,
        final ErrorCode code,
        final String message)
    {
        boolean done = false;
        writer.begin(EnvelopeHeader.LEGACY_LENGTH + Integer.BYTES + Short.BYTES + message.length(), 1 << 17);
        try
        {
            writer.putByte(EnvelopeHeader.RESPONSE_BIT | version);
            writer.putByte(0);
            writer.putByte(streamId);
            writer.putByte(Opcode.ERROR.code());
            writer.putInt(0);
            writer.putInt(code.code());
            writer.putString(message);
            final UnsafeBuffer buffer = writer.lease().buffer();
            buffer.putInt(LEGACY_BODY_LENGTH_OFFSET, writer.position() - EnvelopeHeader.LEGACY_LENGTH,
                ByteOrder.BIG_ENDIAN);
            final BufferLease lease = writer.finish();
            done = true;
            return lease;
        }
        finally
        {
            if (!done)
            {
                abort();
            }
        }
    }
}
