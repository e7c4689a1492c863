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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.bench.load.LoadPlan;
import io.sluice.bench.load.LoadResult;
import io.sluice.bench.load.LoadRun;
import io.sluice.bench.load.Workload;
import io.sluice.bench.server.ServerControl;
import io.sluice.transport.NativeTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.cassandra.transport.StockNullServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load driver against both null servers: every request is answered, none with an error. */
@Timeout(120)
class LoadIT
{
    private static void load(final int port,
        final int version,
        final boolean lz4,
        final int inFlight,
        final int rate,
        final Workload workload) throws IOException
    {
        final LoadPlan plan = new LoadPlan("127.0.0.1", port, version, lz4, inFlight, 0.1, 0.3, 0, rate,
            workload.requests(version, null));
        final LoadResult result;
        try (ServerControl control = new ServerControl(0, Map.of()))
        {
            control.start();
            try (ServerControl.Client client = new ServerControl.Client(control.port()))
            {
                result = new LoadRun(plan, LoadRun.Progress.NONE).run(client);
            }
        }
        assertEquals(0, result.errors());
        assertTrue(result.requests() > 0);
        assertEquals(result.requests(), result.latencies().getTotalCount());
        assertTrue(result.usage().cpuNanos() > 0);
        assertTrue(result.receivedSegments() != 0, "answers come in segments, where they can be counted");
    }

    @ParameterizedTest
    @CsvSource({"5,false,1,0,VOID", "5,false,256,0,VOID", "5,true,16,0,TEXT", "4,false,256,0,TEXT", "4,true,16,0,VOID",
        "3,false,1,0,VOID", "5,false,64,2000,VOID"})
    void sluice(final int version, final boolean lz4, final int inFlight, final int rate, final Workload workload)
        throws IOException
    {
        try (NativeTransport server = NativeTransport.builder(new VoidEngine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .build()
            .start())
        {
            load(server.localAddress().getPort(), version, lz4, inFlight, rate, workload);
        }
    }

    @ParameterizedTest
    @CsvSource({"5,false,16,0,TEXT", "5,true,16,0,VOID", "4,false,16,0,VOID", "4,true,16,0,TEXT",
        "5,false,64,2000,VOID"})
    void stock(final int version, final boolean lz4, final int inFlight, final int rate, final Workload workload)
        throws IOException
    {
        try (StockNullServer server = new StockNullServer(0, 1, 4))
        {
            load(server.port(), version, lz4, inFlight, rate, workload);
        }
    }
}
