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

import com.codahale.metrics.MetricRegistry;
import io.sluice.metrics.DropwizardTransportListener;
import io.sluice.metrics.PrometheusEndpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the node's metrics to Prometheus if a port is given: Sluice's own, and Cassandra's about clients and about the
 * pools that serve them. Has no state, any thread.
 */
final class PrometheusPort
{
    /** The port; without it there is none. */
    static final String PROPERTY = "sluice.metrics.port";
    /** Where it listens, if not on loopback. */
    static final String ADDRESS_PROPERTY = "sluice.metrics.address";

    private static final Logger LOG = LoggerFactory.getLogger(PrometheusPort.class);
    private static final String CASSANDRA = "org.apache.cassandra.metrics.";
    private static final Pattern SHOWN = Pattern.compile(
        "(Client|ClientMessageSize|ClientRequestSize|CQL)\\..*|ThreadPools\\..*Native-Transport.*");

    private PrometheusPort()
    {
    }

    /** Starts to listen, or returns null if nobody has asked for it. */
    static PrometheusEndpoint open(final MetricRegistry registry)
    {
        final Integer port = Integer.getInteger(PROPERTY);
        if (port == null)
        {
            return null;
        }
        final PrometheusEndpoint endpoint = PrometheusEndpoint.builder()
            .address(address())
            .port(port)
            .transport(registry, DropwizardTransportListener.DEFAULT_PREFIX)
            .others(CassandraMetricsRegistry.Metrics, PrometheusPort::isShown, CASSANDRA, "cassandra")
            .start();
        LOG.info("Metrics for Prometheus: http:/{}/metrics", endpoint.address());
        return endpoint;
    }

    private static boolean isShown(final String name)
    {
        return name.startsWith(CASSANDRA) && SHOWN.matcher(name.substring(CASSANDRA.length())).matches();
    }

    private static InetAddress address()
    {
        final String address = System.getProperty(ADDRESS_PROPERTY);
        try
        {
            return address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalArgumentException(
                ADDRESS_PROPERTY + ": " + address + " (expected: an address of this machine)", e);
        }
    }
}
