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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The unmodified Java driver against the example of the README. */
@ExtendWith(LogWatch.class)
final class EmbeddingExampleIT
{
    private ExecutorService requests;
    private NativeTransport transport;

    @BeforeEach
    void start()
    {
        requests = Executors.newFixedThreadPool(2);
        transport = EmbeddingExample.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), requests);
    }

    @AfterEach
    void stop()
    {
        Await.until("connections closed", () -> transport.connections().isEmpty());
        Await.until("leases back", () -> transport.buffers().outstandingLeases() == 0);
        assertEquals(0, transport.inFlightBytes());
        assertEquals(0, transport.clientAddresses());
        transport.close();
        requests.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({"V5,none", "V5,lz4", "V4,none", "V4,lz4", "V4,snappy", "V3,none", "V3,lz4"})
    void servesTheJavaDriver(final String version, final String compression)
    {
        try (CqlSession session = connect(version, compression))
        {
            assertEquals(version, session.getContext().getProtocolVersion().name());
            queries(session);
            preparesAndExecutes(session);
            batches(session);
            manyAtOnce(session);
        }
    }

    private CqlSession connect(final String version, final String compression)
    {
        final ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.PROTOCOL_VERSION, version)
            .withString(DefaultDriverOption.PROTOCOL_COMPRESSION, compression)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(20))
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
            .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
            .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy.class);
        return CqlSession.builder()
            .withConfigLoader(config.build())
            .addContactPoint(transport.localAddress())
            .build();
    }

    private static void queries(final CqlSession session)
    {
        session.execute(SimpleStatement.newInstance("INSERT INTO demo.kv (k, v) VALUES (?, ?)", "one", "eins"));
        final Row row = session.execute(SimpleStatement.newInstance("SELECT v FROM demo.kv WHERE k = ?", "one")).one();
        assertEquals("eins", row.getString("v"));
        assertNull(session.execute(SimpleStatement.newInstance("SELECT v FROM demo.kv WHERE k = ?", "none")).one());
    }

    private static void preparesAndExecutes(final CqlSession session)
    {
        final PreparedStatement insert = session.prepare("INSERT INTO demo.kv (k, v) VALUES (?, ?)");
        final PreparedStatement select = session.prepare("SELECT v FROM demo.kv WHERE k = ?");
        final String large = "x".repeat(1_000_000);
        session.execute(insert.bind("two", large));
        assertEquals(large, session.execute(select.bind("two")).one().getString("v"));
    }

    private static void batches(final CqlSession session)
    {
        final PreparedStatement insert = session.prepare("INSERT INTO demo.kv (k, v) VALUES (?, ?)");
        session.execute(BatchStatement.newInstance(BatchType.UNLOGGED, insert.bind("three", "drei"),
            SimpleStatement.newInstance("INSERT INTO demo.kv (k, v) VALUES (?, ?)", "four", "vier")));
        final PreparedStatement select = session.prepare("SELECT v FROM demo.kv WHERE k = ?");
        assertEquals("drei", session.execute(select.bind("three")).one().getString("v"));
        assertEquals("vier", session.execute(select.bind("four")).one().getString("v"));
    }

    private static void manyAtOnce(final CqlSession session)
    {
        final PreparedStatement insert = session.prepare("INSERT INTO demo.kv (k, v) VALUES (?, ?)");
        final PreparedStatement select = session.prepare("SELECT v FROM demo.kv WHERE k = ?");
        final List<CompletionStage<?>> inserts = new ArrayList<>();
        for (int i = 0; i < 500; i++)
        {
            inserts.add(session.executeAsync(insert.bind("many" + i, "v".repeat(i) + i)));
        }
        inserts.forEach(stage -> stage.toCompletableFuture().join());
        for (int i = 0; i < 500; i += 50)
        {
            assertEquals("v".repeat(i) + i, session.execute(select.bind("many" + i)).one().getString("v"));
        }
    }
}
