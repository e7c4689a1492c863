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
package io.sluice.cassandra.mutual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cassandra.KeyMaterial;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.io.IOException;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.auth.MutualTlsWithPasswordFallbackAuthenticator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node with a plain port and one for TLS that asks for certificates: PEM files, identities by SPIFFE, and passwords
 * where there is no certificate.
 */
@ExtendWith(NodeExtension.class)
@NodeExtension.Warns
final class MutualTlsIT
{
    private static final String IDENTITY = "'spiffe://test/alice'";
    /** By name: a key store takes longer to open than a session. */
    private static final Map<String, KeyMaterial> KEYS = new ConcurrentHashMap<>();

    private final TestNode node;

    MutualTlsIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void giveAliceHerIdentity()
    {
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            session.execute("CREATE ROLE IF NOT EXISTS alice WITH LOGIN = true AND PASSWORD = 'secret'");
            session.execute("ADD IDENTITY IF NOT EXISTS " + IDENTITY + " TO ROLE 'alice'");
        }
    }

    @AfterEach
    void passwordsAgain() throws ReflectiveOperationException
    {
        DatabaseDescriptor.setAuthenticator(withFallback);
    }

    private final IAuthenticator withFallback = DatabaseDescriptor.getAuthenticator();

    private CqlSession connectAs(final Wire wire, final String client) throws IOException, GeneralSecurityException
    {
        // The password is wrong for everybody: it must not matter.
        return node.connectTls(wire, key("server").trustedBy(client == null ? null : key(client)), "nobody", "wrong");
    }

    private KeyMaterial key(final String name) throws IOException
    {
        if (!KEYS.containsKey(name))
        {
            KEYS.put(name, KeyMaterial.read(node.folder(), name));
        }
        return KEYS.get(name);
    }

    /** The one that the fallback asks first; a second of its kind cannot be made in one process. */
    private void withoutFallback() throws ReflectiveOperationException
    {
        final Field field = MutualTlsWithPasswordFallbackAuthenticator.class.getDeclaredField("mutualTlsAuthenticator");
        field.setAccessible(true);
        DatabaseDescriptor.setAuthenticator((IAuthenticator)field.get(withFallback));
    }

    private List<Row> clients(final String user)
    {
        try (CqlSession session = node.connect(Wire.V4_PLAIN))
        {
            return session.execute("SELECT username, ssl_enabled, connection_stage FROM system_views.clients")
                .all()
                .stream()
                .filter(row -> user.equals(row.getString(0)))
                .toList();
        }
    }

    private void expectAlice(final Wire wire) throws IOException, GeneralSecurityException
    {
        try (CqlSession session = connectAs(wire, "alice"))
        {
            assertEquals("local", session.execute("SELECT key FROM system.local").one().getString(0));
            final List<Row> rows = clients("alice");
            assertEquals(2, rows.size());
            for (final Row row : rows)
            {
                assertTrue(row.getBoolean(1));
                assertEquals("ready", row.getString(2));
            }
        }
    }

    private String expectRefused(final String client)
    {
        final AllNodesFailedException failure = assertThrows(AllNodesFailedException.class,
            () -> connectAs(Wire.V5_PLAIN, client).close());
        return failure.getAllErrors().values().iterator().next().get(0).toString();
    }

    @ParameterizedTest
    @EnumSource(names = {"V3_PLAIN", "V5_LZ4"})
    void certificateLogsItsRoleIn(final Wire wire) throws IOException, GeneralSecurityException
    {
        expectAlice(wire);
    }

    @ParameterizedTest
    @EnumSource(names = "V4_LZ4")
    void withoutFallbackAsWell(final Wire wire)
        throws IOException, GeneralSecurityException, ReflectiveOperationException
    {
        withoutFallback();
        try (CqlSession session = connectAs(wire, "alice"))
        {
            assertEquals("local", session.execute("SELECT key FROM system.local").one().getString(0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void identityThatWasNotAddedIsRefused(final boolean fallback) throws ReflectiveOperationException
    {
        if (!fallback)
        {
            withoutFallback();
        }
        final String refusal = expectRefused("mallory");
        assertTrue(refusal.contains("Certificate identity 'spiffe://test/mallory' not authorized"), refusal);
    }

    @Test
    void certificateWithoutAnIdentityIsRefused()
    {
        final String refusal = expectRefused("nameless");
        assertTrue(refusal.contains("AuthenticationException"), refusal);
    }

    @Test
    void identityThatWasDroppedIsRefused() throws IOException, GeneralSecurityException
    {
        expectAlice(Wire.V5_LZ4);
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            session.execute("DROP IDENTITY " + IDENTITY);
        }
        assertTrue(expectRefused("alice").contains("not authorized"));
    }

    @Test
    void clientWithoutACertificateIsRefusedByTls()
    {
        final String refusal = expectRefused(null);
        assertTrue(!refusal.contains("AuthenticationException"), refusal);
    }

    @Test
    void certificateThatNobodyTrustsIsRefusedByTls()
    {
        final String refusal = expectRefused("server");
        assertTrue(!refusal.contains("AuthenticationException"), refusal);
    }

    @ParameterizedTest
    @EnumSource(names = {"V3_PLAIN", "V5_LZ4"})
    void passwordLogsInOnThePlainPort(final Wire wire)
    {
        try (CqlSession session = node.connect(wire, "alice", "secret"))
        {
            assertEquals("local", session.execute("SELECT key FROM system.local").one().getString(0));
            assertEquals(2, clients("alice").stream().filter(row -> !row.getBoolean(1)).count());
        }
        assertThrows(AllNodesFailedException.class, () -> node.connect(wire, "alice", "wrong").close());
    }

    @Test
    void withoutFallbackPlainClientsAreToldThatACertificateIsNeeded() throws ReflectiveOperationException
    {
        withoutFallback();
        final AllNodesFailedException failure = assertThrows(AllNodesFailedException.class,
            () -> node.connect(Wire.V5_PLAIN, "alice", "secret").close());
        final Throwable reason = failure.getAllErrors().values().iterator().next().get(0);
        assertTrue(reason instanceof AuthenticationException && reason.getMessage().contains("client certificate"),
            reason::toString);
    }

    @ParameterizedTest
    @EnumSource(names = {"V3_PLAIN", "V5_PLAIN"})
    void plainClientOnTheTlsPortIsTurnedAway(final Wire wire) throws IOException
    {
        try (io.sluice.transport.testkit.WireClient client = io.sluice.transport.testkit.WireClient.connect(
            node.tlsAddress()))
        {
            client.send(io.sluice.transport.testkit.Requests.startup(wire.version().getCode(), 1, (String)null));
            assertTrue(client.readToEnd().length <= 7, "no more than an alert of TLS");
        }
    }
}
