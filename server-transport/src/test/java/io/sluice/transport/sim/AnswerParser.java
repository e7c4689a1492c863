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

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.xerial.snappy.Snappy;

/**
 * Reads what the server sent as a client does, with nothing of the server's code: every checksum, every length, every
 * flag. Whatever does not add up is a failure.
 */
final class AnswerParser
{
    private static final int HEADER = 9;
    private static final int LEGACY_HEADER = 8;
    private static final int LONGEST = 64 << 20;

    private final ByteQueue wire = new ByteQueue();
    private final Consumer<Answer> sink;
    private boolean segments;
    private boolean lz4;
    private String bodyCompression;
    /** Pieces of an envelope that is larger than a segment. */
    private final ByteQueue pieces = new ByteQueue();

    AnswerParser(final Consumer<Answer> sink)
    {
        this.sink = sink;
    }

    /** Everything behind the answer that is being handed out is in segments. */
    void switchToSegments(final boolean newLz4)
    {
        segments = true;
        lz4 = newLz4;
    }

    void compressBodies(final String algorithm)
    {
        bodyCompression = algorithm;
    }

    void accept(final byte[] bytes)
    {
        wire.put(bytes);
        boolean more = true;
        while (more)
        {
            more = segments ? readSegment() : readEnvelope(wire, false);
        }
    }

    /** Bytes that are no whole segment or envelope yet. */
    int unread()
    {
        return wire.size() + pieces.size();
    }

    private boolean readSegment()
    {
        final int headerBytes = lz4 ? 5 : 3;
        if (wire.size() < headerBytes + 3)
        {
            return false;
        }
        final long word = little(0, headerBytes);
        if (little(headerBytes, 3) != WireSegments.crc24(word, headerBytes))
        {
            throw new SimulationFailure("segment header: wrong CRC24");
        }
        final int length = (int)(word & 0x1FFFF);
        final int total = headerBytes + 3 + length + 4;
        if (wire.size() < total)
        {
            return false;
        }
        final byte[] bytes = wire.take(total);
        final int offset = headerBytes + 3;
        final int crc = WireSegments.crc32(bytes, offset, length);
        if (crc != (int)littleOf(bytes, offset + length, 4))
        {
            throw new SimulationFailure("segment payload: wrong CRC32");
        }
        final int uncompressed = lz4 ? (int)(word >>> 17 & 0x1FFFF) : 0;
        final boolean selfContained = (word >>> (lz4 ? 34 : 17) & 1) != 0;
        final byte[] payload = uncompressed == 0
            ? java.util.Arrays.copyOfRange(bytes, offset, offset + length)
            : WireSegments.unLz4(bytes, offset, length, uncompressed);
        if (uncompressed != 0 && payload.length != uncompressed)
        {
            throw new SimulationFailure("segment payload: " + payload.length + " bytes instead of " + uncompressed);
        }
        readPayload(payload, selfContained);
        return true;
    }

    private void readPayload(final byte[] payload, final boolean selfContained)
    {
        if (payload.length == 0)
        {
            throw new SimulationFailure("segment: empty");
        }
        if (selfContained)
        {
            final ByteQueue queue = new ByteQueue();
            queue.put(payload);
            while (readEnvelope(queue, true))
            {
                // All envelopes of the segment.
            }
            if (!queue.isEmpty())
            {
                throw new SimulationFailure("segment: " + queue.size() + " stray bytes behind the last envelope");
            }
            return;
        }
        pieces.put(payload);
        if (readEnvelope(pieces, true) && !pieces.isEmpty())
        {
            throw new SimulationFailure("segment: a piece goes on behind the end of its envelope");
        }
    }

    private boolean readEnvelope(final ByteQueue from, final boolean inSegment)
    {
        if (from.isEmpty())
        {
            return false;
        }
        final int version = from.peek(0) & 0x7F;
        if ((from.peek(0) & 0x80) == 0)
        {
            throw new SimulationFailure("answer: not the direction of an answer");
        }
        if (version <= 2)
        {
            return readLegacy(from);
        }
        if (version > 6)
        {
            throw new SimulationFailure("answer: version " + version);
        }
        if (from.size() < HEADER)
        {
            return false;
        }
        final int length = from.peekInt(5);
        if (length < 0 || length > LONGEST)
        {
            throw new SimulationFailure("answer: body length " + length);
        }
        if (from.size() < HEADER + length)
        {
            return false;
        }
        final byte[] header = from.take(HEADER);
        final Answer answer = new Answer();
        answer.version = version;
        answer.flags = header[1] & 0xFF;
        answer.stream = (short)((header[2] & 0xFF) << 8 | header[3] & 0xFF);
        answer.opcode = header[4] & 0xFF;
        answer.inSegment = inSegment;
        final byte[] body = from.take(length);
        unwrap(answer, (answer.flags & 0x01) == 0 ? body : decompress(body));
        sink.accept(answer);
        return true;
    }

    private boolean readLegacy(final ByteQueue from)
    {
        if (from.size() < LEGACY_HEADER || from.size() < LEGACY_HEADER + from.peekInt(4))
        {
            return false;
        }
        final byte[] header = from.take(LEGACY_HEADER);
        final Answer answer = new Answer();
        answer.version = header[0] & 0x7F;
        answer.flags = header[1] & 0xFF;
        answer.stream = header[2];
        answer.opcode = header[3] & 0xFF;
        answer.body = from.take((header[4] & 0xFF) << 24 | (header[5] & 0xFF) << 16 | (header[6] & 0xFF) << 8 |
            header[7] & 0xFF);
        sink.accept(answer);
        return true;
    }

    private byte[] decompress(final byte[] body)
    {
        if (segments || bodyCompression == null)
        {
            throw new SimulationFailure("answer: compressed without an agreement");
        }
        if ("lz4".equals(bodyCompression))
        {
            final int length = new AnswerBody(body).intOf();
            final byte[] plain = WireSegments.unLz4(body, 4, body.length - 4, length);
            if (plain.length != length)
            {
                throw new SimulationFailure("answer: LZ4 body of " + plain.length + " instead of " + length);
            }
            return plain;
        }
        try
        {
            return Snappy.uncompress(body);
        }
        catch (final IOException e)
        {
            throw new SimulationFailure("answer: snappy body does not decompress", e);
        }
    }

    private static void unwrap(final Answer answer, final byte[] body)
    {
        final AnswerBody reader = new AnswerBody(body);
        if ((answer.flags & 0x02) != 0)
        {
            answer.traced = true;
            answer.tracingId = reader.longOf();
            reader.longOf();
        }
        if ((answer.flags & 0x08) != 0)
        {
            final List<String> warnings = new ArrayList<>();
            for (int count = reader.shortOf(); count > 0; count--)
            {
                warnings.add(reader.string());
            }
            answer.warnings = warnings;
        }
        if ((answer.flags & 0x04) != 0)
        {
            final Map<String, byte[]> payload = new LinkedHashMap<>();
            for (int count = reader.shortOf(); count > 0; count--)
            {
                payload.put(reader.string(), reader.bytesOf());
            }
            answer.customPayload = payload;
        }
        answer.body = reader.rest();
    }

    private long little(final int offset, final int size)
    {
        return littleOf(wire.peek(offset, size), 0, size);
    }

    private static long littleOf(final byte[] bytes, final int offset, final int size)
    {
        long value = 0;
        for (int i = 0; i < size; i++)
        {
            value |= (bytes[offset + i] & 0xFFL) << 8 * i;
        }
        return value;
    }
}
