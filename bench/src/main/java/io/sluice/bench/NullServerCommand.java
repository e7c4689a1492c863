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

import com.codahale.metrics.MetricRegistry;
import io.sluice.bench.server.ServedTransport;
import io.sluice.bench.server.ServerControl;
import io.sluice.bench.server.UntilInputEnds;
import io.sluice.cassandra.RequestPool;
import io.sluice.metrics.DropwizardTransportListener;
import io.sluice.transport.FlushPolicy;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.TransportListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.transport.StockNullServer;
import org.apache.cassandra.transport.StockRuntime;
import picocli.CommandLine;

/** Serves one transport in front of an engine that answers at once from memory. */
@CommandLine.Command(name = "nullserver", mixinStandardHelpOptions = true, resourceBundle = NullServerCommand.TEXTS)
final class NullServerCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.NullServerCommand";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--transport", paramLabel = "NAME", required = true)
    private ServedTransport transport;

    @CommandLine.Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
    private int port;

    @CommandLine.Option(names = "--control", paramLabel = "PORT", defaultValue = "0")
    private int controlPort;

    @CommandLine.Option(names = "--loops", paramLabel = "N", defaultValue = "2")
    private int loops;

    @CommandLine.Option(names = "--threads", paramLabel = "N", defaultValue = "128")
    private int threads;

    @CommandLine.Option(names = "--longest-hold-micros", paramLabel = "N", defaultValue = "-1")
    private long longestHoldMicros;

    /** For whoever started this as a child: it must not outlive its parent. */
    @CommandLine.Option(names = "--until-input-ends", hidden = true)
    private boolean untilInputEnds;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        try (ServerControl control = new ServerControl(controlPort, Map.of()))
        {
            control.start();
            if (transport == ServedTransport.STOCK)
            {
                try (StockNullServer server = new StockNullServer(port, loops, threads))
                {
                    UntilInputEnds.serve(out, server.port(), control, untilInputEnds);
                }
            }
            else
            {
                final DropwizardTransportListener listener = DropwizardTransportListener
                    .register(new MetricRegistry());
                final boolean isBare = transport == ServedTransport.SLUICE_BARE;
                try (NativeTransport server = sluice(isBare ? TransportListener.NONE : listener))
                {
                    if (!isBare)
                    {
                        listener.attach(server);
                    }
                    UntilInputEnds.serve(out, server.localAddress().getPort(), control, untilInputEnds);
                }
            }
        }
        return 0;
    }

    private NativeTransport sluice(final TransportListener listener)
    {
        final NativeTransportBuilder builder = NativeTransport.builder(new VoidEngine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .requestExecutor(switch (transport)
            {
                case SLUICE, SLUICE_BARE -> new RequestPool(pool());
                case SLUICE_SINGLE -> pool();
                default -> Runnable::run;
            })
            .eventLoopThreads(loops)
            .statementIds(VoidEngine.statementIds())
            .listener(listener);
        if (longestHoldMicros >= 0)
        {
            builder.flushPolicy(FlushPolicy.defaults()
                .withLongestHold(Duration.of(longestHoldMicros, ChronoUnit.MICROS)));
        }
        if (transport == ServedTransport.SLUICE_INLINE)
        {
            builder.inlineExecute(VoidEngine::tryExecute);
        }
        return builder.build().start();
    }

    /** The same class of pool and the same size as the stock transport's. */
    private LocalAwareExecutorPlus pool()
    {
        StockRuntime.start();
        return SharedExecutorPool.SHARED.newExecutor(threads, size ->
        {
        }, "transport", "Sluice-Requests");
    }
}
