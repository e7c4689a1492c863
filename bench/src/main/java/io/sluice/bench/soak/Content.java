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
package io.sluice.bench.soak;

import java.util.SplittableRandom;

/** The value that a key must have: whoever knows seed, key and generation knows every byte. Immutable; any thread. */
record Content(long seed)
{
    private static final long KEY_STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final long GENERATION_STEP = 0xD1B5_4A32_D192_ED03L;
    private static final int STRIDE = 64;

    /** Bytes that nothing compresses. */
    byte[] noise(final int key, final int length)
    {
        final byte[] bytes = new byte[length];
        new SplittableRandom(seed + key * KEY_STEP).nextBytes(bytes);
        return bytes;
    }

    /** Half of all values compress well, half do not. */
    byte[] value(final int key, final int generation, final int length)
    {
        final SplittableRandom random = new SplittableRandom(seed + key * KEY_STEP + generation * GENERATION_STEP);
        final byte[] bytes = new byte[length];
        if (random.nextBoolean())
        {
            random.nextBytes(bytes);
            return bytes;
        }
        final byte[] stamp = new byte[STRIDE];
        random.nextBytes(stamp);
        for (int i = 0; i < length; i += STRIDE)
        {
            stamp[random.nextInt(STRIDE)] = (byte)random.nextInt();
            System.arraycopy(stamp, 0, bytes, i, Math.min(STRIDE, length - i));
        }
        return bytes;
    }
}
