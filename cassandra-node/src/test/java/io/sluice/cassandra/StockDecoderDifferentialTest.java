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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The same bodies for our decoder and for that of Cassandra's own transport: what both take has the same fields, and
 * where only one takes a body the reason is one of those listed here.
 */
class StockDecoderDifferentialTest
{
    private static final int CASES = Integer.getInteger("sluice.cases", 60_000);
    private static final long SEED = Long.getLong("sluice.seed", new Random().nextLong());

    /** How a case ended. */
    private enum Outcome
    {
        /** Both take it, field by field the same. */
        SAME_FIELDS,
        /** Neither takes it. */
        BOTH_REFUSE,
        /** Neither takes it, but the stock decoder only after it has allocated what a length claims (defect D6). */
        CLAIMS_MEMORY,
        /** We refuse a page size of 0 at once, the stock transport when it executes the request. */
        PAGE_SIZE_ZERO,
        /** The stock decoder looks into the paging state, we leave that to the node's translation. */
        PAGING_STATE
    }

    @Test
    void findsWhatTheStockDecoderFinds()
    {
        final Random seeds = new Random(SEED);
        final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        for (int i = 0; i < CASES; i++)
        {
            outcomes.merge(check(new RandomBody(new Random(seeds.nextLong()))), 1, Integer::sum);
        }
        System.out.println("seed " + SEED + ": " + outcomes);
        // A generator that went blind would show nothing.
        for (final Outcome outcome : Outcome.values())
        {
            final int least = outcome == Outcome.SAME_FIELDS
                ? CASES / 4
                : outcome == Outcome.BOTH_REFUSE
                    ? CASES / 10
                    : 1;
            assertTrue(outcomes.getOrDefault(outcome, 0) >= least, "seed " + SEED + ": " + outcomes);
        }
    }

    private static Outcome check(final RandomBody random)
    {
        final byte[] body = random.toArray();
        try
        {
            return compare(random, body);
        }
        catch (final AssertionError e)
        {
            return fail("-Dsluice.seed=" + SEED + ", " + random.version() + " " + random.opcode() + " envelope flags " +
                random.envelopeFlags() + " " + HexFormat.of().formatHex(body) + ": " + e.getMessage(), e);
        }
    }

    private static Outcome compare(final RandomBody random, final byte[] body)
    {
        final Request request;
        try
        {
            request = OurFields.decode(random.opcode(), random.version(), random.envelopeFlags(), body);
        }
        catch (final ProtocolException e)
        {
            return refusedByUs(random, body, e.getMessage());
        }
        final List<String> stock;
        try
        {
            stock = StockFields.decode(random.opcode(), random.version(), random.envelopeFlags(), body);
        }
        catch (final RuntimeException e)
        {
            assertTrue(hasBadPagingState(request, random), "only the stock decoder refuses this: " + e);
            return Outcome.PAGING_STATE;
        }
        assertEquals(String.join("\n", stock), String.join("\n", OurFields.of(request, random.version())));
        return Outcome.SAME_FIELDS;
    }

    private static Outcome refusedByUs(final RandomBody random, final byte[] body, final String text)
    {
        final List<String> stock;
        try
        {
            stock = StockFields.decode(random.opcode(), random.version(), random.envelopeFlags(), body);
        }
        catch (final ClaimCheckedBuf.ClaimException e)
        {
            return Outcome.CLAIMS_MEMORY;
        }
        catch (final RuntimeException e)
        {
            return Outcome.BOTH_REFUSE;
        }
        assertTrue(stock.contains("page size=0") && text.equals("The page size cannot be 0"),
            "only we refuse this: " + text);
        return Outcome.PAGE_SIZE_ZERO;
    }

    private static boolean hasBadPagingState(final Request request, final RandomBody random)
    {
        final QueryParameters parameters = switch (request.opcode())
        {
            case QUERY -> ((QueryRequest)request).parameters();
            case EXECUTE -> ((ExecuteRequest)request).parameters();
            case BATCH -> ((BatchRequest)request).parameters();
            default -> null;
        };
        return parameters != null && parameters.pagingState() != null &&
            StockFields.pagingState(parameters.pagingState(), random.version()) == null;
    }
}
