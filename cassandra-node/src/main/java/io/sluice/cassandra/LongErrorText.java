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

import io.sluice.framing.response.BodyWriter;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;
import org.apache.cassandra.exceptions.ExceptionCode;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ErrorMessage;

/**
 * Cuts an error text that is too long for its length field, behind Cassandra's codec, which writes the whole text and
 * the lower 16 bits of its length. The body is {@code [int code][short length][text][tail]}; the tail is kept.
 */
final class LongErrorText
{
    private static final int LENGTH_OFFSET = Integer.BYTES;
    private static final int TEXT_OFFSET = LENGTH_OFFSET + Short.BYTES;
    private static final int LONGEST = BodyWriter.MAX_STRING_BYTES;
    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;

    private LongErrorText()
    {
    }

    /**
     * Repairs the body that was just written from {@code start} to the writer's position, if need be.
     */
    static void cut(final ErrorMessage failure, final ProtocolVersion version, final BodyWriter out, final int start)
    {
        final int bodyLength = out.position() - start;
        if (bodyLength - TEXT_OFFSET <= LONGEST)
        {
            return;
        }
        final int written = text(failure, version).getBytes(StandardCharsets.UTF_8).length;
        final MutableDirectBuffer buffer = out.lease().buffer();
        final int field = Short.toUnsignedInt(buffer.getShort(start + LENGTH_OFFSET, ByteOrder.BIG_ENDIAN));
        if (written <= LONGEST || written > bodyLength - TEXT_OFFSET || (written & LONGEST) != field)
        {
            return;
        }
        final int textStart = start + TEXT_OFFSET;
        int kept = LONGEST;
        while (kept > 0 && (buffer.getByte(textStart + kept) & CONTINUATION_MASK) == CONTINUATION)
        {
            kept--;
        }
        final int tail = bodyLength - TEXT_OFFSET - written;
        buffer.putShort(start + LENGTH_OFFSET, (short)kept, ByteOrder.BIG_ENDIAN);
        buffer.putBytes(textStart + kept, buffer, textStart + written, tail);
        out.position(textStart + kept + tail);
    }

    /** What the codec wrote: for clients that do not know the code, the message's own rendering. */
    private static String text(final ErrorMessage failure, final ProtocolVersion version)
    {
        final ExceptionCode code = failure.error.code();
        if (version.isSmallerThan(ProtocolVersion.V4) &&
            (code == ExceptionCode.FUNCTION_FAILURE || code == ExceptionCode.CDC_WRITE_FAILURE))
        {
            return failure.toString();
        }
        return failure.error.getMessage() == null ? "" : failure.error.getMessage();
    }
}
