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
import com.datastax.oss.driver.internal.core.protocol.Lz4Compressor;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Makes native-protocol's codecs with the Java driver's LZ4, whose one simple constructor is not public. */
final class NativeProtocolLz4
{
    private NativeProtocolLz4()
    {
    }

    static SegmentCodec<ByteBuf> segmentCodec(final boolean lz4)
    {
        return new SegmentCodec<>(new ByteBufPrimitiveCodec(PooledByteBufAllocator.DEFAULT),
            lz4 ? compressor() : Compressor.none());
    }

    private static Compressor<ByteBuf> compressor()
    {
        try
        {
            final MethodHandle constructor = MethodHandles
                .privateLookupIn(Lz4Compressor.class, MethodHandles.lookup())
                .findConstructor(Lz4Compressor.class, MethodType.methodType(void.class, String.class));
            return (Lz4Compressor)constructor.invoke("bench");
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException("the driver's LZ4 compressor cannot be made", e);
        }
    }
}
