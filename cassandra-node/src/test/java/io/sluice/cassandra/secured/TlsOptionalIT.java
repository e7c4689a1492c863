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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plain and TLS clients side by side on one port. */
@ExtendWith(NodeExtension.class)
final class TlsOptionalIT
{
    private final TestNode node;
    private final Sessions sessions;

    TlsOptionalIT(final TestNode node, final Sessions sessions)
    {
        this.node = node;
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void servesBoth(final Wire wire)
    {
        final CqlSession plain = sessions.of(wire);
        try (CqlSession secret = node.connectTls(wire))
        {
            assertEquals("local", secret.execute("SELECT key FROM system.local").one().getString(0));
            assertEquals("local", plain.execute("SELECT key FROM system.local").one().getString(0));
            assertTrue(plain.execute("SELECT ssl_enabled, ssl_protocol FROM system_views.clients")
                .all()
                .stream()
                .anyMatch(row -> row.getBoolean(0) && row.getString(1).startsWith("TLS")));
        }
    }
}
