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
package io.sluice.framing.fuzz;

import io.sluice.framing.ProtocolException;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;

/**
 * Gives bytes to a decoder in parts, as a socket would, and writes down what came of it: the same must come of the same
 * bytes however they are cut.
 */
abstract class InboundRun implements AutoCloseable
{
    /** In front of what is read, so that no offset is right by chance. */
    private static final int MARGIN = 3;
    private static final byte STALE = (byte)0xDB;
    /** A gatherer's first memory and the smallest lease, for a segment and an envelope at a time. */
    private static final int LEASED_AT_LEAST = 40 * 1024;
    /** Memory doubles as it fills, and is lent in a few sizes. */
    private static final int LEASED_PER_WIRE_BYTE = 16;
    /** One input holds headers of nine bytes in a block that is up to 255 times smaller, each read in three goes. */
    private static final int READS_PER_WIRE_BYTE = 100;

    private final Workbench bench;
    private final StringBuilder transcript;
    private DirectMemory memory;
    private long wireBytes;
    private long readsLeft;
    private boolean failed;

    /**
     * A run.
     *
     * @param recording false to keep no transcript, so that all that is taken from the heap is the decoder's doing
     */
    InboundRun(final Workbench bench, final boolean recording)
    {
        this.bench = bench;
        this.transcript = recording ? new StringBuilder() : null;
    }

    /** Passes the bytes in parts whose lengths take turns. */
    final void receive(final byte[] bytes, final int length, final int nextLength)
    {
        wireBytes = bytes.length;
        readsLeft = READS_PER_WIRE_BYTE * (wireBytes + 10);
        int start = 0;
        int end = 0;
        boolean turn = false;
        while (end < bytes.length)
        {
            turn = !turn;
            end = Math.min(bytes.length, end + (turn ? length : nextLength));
            fill(bytes, start, end);
            while (!isOver() && (start < end || holdsBytes()))
            {
                final int used = read(end - start);
                if (used > 0 && start + used < end)
                {
                    fill(bytes, start + used, end);
                }
                start += used;
            }
        }
    }

    private void fill(final byte[] bytes, final int start, final int end)
    {
        final int length = end - start;
        memory = bench.memory(length + 2 * MARGIN);
        memory.buffer().putBytes(MARGIN, bytes, start, length);
        memory.buffer().setMemory(MARGIN + length, MARGIN, STALE);
    }

    private int read(final int length)
    {
        if (--readsLeft < 0)
        {
            throw new AssertionError("reading: no end of it, " + length + " bytes left");
        }
        final int limit = MARGIN + length;
        int end = limit;
        try
        {
            end = read(memory, MARGIN, limit);
        }
        catch (final ProtocolException e)
        {
            failed = true;
            onError(e);
        }
        catch (final MemoryExhaustedException e)
        {
            failed = true;
            record("exhausted", 0, 0, 0);
        }
        check(end >= MARGIN && end <= limit, "end", end);
        if (end > MARGIN)
        {
            // Borrowed until here: whoever kept a view sees rubbish now.
            memory.buffer().setMemory(MARGIN, end - MARGIN, STALE);
        }
        checkMemory();
        return end - MARGIN;
    }

    /** Reads; returns the offset behind the last byte used. */
    abstract int read(DirectMemory borrowed, int offset, int limit);

    /** True if bytes that were used before wait for the next read. */
    abstract boolean holdsBytes();

    /** True if nothing will be read any more. */
    boolean isOver()
    {
        return failed;
    }

    /** Fails if more memory is out than the bytes so far can be worth. */
    final void checkMemory()
    {
        final long outstanding = bench.leasedBytes();
        check(outstanding <= LEASED_AT_LEAST + LEASED_PER_WIRE_BYTE * wireBytes, "leased bytes", outstanding);
    }

    static void check(final boolean condition, final String name, final long value)
    {
        if (!condition)
        {
            throw new AssertionError(name + ": " + value);
        }
    }

    final void record(final String what, final long first, final long second, final long third)
    {
        if (transcript != null)
        {
            transcript.append(what)
                .append(' ')
                .append(first)
                .append(' ')
                .append(second)
                .append(' ')
                .append(third)
                .append('\n');
        }
    }

    /** Writes an error down; what clients are told has nothing of Java in it. */
    final void onError(final ProtocolException error)
    {
        final String text = error.getMessage();
        check(error.isFatal() || error.hasStreamId(), "stream of a single request's error", error.streamId());
        check(!text.contains("java.") && !text.contains("Exception"), "text: " + text, 0);
        record(error.isFatal() ? "fatal" : "error", error.streamId(), error.code().code(), 0);
        record(text, 0, 0, 0);
    }

    final boolean isRecording()
    {
        return transcript != null;
    }

    /** What happened, in order; null without recording. */
    final String transcript()
    {
        return transcript == null ? null : transcript.toString();
    }

    /** Ends the run; nothing may be left of it. */
    @Override
    public void close()
    {
        bench.checkReturned();
    }
}
