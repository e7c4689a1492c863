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
package org.apache.cassandra.transport;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.apache.cassandra.net.FrameEncoder;
import org.apache.cassandra.net.FrameEncoderCrc;
import org.apache.cassandra.net.FrameEncoderLZ4;

/** The stock segments, from a payload in memory to bytes for the socket. Confined to one thread. */
public final class StockSegments
{
    private final ByteBuffer source;
    private final StockOutbound.Sink sink = new StockOutbound.Sink();
    private final FrameEncoder.PayloadAllocator allocator;
    private final EmbeddedChannel channel;

    /** For this payload of at most 131,071 bytes. */
    public StockSegments(final boolean lz4, final byte[] payload)
    {
        StockRuntime.start();
        source = ByteBuffer.allocateDirect(payload.length).put(payload).flip();
        final FrameEncoder encoder = lz4 ? FrameEncoderLZ4.fastInstance : FrameEncoderCrc.instance;
        allocator = encoder.allocator();
        channel = new EmbeddedChannel(sink, encoder);
    }

    /** Fills a payload as the stock flusher does and encodes it; returns how many bytes went to the socket. */
    public int encode()
    {
        sink.bytes = 0;
        final FrameEncoder.Payload payload = allocator.allocate(true, source.capacity());
        payload.buffer.put(source.position(0));
        payload.finish();
        channel.write(payload, channel.voidPromise());
        return sink.bytes;
    }
}
