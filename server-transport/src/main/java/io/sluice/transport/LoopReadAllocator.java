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
package io.sluice.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * Hands out the loop's one read buffer for every read of every plain connection: legal because wire bytes are
 * borrowed for one callback only. If somebody still holds the buffer, a pooled one is used instead.
 */
final class LoopReadAllocator extends DefaultMaxMessagesRecvByteBufAllocator
{
    /** Reads per turn, so that one connection cannot keep its loop from the others. */
    private static final int READS_PER_TURN = 4;

    private final ByteBuf readBuf;

    LoopReadAllocator(final ByteBuf readBuf)
    {
        super(READS_PER_TURN);
        this.readBuf = readBuf;
    }

    @SuppressWarnings("deprecation")
    @Override
    public RecvByteBufAllocator.Handle newHandle()
    {
        return new ReadHandle();
    }

    private final class ReadHandle extends MaxMessageHandle
    {
        @Override
        public ByteBuf allocate(final ByteBufAllocator allocator)
        {
            if (readBuf.refCnt() == 1)
            {
                return readBuf.clear().retain();
            }
            return allocator.directBuffer(guess());
        }

        @Override
        public int guess()
        {
            return LoopContext.READ_BYTES;
        }
    }
}
