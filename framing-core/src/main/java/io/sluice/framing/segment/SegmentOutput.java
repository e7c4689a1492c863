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

import io.sluice.memory.BufferLease;

/** Takes sealed segments, in wire order. Called on the event loop that uses the batcher. */
@FunctionalInterface
public interface SegmentOutput
{
    /**
     * One or more whole segments.
     *
     * @param lease owned by the receiver from now on, whatever it throws; its length is set
     * @param segments how many it holds, at least 1
     * @param envelopes how many end in it; 0 if it holds nothing but pieces of one that goes on
     */
    void onOutput(BufferLease lease, int segments, int envelopes);
}
