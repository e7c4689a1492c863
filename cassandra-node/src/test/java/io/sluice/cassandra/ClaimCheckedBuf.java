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

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/**
 * A body for the stock decoder, which allocates up to 2 GiB on the word of a length and only then looks for the bytes.
 * This throws in between, for lengths that are not there and large enough to hurt.
 */
final class ClaimCheckedBuf extends UnpooledHeapByteBuf
{
    private static final int HARMLESS_BYTES = 1 << 16;
    private static final String READER = "org.apache.cassandra.transport.CBUtil";

    /** Instead of what the stock decoder throws after having allocated. */
    static final class ClaimException extends IndexOutOfBoundsException
    {
        private static final long serialVersionUID = 1L;

        ClaimException(final int length)
        {
            super("length: " + length);
        }
    }

    ClaimCheckedBuf(final byte[] body)
    {
        super(UnpooledByteBufAllocator.DEFAULT, body, body.length);
    }

    @Override
    public int readInt()
    {
        final int value = super.readInt();
        // The same call reads a page size: only who calls tells.
        if (value > HARMLESS_BYTES && value > readableBytes() &&
            StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst())
                .filter(frame -> isValue(frame))
                .isPresent())
        {
            throw new ClaimException(value);
        }
        return value;
    }

    private static boolean isValue(final StackWalker.StackFrame frame)
    {
        return frame.getClassName().equals(READER) && frame.getMethodName().matches("readValue|readBoundValue");
    }
}
