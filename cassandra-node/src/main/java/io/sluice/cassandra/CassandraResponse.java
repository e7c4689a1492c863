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

import io.netty.buffer.ByteBuf;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.BodyWriter;
import io.sluice.framing.response.ResponseBody;
import io.sluice.transport.LeaseByteBuf;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ErrorMessage;

/**
 * One of Cassandra's answers or events, written by Cassandra's own codec straight into the transport's memory.
 * Encoded by one thread, for one version.
 */
final class CassandraResponse implements ResponseBody
{
    /** The codec's estimates are exact but for mistakes; a codec that fails for another reason must not cost much. */
    private static final int MOST_ATTEMPTS = 4;
    private static final int LEAST_ROOM = 64;

    private final Message message;
    private final Message.Codec<Message> codec;
    private int encodedSize = -1;

    @SuppressWarnings("unchecked")
    CassandraResponse(final Message message)
    {
        this.message = message;
        // Each type's codec takes that type's messages; the enum cannot say so.
        this.codec = (Message.Codec<Message>)message.type.codec;
    }

    @Override
    public Opcode opcode()
    {
        return Translation.opcode(message.type);
    }

    @Override
    public ErrorCode errorCode()
    {
        return message instanceof ErrorMessage failure ? ErrorCode.of(failure.error.code().value) : null;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        // It walks all rows: once is enough.
        encodedSize = codec.encodedSize(message, Translation.version(version));
        return encodedSize;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        final org.apache.cassandra.transport.ProtocolVersion spoken = Translation.version(version);
        final int start = out.position();
        int room = encodedSize < 0 ? encodedLengthHint(version) : encodedSize;
        out.ensure(room);
        for (int attempt = 1; !encode(out, spoken, attempt == MOST_ATTEMPTS); attempt++)
        {
            // The codec's own estimate was too small.
            room = 2 * Math.max(room, LEAST_ROOM);
            out.ensure(Math.min(room, out.bytesLeft()));
        }
        if (message instanceof ErrorMessage failure)
        {
            LongErrorText.cut(failure, spoken, out, start);
        }
    }

    /** False if the memory at hand is too small, unless this is the last attempt. */
    private boolean encode(final BodyWriter out,
        final org.apache.cassandra.transport.ProtocolVersion version,
        final boolean last)
    {
        final int start = out.position();
        final ByteBuf buffer = LeaseByteBuf.of(out.lease());
        buffer.setIndex(start, start);
        try
        {
            codec.encode(message, buffer, version);
        }
        catch (final IndexOutOfBoundsException e)
        {
            if (last)
            {
                throw e;
            }
            return false;
        }
        out.position(buffer.writerIndex());
        return true;
    }

    @Override
    public String toString()
    {
        return message.toString();
    }
}
