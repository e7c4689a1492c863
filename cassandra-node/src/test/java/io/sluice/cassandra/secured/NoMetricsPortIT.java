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
package io.sluice.cassandra.secured;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.cassandra.MetricsPort;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node that was not asked to shows its metrics to nobody over HTTP. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock")
final class NoMetricsPortIT
{
    private final TestNode node;

    NoMetricsPortIT(final TestNode node)
    {
        this.node = node;
    }

    @Test
    void isServedOnlyIfAskedFor()
    {
        assertTrue(node.transport() != null, "it serves clients");
        assertFalse(MetricsPort.isServed());
    }
}
