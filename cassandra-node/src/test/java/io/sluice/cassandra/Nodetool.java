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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.tools.INodeProbeFactory;
import org.apache.cassandra.tools.NodeProbe;
import org.apache.cassandra.tools.NodeTool;
import org.apache.cassandra.tools.Output;

/** Cassandra's own nodetool against a test's node, over its JMX port. Stateless. */
public final class Nodetool
{
    private Nodetool()
    {
    }

    /** What the command says; it must succeed. */
    public static String run(final TestNode node, final String... command)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<String> arguments = new ArrayList<>(List.of("-h", "127.0.0.1", "-p", Integer.toString(node
            .jmxPort())));
        arguments.addAll(List.of(command));
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8))
        {
            assertEquals(0, new NodeTool(new Probes(), new Output(out, out)).execute(arguments.toArray(
                String[]::new)), () -> bytes.toString(StandardCharsets.UTF_8));
        }
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }

    /** Connects as nodetool's own does, which is not public. */
    private static final class Probes implements INodeProbeFactory
    {
        @Override
        public NodeProbe create(final String host, final int port) throws IOException
        {
            return new NodeProbe(host, port);
        }

        @Override
        public NodeProbe create(final String host, final int port, final String user, final String password)
            throws IOException
        {
            return new NodeProbe(host, port, user, password);
        }
    }
}
