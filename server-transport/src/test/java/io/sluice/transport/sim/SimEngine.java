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
package io.sluice.transport.sim;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.response.ResponseBody;
import io.sluice.transport.Exchange;
import io.sluice.transport.InlineExchange;
import io.sluice.transport.RequestHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The node: knows each request by its nonce, checks that it arrived as it was sent, and answers as it was told. */
final class SimEngine implements RequestHandler
{
    private static final byte[] PAYLOAD = {(byte)0xCA, (byte)0xFE};

    private final SimThreads threads;
    private final Dice dice;
    private final Map<Integer, Ask> asks = new HashMap<>();
    private final List<Runnable> later = new ArrayList<>();

    SimEngine(final SimThreads threads, final Dice dice)
    {
        this.threads = threads;
        this.dice = dice;
    }

    void expect(final Ask ask)
    {
        asks.put(ask.nonce, ask);
    }

    Iterable<Ask> asks()
    {
        return asks.values();
    }

    int waiting()
    {
        return later.size();
    }

    /** Completes one exchange on a thread that is no loop's; false if none waits. */
    boolean completeOne()
    {
        if (later.isEmpty())
        {
            return false;
        }
        final int index = dice.below(later.size());
        final Runnable completion = later.get(index);
        later.set(index, later.get(later.size() - 1));
        later.remove(later.size() - 1);
        threads.on(null, completion);
        return true;
    }

    static byte[] payload()
    {
        return PAYLOAD.clone();
    }

    @Override
    public void onQuery(final QueryRequest request, final Exchange exchange)
    {
        final Ask ask = find(request.query(), exchange);
        checkValues(ask, request.parameters());
        serve(ask, exchange);
    }

    @Override
    public void onPrepare(final PrepareRequest request, final Exchange exchange)
    {
        serve(find(request.query(), exchange), exchange);
    }

    @Override
    public void onExecute(final ExecuteRequest request, final Exchange exchange)
    {
        final AnswerBody id = new AnswerBody(request.statementId().bytes());
        final Ask ask = find(id.intOf(), exchange);
        checkValues(ask, request.parameters());
        serve(ask, exchange);
    }

    @Override
    public void onBatch(final BatchRequest request, final Exchange exchange)
    {
        final Ask ask = find(request.query(0), exchange);
        final byte[][] values = request.values()[request.size() - 1];
        checkCells(ask, values);
        serve(ask, exchange);
    }

