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

import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryEvents;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.utils.ByteBufferUtil;

/** Listens to what Cassandra tells of statements. */
public final class EventCollector implements QueryEvents.Listener
{
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private EventCollector()
    {
    }

    /**
     * What somebody hears who comes to listen while a write is in work: a line for each event, without its time.
     *
     * @param planned so many statements must go by plans
     * @param error the code that must be answered, or -1
     */
    public static List<String> meanwhile(final TwoRoads client,
        final int planned,
        final byte[] request,
        final int error)
        throws IOException, InterruptedException
    {
        final EventCollector events = new EventCollector();
        final long before = client.plans().getPlannedStatements();
        try (BusyPool mutations = BusyPool.mutations())
        {
            client.send(request);
            mutations.awaitWaiting();
            QueryEvents.instance.registerListener(events);
            mutations.release();
            final WireEnvelope answer = client.receive();
            assertEquals(error, TwoRoads.error(answer), answer::toString);
            assertEquals(planned, client.plans().getPlannedStatements() - before);
            // Else the next one meets what is left to do of this one's batch log.
            mutations.settle();
        }
        finally
        {
            QueryEvents.instance.unregisterListener(events);
        }
        return List.copyOf(events.heard);
    }

    private static String values(final List<ByteBuffer> values)
    {
        return values.stream()
            .map(value -> value == null ? "null" : ByteBufferUtil.bytesToHex(value))
            .toList()
            .toString();
    }

    private static String told(final QueryOptions options, final QueryState state)
    {
        return " at " + options.getConsistency() + " " + options.getTimestamp(state) + " " + options.getNowInSeconds(
            state) + " " + options.getProtocolVersion() + " from " + state.getClientState().getRemoteAddress();
    }

    @Override
    public void executeSuccess(final CQLStatement statement,
        final String query,
        final QueryOptions options,
        final QueryState state,
        final long queryTime,
        final Message.Response response)
    {
        heard.add("executed " + query + values(options.getValues()) + told(options, state) + " " + response);
    }

    @Override
    public void executeFailure(final CQLStatement statement,
        final String query,
        final QueryOptions options,
        final QueryState state,
        final Exception cause)
    {
        heard.add("failed " + query + values(options.getValues()) + told(options, state) + " " + cause);
    }

    @Override
    public void batchSuccess(final BatchStatement.Type batchType,
        final List<? extends CQLStatement> statements,
        final List<String> queries,
        final List<List<ByteBuffer>> values,
        final QueryOptions options,
        final QueryState state,
        final long queryTime,
        final Message.Response response)
    {
        heard.add("executed " + batchType + queries + values.stream().map(EventCollector::values).toList() + told(
            options, state) + " " + response);
    }

    @Override
    public void batchFailure(final BatchStatement.Type batchType,
        final List<? extends CQLStatement> statements,
        final List<String> queries,
        final List<List<ByteBuffer>> values,
        final QueryOptions options,
        final QueryState state,
        final Exception cause)
    {
        heard.add("failed " + batchType + queries + values.stream().map(EventCollector::values).toList() + told(
            options, state) + " " + cause);
    }
}
