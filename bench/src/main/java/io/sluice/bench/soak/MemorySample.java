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

/**
 * The node's memory at one moment, in bytes. Immutable.
 *
 * @param seconds since the start of the soak
 * @param heap in use after a full collection
 * @param direct of all direct buffers that the JVM counts, Cassandra's own included
 * @param buffers of the transport's pool, idle and lent
 * @param resident anonymous memory of the process; 0 if unknown
 */
record MemorySample(double seconds, long heap, long direct, long buffers, long resident)
{
}