    /** The same for requests that may be answered where they are read; those that take time are declined. */
    boolean tryExecute(final ExecuteView view, final InlineExchange exchange)
    {
        final byte[] id = new byte[view.idLength()];
        view.buffer().getBytes(view.idOffset(), id);
        final Ask ask = id.length >= Integer.BYTES ? asks.get(new AnswerBody(id).intOf()) : null;
        if (ask == null || ask.kind != Ask.Kind.GOOD || ask.client != exchange.connection().attachment() ||
            ask.client.wild || ask.watchesAbandonment || dice.oneIn(3))
        {
            return false;
        }
        switch (ask.mode)
        {
            case ANSWER_NOW, THROW, FAIL_WITH_CODE, FAIL_WITH_EXCEPTION, THROW_WHILE_ENCODING ->
                answerInline(ask, view, exchange);
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private void answerInline(final Ask ask, final ExecuteView view, final InlineExchange exchange)
    {
        ask.dispatches++;
        if (ask.dispatches > 1 || ask.stream != exchange.streamId() || view.streamId() != ask.stream ||
            view.isTraced() != ask.traced || ask.payload)
        {
            throw new SimulationFailure("not what was asked, stream " + exchange.streamId() + ": " + ask);
        }
        checkCells(ask, cellsOf(view));
        if (ask.traced)
        {
            exchange.tracingId(new UUID(ask.nonce, 1));
        }
        if (ask.warned)
        {
            exchange.warnings(List.of("w" + ask.nonce));
        }
        ask.completed = true;
        switch (ask.mode)
        {
            case THROW -> throw new InjectedFailure("the engine broke");
            case FAIL_WITH_CODE -> exchange.fail(ErrorCode.INVALID, "no " + ask.nonce);
            case FAIL_WITH_EXCEPTION -> exchange.fail(new InjectedFailure("at once"));
            case THROW_WHILE_ENCODING -> exchange.respond(new PatternBody(ask, 16, true));
            default -> exchange.respond(body(ask));
        }
    }

    private static byte[][] cellsOf(final ExecuteView view)
    {
        final byte[][] cells = new byte[view.valueCount()][];
        for (int i = 0; i < cells.length; i++)
        {
            final int length = view.valueLength(i);
            cells[i] = length == ExecuteView.UNSET ? Cells.UNSET : length < 0 ? null : new byte[length];
            if (length > 0)
            {
                view.buffer().getBytes(view.valueOffset(i), cells[i]);
            }
        }
        return cells;
    }

    private Ask find(final String text, final Exchange exchange)
    {
        return find(nonce(text), exchange);
    }

    private static int nonce(final String text)
    {
        try
        {
            return Integer.parseInt(text.trim());
        }
        catch (final NumberFormatException e)
        {
            return -1;
        }
    }

    private Ask find(final int nonce, final Exchange exchange)
    {
        final Ask ask = asks.get(nonce);
        if (exchange.connection().attachment() instanceof SimClient client && client.wild)
        {
            throw new InjectedFailure("whatever that was");
        }
        if (ask == null || ask.kind != Ask.Kind.GOOD || ask.stream != exchange.streamId() ||
            ask.client != exchange.connection().attachment())
        {
            throw new SimulationFailure("nonce " + nonce + " on stream " + exchange.streamId() + " of " +
                exchange.connection() + " was never asked there: " + ask);
        }
        ask.dispatches++;
        if (ask.dispatches > 1)
        {
            throw new SimulationFailure("served twice: " + ask);
        }
        checkRequest(ask, exchange.request());
        return ask;
    }

    private static void checkRequest(final Ask ask, final Request request)
    {
        if (request.isTraced() != ask.traced)
        {
            throw new SimulationFailure("traced: " + request.isTraced() + ": " + ask);
        }
        final boolean carries = request.customPayload() != null &&
            Arrays.equals(request.customPayload().get("k"), PAYLOAD);
        if (carries != ask.payload)
        {
            throw new SimulationFailure("custom payload: " + request.customPayload() + ": " + ask);
        }
    }

    private static void checkValues(final Ask ask, final QueryParameters parameters)
    {
        checkCells(ask, parameters.values());
        if (ask.namedValues && !"v0".equals(parameters.names()[0]))
        {
            throw new SimulationFailure("name of value 0: " + parameters.names()[0]);
        }
    }

    private static void checkCells(final Ask ask, final byte[][] cells)
    {
        final int count = cells == null ? 0 : cells.length;
        if (count != ask.values.length)
        {
            throw new SimulationFailure("values: " + count + ": " + ask);
        }
        for (int i = 0; i < count; i++)
        {
            final byte[] cell = cells[i];
            final boolean right = switch (ask.values[i])
            {
                case -1 -> cell == null;
                case -2 -> cell != null && Cells.isUnset(cell);
                default -> cell != null && !Cells.isUnset(cell) &&
                    Arrays.equals(cell, WireBytes.pattern(ask.nonce + i, ask.values[i]));
            };
            if (!right)
            {
                throw new SimulationFailure("value " + i + " is not what was sent: " + ask);
            }
        }
    }

    private void serve(final Ask ask, final Exchange exchange)
    {
        if (ask.traced)
        {
            exchange.tracingId(new UUID(ask.nonce, 1));
        }
        if (ask.warned)
        {
            exchange.warnings(List.of("w" + ask.nonce));
        }
        if (ask.payload)
        {
            exchange.customPayload(Map.of("k", PAYLOAD));
        }
        if (ask.watchesAbandonment)
        {
            exchange.onAbandoned(() -> abandoned(ask));
        }
        switch (ask.mode)
        {
            case ANSWER_NOW -> answer(ask, exchange);
            case ANSWER_LATER -> later.add(() -> answer(ask, exchange));
            case ANSWER_BY_STAGE -> byStage(ask, exchange);
            case ANSWER_TWICE -> twice(ask, exchange);
            case THROW -> InjectedFailure.raise(ask.nonce, "the engine broke");
            case FAIL_WITH_CODE -> later.add(() ->
            {
                ask.completed = true;
                exchange.fail(ErrorCode.INVALID, "no " + ask.nonce);
            });
            case FAIL_WITH_EXCEPTION -> later.add(() ->
            {
                ask.completed = true;
                exchange.fail(new InjectedFailure("later"));
            });
            case THROW_WHILE_ENCODING -> later.add(() ->
            {
                ask.completed = true;
                exchange.respond(new PatternBody(ask, 16, true));
            });
            case NEVER ->
            {
                // The deadline has to see to it.
            }
        }
    }

    private static void abandoned(final Ask ask)
    {
        ask.abandonedRuns++;
        if (ask.abandonedRuns > 1)
        {
            throw new SimulationFailure("abandoned twice: " + ask);
        }
    }

    private ResponseBody body(final Ask ask)
    {
        return new PatternBody(ask, dice.oneIn(4) ? dice.below(64) : ask.answerBytes + 4, false);
    }

    private void answer(final Ask ask, final Exchange exchange)
    {
        ask.completed = true;
        exchange.respond(body(ask));
    }

    private void byStage(final Ask ask, final Exchange exchange)
    {
        final CompletableFuture<ResponseBody> stage = new CompletableFuture<>();
        exchange.respondWhen(stage);
        later.add(() ->
        {
            ask.completed = true;
            stage.complete(body(ask));
        });
    }

    private void twice(final Ask ask, final Exchange exchange)
    {
        later.add(() ->
        {
            answer(ask, exchange);
            try
            {
                exchange.fail(ErrorCode.SERVER_ERROR, "again");
            }
            catch (final IllegalStateException expected)
            {
                return;
            }
            if (!exchange.isAbandoned() && ask.answers > 1)
            {
                throw new SimulationFailure("a second completion was taken: " + ask);
            }
        });
    }
}
