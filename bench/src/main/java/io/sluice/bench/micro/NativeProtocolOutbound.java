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
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.SegmentCodec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/** The way out of DataStax native-protocol, as its driver uses it. Confined to one thread. */
final class NativeProtocolOutbound
{
    private static final int VERSION = 5;

    private final int answers;
    private final List<ByteBuffer> row;
    private final RowsMetadata metadata;
    private final FrameCodec<ByteBuf> frames = FrameCodec.defaultServer(
        new ByteBufPrimitiveCodec(PooledByteBufAllocator.DEFAULT), Compressor.none());
    private final SegmentCodec<ByteBuf> segments;

    NativeProtocolOutbound(final boolean lz4, final int answers, final byte[]... cells)
    {
        this.answers = answers;
        segments = NativeProtocolLz4.segmentCodec(lz4);
        metadata = cells.length == 0 ? null : new RowsMetadata(cells.length, null, null, null);
        row = new ArrayList<>();
        for (final byte[] cell : cells)
        {
            row.add(ByteBuffer.wrap(cell));
        }
    }

    int flush()
    {
        final Frame[] pending = new Frame[answers];
        final int[] bodySizes = new int[answers];
        int size = 0;
        for (int i = 0; i < answers; i++)
        {
            pending[i] = Frame.forResponse(VERSION, i, null, Frame.NO_PAYLOAD, Collections.emptyList(), message());
            bodySizes[i] = frames.encodedBodySize(pending[i]);
            size += frames.encodedHeaderSize(pending[i]) + bodySizes[i];
        }
        final ByteBuf payload = PooledByteBufAllocator.DEFAULT.directBuffer(size);
        for (int i = 0; i < answers; i++)
        {
            frames.encodeInto(pending[i], bodySizes[i], payload);
        }
        return NativeProtocolSegments.bytesOf(segments, payload);
    }

    /** Encodes without segments; returns how many bytes there were. */
    int encode()
    {
        int bytes = 0;
        for (int i = 0; i < answers; i++)
        {
            final ByteBuf encoded = frames.encode(
                Frame.forResponse(VERSION, i, null, Frame.NO_PAYLOAD, Collections.emptyList(), message()));
            bytes += encoded.readableBytes();
            encoded.release();
        }
        return bytes;
    }

    private Message message()
    {
        if (metadata == null)
        {
            return Void.INSTANCE;
        }
        final Queue<List<ByteBuffer>> rows = new ArrayDeque<>(1);
        rows.add(row);
        return new DefaultRows(metadata, rows);
    }
}
