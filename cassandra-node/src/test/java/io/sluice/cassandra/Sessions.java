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
package io.sluice.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.EnumMap;
import java.util.Map;

/** One session per wire, opened when first asked for and kept for the test class. Confined to the test's thread. */
public final class Sessions implements AutoCloseable
{
    private final TestNode node;
    private final Map<Wire, CqlSession> open = new EnumMap<>(Wire.class);

    Sessions(final TestNode node)
    {
        this.node = node;
    }

    public CqlSession of(final Wire wire)
    {
        return open.computeIfAbsent(wire, node::connect);
    }

    /** The session of a wire, with a keyspace of that name made for it if it is new. */
    public CqlSession of(final Wire wire, final String keyspace)
    {
        final CqlSession session = of(wire);
        TestNode.define(session, "CREATE KEYSPACE IF NOT EXISTS " + keyspace +
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        return session;
    }

    @Override
    public void close()
    {
        open.values().forEach(CqlSession::close);
    }
}
