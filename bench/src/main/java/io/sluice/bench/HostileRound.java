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
package io.sluice.bench;

/**
 * Good clients before and during an attack on one server. Immutable.
 *
 * @param server its name
 * @param before good clients, no attack
 * @param during the same, under attack
 * @param grownBytes by how much the server's resident memory rose, at most
 * @param counted what the attack was: answers asked for, or connections that were made
 */
record HostileRound(
    String server,
    SteadyClients.Stretch before,
    SteadyClients.Stretch during,
    long grownBytes,
    long counted)
{
    double rateRatio()
    {
        return during.ratePerSecond() / before.ratePerSecond();
    }

    double p99Ratio()
    {
        return during.p99Micros() / before.p99Micros();
    }
}
