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

import io.sluice.transport.TrustedProxies;
import java.nio.file.Path;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * What the command line says. A null is "not said": with the user's own configuration file only what was said overrides
 * it, without one the defaults of {@link GeneratedConfiguration} hold. Filled by picocli once, not changed afterwards.
 */
public final class NodeOptions
{
    @Option(names = "--port", paramLabel = "PORT")
    Integer port;

    @Option(names = "--ssl-port", paramLabel = "PORT")
    Integer sslPort;

    @Option(names = "--address", paramLabel = "ADDRESS")
    String address;

    @Option(names = "--data", paramLabel = "DIR")
    Path data;

    @Option(names = "--config", paramLabel = "FILE")
    Path config;

    @Option(names = "--auth")
    boolean auth;

    @Option(names = "--tls", paramLabel = "MODE")
    TlsMode tls;

    @Option(names = "--keystore", paramLabel = "FILE")
    Path keystore;

    @Option(names = "--keystore-password", paramLabel = "PASSWORD")
    String keystorePassword;

    @Option(names = "--proxy-from", paramLabel = "NETWORK", split = ",")
    String[] proxyFrom = {};

    @Option(names = "--stock")
    boolean stock;

    @Option(names = "--jmx-port", paramLabel = "PORT")
    Integer jmxPort;

    @Option(names = "--metrics-port", paramLabel = "PORT")
    Integer metricsPort;

    @Option(names = "--storage-port", paramLabel = "PORT")
    Integer storagePort;

    /** Options as if typed; for embedding and tests. */
    public static NodeOptions of(final String... arguments) throws StartupFailure
    {
        final NodeOptions options = new NodeOptions();
        commandLine(options).parseArgs(arguments);
        options.validate();
        return options;
    }

    static CommandLine commandLine(final Object command)
    {
        return new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    }

    void validate() throws StartupFailure
    {
        checkPort("--port", port, 1);
        checkPort("--ssl-port", sslPort, 1);
        checkPort("--jmx-port", jmxPort, 0);
        checkPort("--storage-port", storagePort, 1);
        checkPort("--metrics-port", metricsPort, 1);
        if (metricsPort != null && stock)
        {
            throw new StartupFailure("--metrics-port shows Sluice's metrics, and --stock starts without it");
        }
        checkProxies();
        if (sslPort != null && tls == TlsMode.OFF)
        {
            throw new StartupFailure("--ssl-port needs TLS, and --tls off turns it off; leave one of them out");
        }
        if (keystore != null && tlsMode() == TlsMode.OFF)
        {
            throw new StartupFailure("--keystore is given but TLS is off; add --tls optional or --tls required");
        }
    }

    private void checkProxies() throws StartupFailure
    {
        try
        {
            TrustedProxies.of(proxyFrom);
        }
        catch (final IllegalArgumentException e)
        {
            throw new StartupFailure("--proxy-from: " + e.getMessage(), e);
        }
        if (proxyFrom.length > 0 && stock)
        {
            throw new StartupFailure("--proxy-from is for Sluice, and --stock asks for another transport");
        }
    }

    private static void checkPort(final String name, final Integer value, final int least) throws StartupFailure
    {
        if (value != null && (value < least || value > 65535))
        {
            throw new StartupFailure(name + ": " + value + " (expected: " + least + "..65535)");
        }
    }

    Path dataDirectory()
    {
        return (data == null ? Path.of("data") : data).toAbsolutePath().normalize();
    }

    /** What was said about TLS, a TLS port counting as "required" there; OFF if nothing was. */
    TlsMode tlsMode()
    {
        if (tls != null)
        {
            return tls;
        }
        return sslPort == null ? TlsMode.OFF : TlsMode.REQUIRED;
    }

    int jmxPortOrDefault()
    {
        return jmxPort == null ? 7199 : jmxPort;
    }
}
