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
package io.sluice.bench.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The ports of a cluster on 127.0.0.1, .2, .3: CQL and storage are the same on each address, JMX is on 127.0.0.1 and
 * another for each node. Immutable.
 *
 * @param cql for clients
 * @param storage between nodes
 * @param jmx of the first node, the second, the third
 */
record ClusterPorts(int cql, int storage, List<Integer> jmx)
{

    private static final int TRIES = 50;

    /** The address of a node, counted from 0. */
    static String address(final int node)
    {
        return "127.0.0." + (node + 1);
    }

    /** Five in a row, or free ones for 0. */
    static ClusterPorts of(final int first, final int nodes) throws IOException
    {
        final List<Integer> jmx = new ArrayList<>();
        for (int i = 0; i < nodes; i++)
        {
            jmx.add(first == 0 ? free(1) : first + 2 + i);
        }
        return first == 0
            ? new ClusterPorts(free(nodes), free(nodes), jmx)
            : new ClusterPorts(first, first + 1, jmx);
    }

    /** Free on the first addresses. */
    private static int free(final int nodes) throws IOException
    {
        for (int i = 0; i < TRIES; i++)
        {
            final int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address(0))))
            {
                port = socket.getLocalPort();
            }
            if (isFree(port, nodes))
            {
                return port;
            }
        }
        throw new IOException("no port is free on " + nodes + " addresses from " + address(0) + " on");
    }

    private static boolean isFree(final int port, final int nodes)
    {
        for (int node = 0; node < nodes; node++)
        {
            try (ServerSocket socket = new ServerSocket())
            {
                socket.bind(new InetSocketAddress(address(node), port));
            }
            catch (final IOException e)
            {
                return false;
            }
        }
        return true;
    }
}
