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

import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentEncoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentOutput;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Two ways for answers from the threads that make them to the segment that the loop writes (decision 0003). Encoding is
 * one copy of known bytes here, the same for both; all is done by one thread, so that only the work counts.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class HandBackBenchmark implements SegmentOutput
{
    private static final int POOL_BYTES = 64 << 20;
    private static final long WRITER = 1L << 32;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** In one flush. */
    @Param({"1", "16", "256"})
    private int answers;

    /** Of one whole envelope. */
    @Param({"100", "400"})
    private int bytes;

    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, POOL_BYTES, false);
    private final SegmentScratch scratch = new SegmentScratch();
    private final SegmentBatcher batcher = new SegmentBatcher(pool, scratch);
    private final SegmentEncoder encoder = new SegmentEncoder(scratch);
    private final DirectMemory encoded = DirectMemory.allocate(1 << 10);
    private final AtomicReference<Answer> stack = new AtomicReference<>();
    /** Low half: where the next answer goes; high half: how many are being copied. */
    private final AtomicLong claims = new AtomicLong();
    private DirectMemory source;
    private int written;

    /** An answer on its way. */
    private static final class Answer
    {
        private final BufferLease lease;
        private Answer next;

        Answer(final BufferLease lease)
        {
            this.lease = lease;
        }
    }

    /** Bytes that compress as rows of text do. */
    @Setup
    public void setUp()
    {
        source = DirectMemory.allocate(bytes);
        for (int i = 0; i < bytes; i++)
        {
            source.buffer().putByte(i, (byte)('a' + i * i % 26));
        }
    }

    /** The way in use: a lease for each answer, a stack, one copy by the loop. */
    @Benchmark
    public int sluice()
    {
        for (int i = 0; i < answers; i++)
        {
            final BufferLease lease = pool.claim(bytes, "answer");
            lease.buffer().putBytes(0, source.buffer(), 0, bytes);
            lease.length(bytes);
            final Answer answer = new Answer(lease);
            do
            {
                answer.next = stack.get();
            }
            while (!stack.compareAndSet(answer.next, answer));
        }
        written = 0;
        batcher.begin(format, answers * bytes, this);
        Answer answer = oldestFirst(stack.getAndSet(null));
        while (answer != null)
        {
            batcher.append(answer.lease.memory(), 0, bytes);
            answer.lease.close();
            answer = answer.next;
        }
        batcher.finish();
        return written;
    }

    private static Answer oldestFirst(final Answer newest)
    {
        Answer oldest = null;
        Answer answer = newest;
        while (answer != null)
        {
            final Answer older = answer.next;
            answer.next = oldest;
            oldest = answer;
            answer = older;
        }
        return oldest;
    }

    /** The other: each answer is copied by its own thread into the connection's open segment, under a claim. */
    @Benchmark
    public int openSegment()
    {
        final BufferLease open = pool.claim(SegmentEncoder.roomFor(SegmentFormat.PLAIN, SegmentFormat.MAX_PAYLOAD),
            "open segment");
        final int start = SegmentFormat.PLAIN.headerLength();
        claims.set(0);
        for (int i = 0; i < answers; i++)
        {
            encoded.buffer().putBytes(0, source.buffer(), 0, bytes);
            long claim = claims.get();
            while (!claims.compareAndSet(claim, claim + WRITER + bytes))
            {
                claim = claims.get();
            }
            open.buffer().putBytes(start + (int)claim, encoded.buffer(), 0, bytes);
            claims.addAndGet(-WRITER);
        }
        final int length = (int)claims.getAndSet(Integer.MAX_VALUE);
        if (format == SegmentFormat.PLAIN)
        {
            written = encoder.sealPlain(open.memory(), 0, length, true);
        }
        else
        {
            final BufferLease sealed = pool.claim(SegmentEncoder.roomFor(format, length), "segment");
            written = encoder.sealLz4(open.memory(), start, length, true, SegmentBatcher.DEFAULT_MIN_COMPRESS_BYTES,
                sealed.memory(), 0);
            sealed.close();
        }
        open.close();
        return written;
    }

    @Override
    public void onOutput(final BufferLease lease, final int segments, final int envelopes)
    {
        written += lease.length();
        lease.close();
    }

    /** Gives all memory back. */
    @TearDown
    public void tearDown()
    {
        pool.close();
    }
}
