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
package io.sluice.metrics;

import com.codahale.metrics.MetricRegistry;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Shows metrics to Prometheus over HTTP, under {@code /metrics}, until it is closed. There is none unless one is
 * started, and it listens on loopback unless it is told otherwise: what it shows is for anyone who can connect. Any
 * thread.
 */
public final class PrometheusEndpoint implements AutoCloseable
{
    private final HTTPServer server;
    private final InetAddress address;

    private PrometheusEndpoint(final HTTPServer server, final InetAddress address)
    {
        this.server = server;
        this.address = address;
    }

    /** Starts to describe one. */
    public static Builder builder()
    {
        return new Builder();
    }

    /** Where it listens, with its real port. */
    public InetSocketAddress address()
    {
        return new InetSocketAddress(address, server.getPort());
    }

    /** Stops listening. */
    @Override
    public void close()
    {
        server.close();
    }

    /** What an endpoint shows, and where. Not thread safe. */
    public static final class Builder
    {
        private final PrometheusRegistry registry = new PrometheusRegistry();
        private InetAddress address = InetAddress.getLoopbackAddress();
        private int port;

        private Builder()
        {
        }

        /** Listens here instead of on loopback. */
        public Builder address(final InetAddress newAddress)
        {
            address = Objects.requireNonNull(newAddress, "newAddress");
            return this;
        }

        /** Listens on this port; by default on any free one. */
        public Builder port(final int newPort)
        {
            if (newPort < 0 || newPort > 65_535)
            {
                throw new IllegalArgumentException("port: " + newPort + " (expected: 0..65535)");
            }
            port = newPort;
            return this;
        }

        /**
         * Shows what a {@link DropwizardTransportListener} keeps in this registry, as {@code sluice_...} with opcodes,
         * versions, codes, reasons, causes and stages as labels.
         *
         * @param prefix what the listener was registered under
         */
        public Builder transport(final MetricRegistry metrics, final String prefix)
        {
            registry.register(new DropwizardCollector(metrics, name -> true, prefix + ".", "sluice", true));
            return this;
        }

        /**
         * Shows other metrics of a registry, under their own names in words joined by underscores.
         *
         * @param filter which, by their names
         * @param prefix is cut off their names
         * @param group is put in front of them
         */
        public Builder others(final MetricRegistry metrics,
            final Predicate<String> filter,
            final String prefix,
            final String group)
        {
            registry.register(new DropwizardCollector(metrics, filter, prefix, group, false));
            return this;
        }

        /**
         * Starts to listen.
         *
         * @throws UncheckedIOException if the port cannot be had
         */
        public PrometheusEndpoint start()
        {
            try
            {
                return new PrometheusEndpoint(HTTPServer.builder()
                    .inetAddress(address)
                    .port(port)
                    .registry(registry)
                    .buildAndStart(), address);
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException("cannot listen on " + address.getHostAddress() + ":" + port + ": " + e
                    .getMessage(), e);
            }
        }
    }
}
