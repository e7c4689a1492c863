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
package io.sluice.transport.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** What a TLS handler does to reads: foreign buffers, several to a read, some of them after reading was stopped. */
final class SimSplitter extends ChannelInboundHandlerAdapter
{
    private final Dice dice;

    SimSplitter(final Dice dice)
    {
        this.dice = dice;
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message)
    {
        final ByteBuf bytes = (ByteBuf)message;
        while (bytes.isReadable())
        {
            final byte[] piece = new byte[dice.cut(bytes.readableBytes())];
            bytes.readBytes(piece);
            context.fireChannelRead(foreign(piece));
        }
        bytes.release();
    }

    private ByteBuf foreign(final byte[] piece)
    {
        return switch (dice.below(3))
        {
            case 0 -> Unpooled.wrappedBuffer(piece);
            case 1 -> Unpooled.directBuffer(piece.length).writeBytes(piece);
            default ->
            {
                final int half = dice.below(piece.length + 1);
                yield Unpooled.compositeBuffer()
                    .addComponent(true, Unpooled.copiedBuffer(piece, 0, half))
                    .addComponent(true,
                        Unpooled.directBuffer(piece.length).writeBytes(piece, half, piece.length - half));
            }
        };
    }
}
