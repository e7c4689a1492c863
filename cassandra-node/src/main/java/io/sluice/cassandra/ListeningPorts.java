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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.cassandra.config.DatabaseDescriptor;

/** Tries the ports of a node before its long start, so that a taken one is told at once. Confined to one thread. */
final class ListeningPorts
{
    private final Map<InetSocketAddress, String> taken = new LinkedHashMap<>();

    /** Those that the applied configuration names, and JMX. */
    static void check(final int jmxPort, final Integer metricsPort) throws StartupFailure
    {
        final ListeningPorts ports = new ListeningPorts();
        final InetAddress clients = DatabaseDescriptor.getRpcAddress();
        final int sslPort = DatabaseDescriptor.getNativeTransportPortSSL();
        ports.claim("CQL", clients, DatabaseDescriptor.getNativeTransportPort(), "--port");
        if (sslPort != DatabaseDescriptor.getNativeTransportPort())
        {
            ports.claim("CQL over TLS", clients, sslPort, "--ssl-port");
        }
        ports.claim("storage", DatabaseDescriptor.getListenAddress(), DatabaseDescriptor.getStoragePort(),
            "--storage-port");
        if (jmxPort != 0)
        {
            ports.claim("JMX", InetAddress.getLoopbackAddress(), jmxPort, "--jmx-port");
        }
        if (metricsPort != null)
        {
            ports.claim("metrics", InetAddress.getLoopbackAddress(), metricsPort, "--metrics-port");
        }
    }

    /** Refuses a port that is taken, or that this node would want twice. */
    void claim(final String purpose, final InetAddress address, final int port, final String option)
        throws StartupFailure
    {
        final InetSocketAddress endpoint = new InetSocketAddress(address, port);
        final String other = taken.putIfAbsent(endpoint, purpose);
        if (other != null)
        {
            throw new StartupFailure("port " + port + " is asked for twice, for " + other + " and for " + purpose +
                "; give another " + option);
        }
        try (ServerSocket probe = new ServerSocket())
        {
            probe.setReuseAddress(true); // connections of the last run may still be in TIME_WAIT
            probe.bind(endpoint);
        }
        catch (final IOException e)
        {
            throw new StartupFailure("the " + purpose + " port " + port + " on " + address.getHostAddress() +
                " cannot be opened (" + StartupFailure.reason(e) + "); give another " + option, e);
        }
    }
}
