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
package io.sluice.bench;

import io.sluice.bench.server.NodeDirectory;
import io.sluice.bench.server.ServedTransport;
import io.sluice.bench.server.ServerControl;
import io.sluice.bench.server.UntilInputEnds;
import io.sluice.cassandra.CassandraNode;
import io.sluice.cassandra.NodeOptions;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.cassandra.service.CassandraDaemon;
import picocli.CommandLine;

/** Runs one real node in a folder of its own, which goes when it ends. */
@CommandLine.Command(name = "nodeserver", mixinStandardHelpOptions = true, resourceBundle = NodeServerCommand.TEXTS)
final class NodeServerCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.NodeServerCommand";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--transport", paramLabel = "NAME", required = true)
    private ServedTransport transport;

    /** For whoever started this as a child: it must not outlive its parent. */
    @CommandLine.Option(names = "--until-input-ends", hidden = true)
    private boolean untilInputEnds;

    @Override
    public Integer call() throws Exception
    {
        final PrintWriter out = spec.commandLine().getOut();
        try (ServerControl control = new ServerControl(0, Map.of("profiler", new ProfilerCommand(), "hold",
            new LongestHoldCommand()));
            NodeDirectory directory = NodeDirectory.create())
        {
            control.start();
            if (transport == ServedTransport.STOCK)
            {
                directory.configure();
                // As a node starts itself, but for the signature of its own method, which differs between versions.
                final CassandraDaemon daemon = new CassandraDaemon(true);
                daemon.applyConfig();
                CassandraDaemon.registerNativeAccess();
                daemon.init(null);
                daemon.start();
            }
            else
            {
                directory.configure();
                CassandraNode.start(NodeOptions.of("--config", directory.configuration().toString(), "--data",
                    directory.root().toString(), "--jmx-port", "0"), () ->
                    {
                    });
            }
            UntilInputEnds.serve(out, directory.cqlPort(), control, untilInputEnds);
        }
        // Nothing of it is needed any more: no draining, no hooks.
        Runtime.getRuntime().halt(0);
        return 0;
    }
}
