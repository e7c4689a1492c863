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

/**
 * When compressing is worth it, on connections that agreed on it. Immutable.
 *
 * @param minimumBytes payloads (version 5) and bodies (versions 3 and 4) shorter than this go out raw; 0 and more
 */
public record CompressionPolicy(int minimumBytes)
{
    /** Checks the range. */
    public CompressionPolicy
    {
        if (minimumBytes < 0)
        {
            throw new IllegalArgumentException("minimumBytes: " + minimumBytes + " (expected: >= 0)");
        }
    }

    /** From 64 bytes on. */
    public static CompressionPolicy defaults()
    {
        return new CompressionPolicy(64);
    }
}
