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

import io.sluice.memory.DirectMemory;

/** Takes the payloads of segments, checked and decompressed, in wire order. On the connection's event loop only. */
public interface SegmentSink
{
    /**
     * One payload.
     *
     * @param memory borrowed until return; {@code length} bytes at {@code offset}
     * @param length 0..131,071
     * @param selfContained true: whole envelopes; false: a piece of one envelope
     * @return false to stop decoding after this segment; what the sink did not read of the payload it has copied
     */
    boolean onPayload(DirectMemory memory, int offset, int length, boolean selfContained);
}
