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

import io.sluice.bench.RequestBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the machine can do: below this no transport gets. Over direct memory, but for CRC24, which is arithmetic. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class RawLimitsBenchmark
{
    private static final int CRC24_START = 0x875060;
    private static final int CRC24_POLYNOMIAL = 0x1974F0B;
    private static final int CRC24_TOP = 0x1000000;

    /** Of text. */
    @Param({"64", "1024", "16384", "131071"})
    private int bytes;

    private final CRC32 crc = new CRC32();
    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
    private final int[] crc24 = new int[256];
    private ByteBuffer source;
    private ByteBuffer target;
    private ByteBuffer packed;
    private int packedLength;
    private long header;

    /** Memory with text. */
    @Setup
    public void setUp()
    {
        source = ByteBuffer.allocateDirect(bytes)
            .put(RequestBytes.text(bytes, 1).getBytes(StandardCharsets.US_ASCII))
            .flip();
        target = ByteBuffer.allocateDirect(bytes);
        packed = ByteBuffer.allocateDirect(compressor.maxCompressedLength(bytes));
        packedLength = compressor.compress(source, 0, bytes, packed, 0, packed.capacity());
        header = bytes;
        for (int i = 0; i < crc24.length; i++)
        {
            int value = i << 16;
            for (int bit = 0; bit < 8; bit++)
            {
                value <<= 1;
                value ^= (value & CRC24_TOP) != 0 ? CRC24_POLYNOMIAL : 0;
            }
            crc24[i] = value;
        }
    }

    /** The JDK's, which the processor does. */
    @Benchmark
    public long crc32()
    {
        crc.reset();
        crc.update(source.position(0));
        return crc.getValue();
    }

    /** Of a header of 5 bytes, whatever the size, by table. */
    @Benchmark
    public int crc24()
    {
        int value = CRC24_START;
        long rest = header;
        for (int i = 0; i < 5; i++)
        {
            value = value << 8 & 0xFFFFFF ^ crc24[(value >>> 16 ^ (int)rest) & 0xFF];
            rest >>>= 8;
        }
        header++;
        return value;
    }

    /** The fastest of lz4-java. */
    @Benchmark
    public int lz4Compress()
    {
        return compressor.compress(source, 0, bytes, packed, 0, packed.capacity());
    }

    /** The fastest safe one of lz4-java. */
    @Benchmark
    public int lz4Decompress()
    {
        return decompressor.decompress(packed, 0, packedLength, target, 0, bytes);
    }

    /** Between direct memory. */
    @Benchmark
    public ByteBuffer memcpy()
    {
        return target.put(0, source, 0, bytes);
    }
}
