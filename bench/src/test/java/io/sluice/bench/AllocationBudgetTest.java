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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.sun.management.ThreadMXBean;
import io.sluice.bench.micro.BodyDecoders;
import io.sluice.bench.micro.SluiceInbound;
import io.sluice.bench.micro.SluiceOutbound;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsWriter;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.metrics.DropwizardTransportListener;
import io.sluice.transport.InlineExchange;
import io.sluice.transport.InlineExecuteHandler;
import io.sluice.transport.SluiceRound;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Measures bytes per operation against {@code budgets.txt}. Bytes, not time: the same on any machine. */
class AllocationBudgetTest
{
    private static final int WARM_UP_OPERATIONS = 20_000;
    private static final int OPERATIONS = 20_000;
    private static final int ATTEMPTS = 10;
    /** What measuring itself may cost, per operation. */
    private static final double NOISE_BYTES = 0.5;
    /** Kept, so that no object can be left out by the compiler. */
    private static volatile Object kept;

    private static final RowsMetadata ONE_COLUMN = RowsMetadata.of(
        List.of(new ColumnSpec("demo", "kv", "v", ColumnType.BLOB)));

    private static final Map<String, Integer> BUDGETS = new LinkedHashMap<>();

    @BeforeAll
    static void readBudgets() throws IOException
    {
        final Path here = Path.of("budgets.txt");
        for (final String line : Files.readAllLines(Files.exists(here) ? here : Path.of("bench", "budgets.txt")))
        {
            if (!line.isBlank() && !line.startsWith("#"))
            {
                final String[] words = line.trim().split(" +", 2);
                BUDGETS.put(words[0], Integer.valueOf(words[1]));
            }
        }
    }

    /** The least of several attempts: the JVM allocates in a thread's name when it compiles or links something. */
    private static double bytesPerOperation(final Runnable operation, final int divisor)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final int operations = OPERATIONS / divisor;
        repeat(operation, WARM_UP_OPERATIONS / divisor);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            repeat(operation, operations);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return (double)least / operations / divisor;
    }

    private static void repeat(final Runnable operation, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            operation.run();
        }
    }

    private static void check(final String name, final int divisor, final Runnable operation)
    {
        final Integer budget = BUDGETS.get(name);
        assertNotNull(budget, name + " is not in budgets.txt");
        final double bytes = bytesPerOperation(operation, divisor);
        System.out.printf(Locale.ROOT, "%-26s %8.1f B of %d%n", name, bytes, budget);
        assertTrue(bytes <= budget + NOISE_BYTES,
            () -> String.format(Locale.ROOT, "%s: %.1f bytes per operation (budget: %d)", name, bytes, budget));
    }

    private static String nameOf(final SegmentFormat format)
    {
        return format.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void decodingAnExecute()
    {
        final BodyDecoders decoders = new BodyDecoders(RequestBytes.execute(5, 1, 7, 10));
        check("decode-execute-7x10", 1, () -> kept = decoders.sluice());
    }

    @Test
    void decodingABatch()
    {
        final BodyDecoders decoders = new BodyDecoders(RequestBytes.batch(5, 1, 10, 7, 10));
        check("decode-batch-10x7x10", 1, () -> kept = decoders.sluice());
    }

    @Test
    void viewingAnExecute()
    {
        final BodyDecoders decoders = new BodyDecoders(RequestBytes.execute(5, 1, 7, 10));
        check("view-execute-7x10", 1, () -> assertEquals(7, decoders.sluiceView()));
    }

    @ParameterizedTest
    @EnumSource
    void decodingASegment(final SegmentFormat format)
    {
        final byte[] wire = new WireSegments().of(format, RequestBytes.executes(5, 100, 5, 10));
        try (SluiceInbound inbound = new SluiceInbound(format, wire, false))
        {
            check("segment-decode-" + nameOf(format), 1, inbound::read);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theWayIn(final SegmentFormat format)
    {
        final byte[] wire = new WireSegments().of(format, RequestBytes.executes(5, 100, 5, 10));
        try (SluiceInbound inbound = new SluiceInbound(format, wire, true))
        {
            check("inbound-100-" + nameOf(format), 100, inbound::read);
            assertNotNull(inbound.last());
        }
    }

    @ParameterizedTest
    @CsvSource({"PLAIN,1", "PLAIN,100", "LZ4,1", "LZ4,100"})
    void theWayOut(final SegmentFormat format, final int answers)
    {
        try (SluiceOutbound outbound = new SluiceOutbound(format, answers))
        {
            check("outbound-" + answers + "-void-" + nameOf(format), answers, outbound::flush);
        }
    }

    @ParameterizedTest
    @CsvSource({"PLAIN,1", "PLAIN,100", "LZ4,100"})
    void theWholeTransport(final SegmentFormat format, final int envelopes)
    {
        final byte[] wire = new WireSegments().of(format, RequestBytes.executes(5, envelopes, 7, 10));
        final Map<String, String> options = format == SegmentFormat.LZ4 ? Map.of("COMPRESSION", "lz4") : Map.of();
        try (SluiceRound round = new SluiceRound(new VoidEngine(),
            DropwizardTransportListener.register(new MetricRegistry()), VoidEngine.statementIds(),
            RequestBytes.startup(5, options), wire))
        {
            check("transport-round-" + envelopes + "-" + nameOf(format), envelopes, round::round);
        }
    }

    @ParameterizedTest
    @CsvSource({"5,PLAIN,1,void", "5,PLAIN,100,void", "5,LZ4,100,void", "5,PLAIN,100,rows", "4,PLAIN,100,rows"})
    void theWholeTransportInline(final int version, final SegmentFormat format, final int envelopes, final String what)
    {
        final byte[] requests = RequestBytes.executes(version, envelopes, 7, 10);
        final byte[] wire = version == 5 ? new WireSegments().of(format, requests) : requests;
        final Map<String, String> options = format == SegmentFormat.LZ4 ? Map.of("COMPRESSION", "lz4") : Map.of();
        final InlineExecuteHandler handler = "rows".equals(what)
            ? AllocationBudgetTest::answerRow
            : VoidEngine::tryExecute;
        try (SluiceRound round = new SluiceRound(new VoidEngine(), handler,
            DropwizardTransportListener.register(new MetricRegistry()), VoidEngine.statementIds(),
            RequestBytes.startup(version, options), wire))
        {
            check("inline-" + what + "-v" + version + "-" + envelopes + "-" + nameOf(format), envelopes, round::round);
        }
    }

    private static boolean answerRow(final ExecuteView view, final InlineExchange exchange)
    {
        try (RowsWriter rows = exchange.respondRows(ONE_COLUMN))
        {
            rows.cell(view.buffer(), view.valueOffset(0), view.valueLength(0)).endRow().commit();
        }
        return true;
    }
}
