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

/**
 * What all clients of one run share. Immutable; its parts are for any thread.
 *
 * @param target where the node is
 * @param ledger what is done and what goes wrong
 * @param stop when to end
 * @param content what values must be
 * @param seed of all choices
 */
record Soak(SoakTarget target, Ledger ledger, SoakStop stop, Content content, long seed)
{
    /** Choices of its own for each client, the same for the same seed. */
    SplittableRandom random(final String client)
    {
        return new SplittableRandom(seed ^ (long)client.hashCode() << 32);
    }
}
