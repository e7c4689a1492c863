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

import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** The segments of DataStax native-protocol, as its driver uses them. Confined to one thread. */
final class NativeProtocolSegments
{
    private final ByteBuf source;
    private final SegmentCodec<ByteBuf> segments;

    NativeProtocolSegments(final boolean lz4, final byte[] payload)
    {
        source = Unpooled.directBuffer(payload.length).writeBytes(payload);
        segments = NativeProtocolLz4.segmentCodec(lz4);
    }

    int encode()
    {
        final ByteBuf payload = PooledByteBufAllocator.DEFAULT.directBuffer(source.readableBytes());
        payload.writeBytes(source, 0, source.readableBytes());
        return bytesOf(segments, payload);
    }

    /** Encodes and releases; returns how many bytes there were. */
    static int bytesOf(final SegmentCodec<ByteBuf> segments, final ByteBuf payload)
    {
        final List<Object> out = new ArrayList<>(3);
        segments.encode(new Segment<>(payload, true), out);
        int bytes = 0;
        for (final Object part : out)
        {
            final ByteBuf buffer = (ByteBuf)part;
            bytes += buffer.readableBytes();
            buffer.release();
        }
        return bytes;
    }
}
