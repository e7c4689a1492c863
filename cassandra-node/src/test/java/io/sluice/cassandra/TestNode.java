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
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListener;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.testkit.ProxyHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * A real Cassandra node in this JVM, on free ports and in a folder of its own, with sessions to it. Which transport
 * serves it, {@code sluice.it.transport} says: the same tests hold for both.
 */
public final class TestNode implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final NodeKind kind;
    private final Path folder;
    private final int port;
    private final int jmxPort;
    private final int tlsPort;
    private final int metricsPort;
    private final CassandraNode node;

    private TestNode(final NodeKind kind, final Path folder, final int[] ports) throws StartupFailure, IOException
    {
        this.kind = kind;
        this.folder = folder;
        port = ports[0];
        jmxPort = ports[1];
        tlsPort = kind == NodeKind.MUTUAL ? ports[3] : port;
        metricsPort = ports[4];
        final List<String> arguments = new ArrayList<>(Arrays.asList(kind.options()));
        arguments.addAll(List.of("--data", folder.toString(), "--port", Integer.toString(port), "--jmx-port", Integer
            .toString(jmxPort), "--storage-port", Integer.toString(ports[2])));
        if ("stock".equals(System.getProperty("sluice.it.transport")))
        {
            arguments.add("--stock");
        }
        else
        {
            arguments.addAll(List.of("--proxy-from", ProxyHeaders.PROXY));
            if (kind == NodeKind.OPEN)
            {
                arguments.addAll(List.of("--metrics-port", Integer.toString(metricsPort)));
            }
        }
        if (kind == NodeKind.MUTUAL)
        {
            arguments.addAll(List.of("--ssl-port", Integer.toString(tlsPort), "--config",
                MutualTlsConfiguration.write(folder, port, ports[2]).toString()));
        }
        node = CassandraNode.start(NodeOptions.of(arguments.toArray(String[]::new)), () ->
        {
        });
        bePatient();
        final String locale = System.getProperty("sluice.it.locale");
        if (locale != null)
        {
            // Not before, for Cassandra itself does not start in every locale: see define.
            Locale.setDefault(Locale.forLanguageTag(locale));
        }
    }

    /**
     * Has that change of the schema made in English, whatever the JVM's locale is: Cassandra makes the names of options
     * with {@code toLowerCase()}, some when first used and some every time, and then asks for them in English.
     */
    public static synchronized void define(final CqlSession session, final String statement)
    {
        final Locale locale = Locale.getDefault();
        Locale.setDefault(Locale.ENGLISH);
        try
        {
            session.execute(statement);
        }
        finally
        {
            Locale.setDefault(locale);
        }
    }

    /** On a busy machine Cassandra's few seconds would turn slowness into failures. */
    private static void bePatient()
    {
        DatabaseDescriptor.setRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setReadRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setRangeRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setWriteRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setCounterWriteRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setCasContentionTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setTruncateRpcTimeout(PATIENCE.toMillis());
        DatabaseDescriptor.setAutoSnapshot(false);
    }

    static TestNode start()
    {
        try
        {
            final Path parent = Files.createDirectories(Path.of("target", "node-it"));
            return new TestNode(NodeKind.ofThisJvm(), Files.createTempDirectory(parent, "node"), freePorts(5));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final StartupFailure e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** All taken at once, so that they differ; given back, so that the node can have them. */
    private static int[] freePorts(final int count) throws IOException
    {
        final List<ServerSocket> sockets = new ArrayList<>();
        try
        {
            final int[] ports = new int[count];
            for (int i = 0; i < count; i++)
            {
                final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports[i] = socket.getLocalPort();
            }
            return ports;
        }
        finally
        {
            for (final ServerSocket socket : sockets)
            {
                socket.close();
            }
        }
    }

    public NodeKind kind()
    {
        return kind;
    }

    public InetSocketAddress address()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Where TLS is spoken, if it is. */
    public InetSocketAddress tlsAddress()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), tlsPort);
    }

    /** The node's own folder. */
    public Path folder()
    {
        return folder;
    }

    /** What serves this node, or null if its own transport does. */
    public NativeTransport transport()
    {
        return node.transport();
    }

    public int jmxPort()
    {
        return jmxPort;
    }

    /** Where metrics are for Prometheus: of an open node alone. */
    public int metricsPort()
    {
        return metricsPort;
    }

    public Path trustStore()
    {
        return folder.resolve("tls").resolve("truststore.p12");
    }

    /** What it shows to clients. */
    public Path keyStore()
    {
        return folder.resolve("tls").resolve("keystore.p12");
    }

    /** A new session, plain, logged in as the first user where the node asks for it; the caller closes it. */
    public CqlSession connect(final Wire wire)
    {
        return connect("cassandra", "cassandra", config(wire), null);
    }

    /** As {@link #connect(Wire)}, as that user. */
    public CqlSession connect(final Wire wire, final String user, final String password)
    {
        return connect(user, password, config(wire), null);
    }

    /** As {@link #connect(Wire)}, telling the listener of schema changes, which the server pushes. */
    public CqlSession connect(final Wire wire, final SchemaChangeListener listener)
    {
        return connect("cassandra", "cassandra", config(wire).withBoolean(
            DefaultDriverOption.METADATA_SCHEMA_ENABLED, true), listener);
    }

    /** As {@link #connect(Wire)}, over TLS. */
    public CqlSession connectTls(final Wire wire)
    {
        return connect("cassandra", "cassandra", tlsConfig(wire), null);
    }

    /** As that user, over TLS of the caller's making. */
    public CqlSession connectTls(final Wire wire, final SSLContext tls, final String user, final String password)
    {
        return CqlSession.builder()
            .addContactPoint(tlsAddress())
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(config(wire).build())
            .withSslContext(tls)
            .withAuthCredentials(user, password)
            .build();
    }

    private CqlSession connect(final String user,
        final String password,
        final ProgrammaticDriverConfigLoaderBuilder config,
        final SchemaChangeListener listener)
    {
        final CqlSessionBuilder builder = CqlSession.builder()
            .addContactPoint(address())
            .withLocalDatacenter(
                "datacenter1")
            .withConfigLoader(config.build());
        if (kind == NodeKind.SECURED || kind == NodeKind.MUTUAL)
        {
            builder.withAuthCredentials(user, password);
        }
        if (listener != null)
        {
            builder.withSchemaChangeListener(listener);
        }
        return builder.build();
    }

    private static ProgrammaticDriverConfigLoaderBuilder config(final Wire wire)
    {
        return DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.PROTOCOL_VERSION, wire.version().name())
            .withString(DefaultDriverOption.PROTOCOL_COMPRESSION, wire.compression())
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(20))
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, 4_096)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(400))
            // else every session reads the whole schema again at every change that any test makes
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false);
    }

    private ProgrammaticDriverConfigLoaderBuilder tlsConfig(final Wire wire)
    {
        return config(wire)
            .withString(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, "DefaultSslEngineFactory")
            .withString(DefaultDriverOption.SSL_TRUSTSTORE_PATH, trustStore().toString())
            .withString(DefaultDriverOption.SSL_TRUSTSTORE_PASSWORD, TlsMaterial.DEVELOPMENT_PASSWORD)
            .withBoolean(DefaultDriverOption.SSL_HOSTNAME_VALIDATION, true);
    }

    @Override
    public void close() throws IOException, ExecutionException
    {
        try
        {
            node.stop();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the node was draining", e);
        }
        try (Stream<Path> files = Files.walk(folder))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
