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

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * In front of the TLS of a connection whose output is shut: drops what the client still sends, as it came. It must be
 * read, else the end of the connection would be a reset that takes the last answer away from the client; but it must
 * not be decrypted, since an engine of OpenSSL's takes the first data behind its own close notification for the end of
 * the whole session.
 */
@ChannelHandler.Sharable
final class DiscardingReads extends ChannelInboundHandlerAdapter
{
    static final DiscardingReads INSTANCE = new DiscardingReads();

    private DiscardingReads()
    {
    }

    @Override
    public void channelRead(final ChannelHandlerContext ctx, final Object message)
    {
        ReferenceCountUtil.release(message);
    }
}
