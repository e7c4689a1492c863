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
import io.netty.buffer.Unpooled;
import io.sluice.memory.BufferLease;

/** The one {@code ByteBuf} that leased memory has for life, so that writing it to a socket allocates nothing. */
public final class LeaseByteBuf
{
    private LeaseByteBuf()
    {
    }

    /**
     * The memory of a lease as a {@code ByteBuf} with both indexes at 0: borrowed, for as long as the lease is held.
     * Its capacity is fixed: it cannot grow. Whoever hands it to a channel retains it first.
     */
    public static ByteBuf of(final BufferLease lease)
    {
        final Object attachment = lease.attachment();
        if (attachment != null)
        {
            return ((ByteBuf)attachment).clear();
        }
        final ByteBuf wrapper = Unpooled.wrappedBuffer(lease.memory().nioView(0, lease.capacity()));
        lease.attachment(wrapper);
        return wrapper.clear();
    }
}
