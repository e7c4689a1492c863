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
package io.sluice.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The archive for installed nodes: what is in it, and that it takes a node there and back. */
final class DropInIT
{
    private static final Path MODULE = Path.of(System.getProperty("sluice.drop-in.module"));
    private static final Path LIB = MODULE.resolve("target")
        .resolve("sluice-drop-in-" + System.getProperty("sluice.drop-in.version"))
        .resolve("sluice-" + System.getProperty("sluice.drop-in.version"))
        .resolve("lib");
    /** Of Sluice's own launcher, which an installed Cassandra does not need. */
    private static final Set<String> LAUNCHER_ONLY = Set.of("picocli");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static List<Path> classPath(final Path list) throws IOException
    {
        return Stream.of(Files.readString(list).strip().split(File.pathSeparator)).map(Path::of).toList();
    }

    private static List<Path> stockLib() throws IOException
    {
        return classPath(MODULE.resolve("stock-lib").resolve("target").resolve("classpath"));
    }

    private static Set<String> names(final Stream<Path> jars)
    {
        return jars.map(jar -> jar.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Without version: netty-codec of netty-codec-4.1.130.Final.jar. */
    private static String artifact(final String jar)
    {
        return jar.replaceFirst("-\\d.*", "");
    }

    @Test
    void bringsWhatCassandraDoesNotShipAndNothingElse() throws IOException
    {
        final Set<String> stock = names(stockLib().stream());
        final Set<String> stockArtifacts = stock.stream().map(DropInIT::artifact).collect(Collectors.toSet());
        final Set<String> brought;
        try (Stream<Path> files = Files.list(LIB))
        {
            brought = names(files);
        }
        assertEquals(Set.of(), brought.stream()
            .filter(jar -> stockArtifacts.contains(artifact(jar)))
            .collect(
                Collectors.toSet()),
            "in the archive and in Cassandra's lib");
        final Set<String> missing = new TreeSet<>();
        for (final String needed : names(classPath(
            MODULE.resolveSibling("cassandra-node").resolve("target").resolve("runtime-classpath")).stream()))
        {
            if (!stock.contains(needed) && !brought.contains(needed) && !LAUNCHER_ONLY.contains(artifact(needed)))
            {
                missing.add(needed);
            }
        }
        assertEquals(Set.of(), missing, "needed, and neither in the archive (src/assembly/drop-in.xml) nor, in this " +
            "version, in Cassandra's lib");
    }

    @Test
    void servesAnInstalledNodeAndLeavesItAsItWas() throws IOException, InterruptedException
    {
        final Path parent = Files.createDirectories(MODULE.resolve("target").resolve("it"));
        try (Installation cassandra = new Installation(Files.createTempDirectory(parent, "apache-cassandra-5.0.8"),
            MODULE.resolve("src").resolve("test").resolve("distribution"), stockLib()))
        {
            final List<String> stockJars = cassandra.jars();
            cassandra.start();
            try (CqlSession session = connect(cassandra))
            {
                session.execute("CREATE KEYSPACE shop WITH replication = " +
                    "{'class': 'SimpleStrategy', 'replication_factor': 1}");
                session.execute("CREATE TABLE shop.orders (id int PRIMARY KEY, item text)");
                session.execute("INSERT INTO shop.orders (id, item) VALUES (1, 'stock')");
            }
            cassandra.nodetool("drain");
            cassandra.stop();
            assertFalse(cassandra.log().contains("SluiceConfigurator"));

            cassandra.install(LIB);
            cassandra.start();
            assertTrue(cassandra.log().contains("SluiceConfigurator"), "Sluice serves");
            try (CqlSession session = connect(cassandra))
            {
                assertEquals(List.of("1 stock"), orders(session));
                session.execute("INSERT INTO shop.orders (id, item) VALUES (2, 'sluice')");
                assertEquals("running", cassandra.nodetool("statusbinary"));
                assertTrue(cassandra.nodetool("clientstats", "--all").contains("Apache Cassandra Java Driver"));
            }
            // Not drained: that is for the process's own hook.
            cassandra.stop();
            cassandra.start();
            try (CqlSession session = connect(cassandra))
            {
                assertEquals(List.of("1 stock", "2 sluice"), orders(session));
                session.execute("INSERT INTO shop.orders (id, item) VALUES (3, 'drained')");
            }
            cassandra.nodetool("drain");
            assertEquals("not running", cassandra.nodetool("statusbinary"));
            cassandra.stop();

            final int before = cassandra.log().length();
            cassandra.rollBack(LIB);
            assertEquals(stockJars, cassandra.jars());
            cassandra.start();
            try (CqlSession session = connect(cassandra))
            {
                assertEquals(List.of("1 stock", "2 sluice", "3 drained"), orders(session));
            }
            assertFalse(cassandra.log().substring(before).contains("SluiceConfigurator"), "stock serves again");
            assertEquals(List.of(), cassandra.log()
                .lines()
                .filter(line -> line.startsWith("ERROR"))
                .toList());
            cassandra.stop();
        }
    }

    private static CqlSession connect(final Installation cassandra)
    {
        return CqlSession.builder()
            .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), cassandra.port()))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
                .build())
            .build();
    }

    private static List<String> orders(final CqlSession session)
    {
        return session.execute("SELECT id, item FROM shop.orders")
            .all()
            .stream()
            .map(DropInIT::order)
            .sorted()
            .toList();
    }

    private static String order(final Row row)
    {
        return row.getInt(0) + " " + row.getString(1);
    }
}
