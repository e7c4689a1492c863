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
package io.sluice.bench.micro;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** The way in of DataStax native-protocol, as its driver uses it. Confined to one thread. */
final class NativeProtocolInbound
{
    private final byte[] wire;
    private final boolean decodeRequests;
    private final FrameCodec<ByteBuf> frames = FrameCodec.defaultServer(
        new ByteBufPrimitiveCodec(PooledByteBufAllocator.DEFAULT), Compressor.none());
    private final SegmentCodec<ByteBuf> segments;
    private Frame last;

    NativeProtocolInbound(final boolean lz4, final byte[] wire, final boolean decodeRequests)
    {
        this.wire = wire;
        this.decodeRequests = decodeRequests;
        segments = NativeProtocolLz4.segmentCodec(lz4);
    }

    int read()
    {
        final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(wire.length);
        bytes.writeBytes(wire);
        int count = 0;
        try
        {
            while (bytes.isReadable())
            {
                final SegmentCodec.Header header = segments.decodeHeader(bytes.readSlice(segments.headerLength() +
                    SegmentCodec.CRC24_LENGTH));
                final Segment<ByteBuf> segment = segments.decode(header, bytes.readRetainedSlice(header.payloadLength +
                    SegmentCodec.CRC32_LENGTH));
                count += readPayload(segment.payload);
            }
        }
        catch (final CrcMismatchException e)
        {
            throw new IllegalStateException(e);
        }
        finally
        {
            bytes.release();
        }
        return count;
    }

    private int readPayload(final ByteBuf payload)
    {
        int count = decodeRequests ? 0 : 1;
        try
        {
            while (decodeRequests && payload.isReadable())
            {
                last = frames.decode(payload);
                count++;
            }
        }
        finally
        {
            payload.release();
        }
        return count;
    }

    Frame last()
    {
        return last;
    }
}
