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
package io.sluice.transport.testkit;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.PreparedResult;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsResult;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.Exchange;
import io.sluice.transport.RequestHandler;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A database whose statements say what it is to do: {@code void}, {@code rows N} (one cell of N bytes), {@code park}
 * (a test completes it), {@code throw}, {@code fail}, {@code warn}, {@code payload}, {@code tail} (fails to encode).
 * A prepared statement's id is its text. Any thread.
 */
public final class ScriptedEngine implements RequestHandler
{
    private static final ColumnSpec CELL = new ColumnSpec("demo", "blobs", "cell", ColumnType.BLOB);
    private static final RowsMetadata METADATA = RowsMetadata.of(List.of(CELL));
    private static final int HUGE_COLUMNS = 2_100;

    private final LinkedBlockingQueue<Exchange> parked = new LinkedBlockingQueue<>();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicLong requestBytes = new AtomicLong();
    private volatile Runnable beforeEach = () ->
    {
    };

    /** Does this before each request of any kind but PREPARE; it may throw. */
    public void beforeEach(final Runnable action)
    {
        beforeEach = action;
    }

    @Override
    public void onQuery(final QueryRequest request, final Exchange exchange)
    {
        serve(request, request.query(), exchange);
    }

    @Override
    public void onPrepare(final PrepareRequest request, final Exchange exchange)
    {
        requests.add(request);
        served.incrementAndGet();
        final byte[] id = request.query().getBytes(StandardCharsets.UTF_8);
        exchange.respond(new PreparedResult(id, new byte[16], List.of(CELL), null, METADATA));
    }

    @Override
    public void onExecute(final ExecuteRequest request, final Exchange exchange)
    {
        serve(request, new String(request.statementId().bytes(), StandardCharsets.UTF_8), exchange);
    }

    @Override
    public void onBatch(final BatchRequest request, final Exchange exchange)
    {
        serve(request, request.size() == 0 ? "void" : request.query(0), exchange);
    }

    private void serve(final Request request, final String statement, final Exchange exchange)
    {
        beforeEach.run();
        if (statement.length() < 100)
        {
            requests.add(request);
        }
        served.incrementAndGet();
        requestBytes.addAndGet(statement.length());
        final String[] words = statement.split(" ", 2);
        switch (words[0])
        {
            case "rows" -> exchange.respond(rows(Integer.parseInt(words[1])));
            case "zeros" -> exchange.respond(zeros(Integer.parseInt(words[1])));
            case "huge" -> exchange.respond(huge());
            case "second" -> exchange.respond(failingAtTheSecondRow());
            case "park" -> parked.add(exchange);
            case "throw" -> throw new IllegalStateException("secret");
            case "fail" -> exchange.fail(ErrorCode.INVALID, "no such table");
            case "warn" ->
            {
                exchange.warnings(List.of("beware"));
                exchange.respond(VoidResult.INSTANCE);
            }
            case "warnfail" ->
            {
                exchange.warnings(List.of("beware"));
                exchange.fail(ErrorCode.INVALID, "no such table");
            }
            case "warnthrow" ->
            {
                exchange.warnings(List.of("beware"));
                throw new IllegalStateException("secret");
            }
            case "payload" ->
            {
                exchange.customPayload(Map.of("k", new byte[]{1}));
                exchange.respond(VoidResult.INSTANCE);
            }
            case "tail" -> exchange.respond(new FailingBody());
            default -> exchange.respond(VoidResult.INSTANCE);
        }
    }

    /** RESULT Rows of one cell of this many bytes that do not compress. */
    public static ResponseBody rows(final int bytes)
    {
        final byte[] cell = new byte[bytes];
        int noise = 0x9E3779B9 ^ bytes;
        for (int i = 0; i < bytes; i++)
        {
            noise ^= noise << 13;
            noise ^= noise >>> 17;
            noise ^= noise << 5;
            cell[i] = (byte)noise;
        }
        return new RowsResult(METADATA, Collections.singletonList(new byte[][]{cell}));
    }

    /** RESULT Rows of one cell of this many zeros, which compress well. */
    private static ResponseBody zeros(final int bytes)
    {
        return new RowsResult(METADATA, Collections.singletonList(new byte[][]{new byte[bytes]}));
    }

    /** One row of more bytes than an int can say. */
    private static ResponseBody huge()
    {
        final byte[][] row = new byte[HUGE_COLUMNS][];
        Arrays.fill(row, new byte[1 << 20]);
        return new RowsResult(RowsMetadata.of(Collections.nCopies(HUGE_COLUMNS, CELL)), Collections.singletonList(row));
    }

    /** Rows of which the second cannot be had. */
    private static ResponseBody failingAtTheSecondRow()
    {
        return new RowsResult(METADATA, new AbstractList<>()
        {
            private int encoded;

            @Override
            public byte[][] get(final int index)
            {
                return new byte[][]{{1, 2, 3}};
            }

            @Override
            public Iterator<byte[][]> iterator()
            {
                return Stream.generate(() ->
                {
                    if (++encoded == 2)
                    {
                        throw new IllegalStateException("secret");
                    }
                    return get(0);
                }).iterator();
            }

            @Override
            public int size()
            {
                return 3;
            }
        });
    }

    /** The exchange of the next {@code park}. */
    public Exchange nextParked()
    {
        try
        {
            final Exchange exchange = parked.poll(Await.HANG.toSeconds(), TimeUnit.SECONDS);
            if (exchange == null)
            {
                throw new AssertionError("hangs: nothing parked");
            }
            return exchange;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Exchanges that wait in {@code park}. */
    public int parked()
    {
        return parked.size();
    }

    /** Every request with a short statement, in order of service. */
    public List<Request> requests()
    {
        return List.copyOf(requests);
    }

    /** How many requests have come. */
    public int served()
    {
        return served.get();
    }

    /** How many bytes of statements have come. */
    public long statementBytes()
    {
        return requestBytes.get();
    }
}
