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
package io.sluice.bench.compare;

import io.sluice.bench.load.LoadResult;
import io.sluice.bench.load.Traffic;
import io.sluice.bench.load.Workload;
import io.sluice.bench.server.ServerControl;
import io.sluice.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a node allocates by class and place. async-profiler is asked for each allocation, one request at a time: where
 * many threads allocate at once it misses some. Immutable.
 *
 * @param contestant under whose load the node was before
 * @param operations requests that were profiled
 * @param counted bytes that the JVM counted meanwhile
 * @param objects stacks with the number of objects
 * @param bytes the same stacks with bytes
 * @param flameGraph a page of its own, by bytes
 */
record AllocationProfile(
    Contestant contestant,
    long operations,
    long counted,
    CollapsedStacks objects,
    CollapsedStacks bytes,
    Path flameGraph)
{

    /** No warming up. */
    private static final double NO_SECONDS = 1e-9;
    private static final String HEAP_BYTE_BUFFER = "java.nio.HeapByteBuffer";
    private static final String EXECUTION = "org/apache/cassandra/cql3/statements/SelectStatement.";
    private static final String RESULT = "org/apache/cassandra/cql3/ResultSet";
    private static final String RESULT_BUILDER = "org/apache/cassandra/cql3/selection/ResultSetBuilder";
    private static final String[] REQUEST_THREADS = {"org/apache/cassandra/transport/", "io/sluice/",
        "io/netty/channel/"};

    /** Profiles so many requests on a node that is warm. */
    static AllocationProfile take(final MatchRunner runner,
        final Contestant contestant,
        final long operations,
        final Path directory) throws IOException
    {
        final ServerProcess server = runner.server(contestant.server());
        final Traffic alone = new Traffic(contestant.traffic().workload(), contestant.traffic().version(),
            contestant.traffic().lz4(), 1);
        final ServerControl.Client control = server.control();
        final String name = (contestant.server().name() + "-" + contestant.traffic().workload().name())
            .toLowerCase(Locale.ROOT)
            .replace('_', '-');
        final Path objects = Files.createTempFile(name, ".objects");
        final Path bytes = Files.createTempFile(name, ".bytes");
        final Path flameGraph = directory.resolve("flame-" + name + ".html").toAbsolutePath();
        try
        {
            control.ask("profiler start,event=alloc,alloc=1");
            final LoadResult result = runner.run(new Contestant(contestant.server(), alone), NO_SECONDS, operations);
            control.ask("profiler stop");
            control.ask("profiler dump,collapsed,file=" + objects);
            control.ask("profiler dump,collapsed,total,file=" + bytes);
            control.ask("profiler dump,flamegraph,total,minwidth=0.2,title=" + contestant.server() + " " +
                contestant.traffic().workload() + ",file=" + flameGraph);
            return new AllocationProfile(contestant, operations, result.usage().allocatedBytes(),
                CollapsedStacks.read(objects), CollapsedStacks.read(bytes), flameGraph);
        }
        finally
        {
            Files.deleteIfExists(objects);
            Files.deleteIfExists(bytes);
        }
    }

    double heapByteBuffersPerRequest()
    {
        return (double)objects.sumOf(HEAP_BYTE_BUFFER) / operations;
    }

    /** Of all bytes. */
    double heapByteBufferShare()
    {
        return (double)bytes.sumOf(HEAP_BYTE_BUFFER) / bytes.total();
    }

    double bytesPerRequest()
    {
        return (double)counted / operations;
    }

    /** Of the counted bytes. */
    double seen()
    {
        return (double)bytes.total() / counted;
    }

    /** Of a SELECT, without reading: what request threads allocate outside its execution, and for its result. */
    double answerBytesPerRequest()
    {
        return (double)bytes.sum(stack -> stack.contains(RESULT) || stack.contains(RESULT_BUILDER) ||
            !stack.contains(EXECUTION) && isRequestThread(stack)) / operations;
    }

    private static boolean isRequestThread(final String stack)
    {
        for (final String part : REQUEST_THREADS)
        {
            if (stack.contains(part))
            {
                return true;
            }
        }
        return false;
    }

    boolean isOf(final Workload workload)
    {
        return contestant.traffic().workload() == workload;
    }
}
