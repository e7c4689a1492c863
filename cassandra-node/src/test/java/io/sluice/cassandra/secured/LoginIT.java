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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passwords right and wrong, and what a role may do. */
@ExtendWith(NodeExtension.class)
final class LoginIT
{
    private final TestNode node;
    private final Sessions sessions;

    LoginIT(final TestNode node, final Sessions sessions)
    {
        this.node = node;
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void letsInWhoKnowsThePassword(final Wire wire)
    {
        final CqlSession session = sessions.of(wire);
        assertEquals("local", session.execute("SELECT key FROM system.local").one().getString(0));
        assertTrue(session.execute("SELECT username FROM system_views.clients")
            .all()
            .stream()
            .anyMatch(row -> "cassandra".equals(row.getString(0))));
    }

    @ParameterizedTest
    @EnumSource
    void turnsAwayWhoDoesNot(final Wire wire)
    {
        final AllNodesFailedException refused = assertThrows(AllNodesFailedException.class, () -> node.connect(wire,
            "cassandra", "wrong").close());
        final List<Throwable> causes = refused.getAllErrors().values().iterator().next();
        assertEquals(AuthenticationException.class, causes.get(0).getClass());
    }

    @ParameterizedTest
    @EnumSource
    void holdsARoleToItsRights(final Wire wire)
    {
        final String keyspace = wire.keyspace("login");
        final CqlSession first = sessions.of(wire, keyspace);
        TestNode.define(first, "CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY)");
        first.execute("CREATE ROLE " + keyspace + " WITH PASSWORD = 'secret' AND LOGIN = true");
        try (CqlSession session = node.connect(wire, keyspace, "secret"))
        {
            assertThrows(UnauthorizedException.class, () -> session.execute("SELECT * FROM " + keyspace + ".t"));
            final PreparedStatement insert = session.prepare("INSERT INTO " + keyspace + ".t (k) VALUES (?)");
            assertThrows(UnauthorizedException.class, () -> session.execute(insert.bind(1)));
        }
        first.execute("DROP ROLE " + keyspace);
    }
}
