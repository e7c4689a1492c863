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
package io.sluice.framing.segment;

/** How segments look on one connection, agreed in STARTUP (native protocol, section 2.2). Immutable. */
public enum SegmentFormat
{
    /** Header of 6 bytes, payload as it is. */
    PLAIN(6, 3),
    /** Header of 8 bytes, payload an LZ4 block or, where that does not pay, as it is. */
    LZ4(8, 5);

    /** CRC32 behind the payload, in bytes. */
    public static final int TRAILER_LENGTH = 4;
    /** Most payload bytes in a segment, before and after compression: what 17 bits can say. */
    public static final int MAX_PAYLOAD = (1 << 17) - 1;

    private final int headerLength;
    private final int wordLength;

    SegmentFormat(final int headerLength, final int wordLength)
    {
        this.headerLength = headerLength;
        this.wordLength = wordLength;
    }

    /** In bytes, CRC24 included. */
    public int headerLength()
    {
        return headerLength;
    }

    /** Bytes of the header that its CRC24 covers. */
    public int wordLength()
    {
        return wordLength;
    }

    /** Header and trailer, in bytes. */
    public int overhead()
    {
        return headerLength + TRAILER_LENGTH;
    }
}
