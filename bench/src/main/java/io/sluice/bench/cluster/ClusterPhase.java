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
package io.sluice.bench.cluster;

import java.util.Map;

/**
 * One step of a run and what clients saw of it. Immutable.
 *
 * @param name what was done
 * @param stopped what served the node that went down, or null if none did
 * @param seconds how long it took, until all was as before
 * @param requests answered or failed meanwhile
 * @param failed that the application heard of
 * @param retried that one node failed and the driver did again, by the name of the error
 */
record ClusterPhase(
    String name,
    Transport stopped,
    double seconds,
    long requests,
    long failed,
    Map<String, Long> retried)
{
}
