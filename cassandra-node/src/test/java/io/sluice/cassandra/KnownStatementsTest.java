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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Consistency;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.StatementId;
import io.sluice.framing.request.StatementIdTable;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.PreparedQueryNotFoundException;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.junit.jupiter.api.Test;

class KnownStatementsTest
{
    private static final byte[] ID = MD5Digest.compute("SELECT 1").bytes;
    private static final QueryParameters PARAMETERS = new QueryParameters(Consistency.ONE, 0, new byte[0][], null, -1,
        null, Consistency.SERIAL, QueryParameters.NO_TIMESTAMP, null, QueryParameters.NO_NOW_IN_SECONDS);

    private final KnownStatements statements = new KnownStatements();

    /** More by {@code -Dsluice.statement.ids=10000000}. */
    private static final int RANDOM_IDS = Integer.getInteger("sluice.statement.ids", 300_000);
    /** What a collector may find or not; the ids would take up a hundred bytes each, and more. */
    private static final long HEAP_SLACK = 8L << 20;

    private StatementId intern()
    {
        return statements.intern(new UnsafeBuffer(ID), 0, ID.length);
    }

    private void execute(final Message.Response response)
    {
        statements.observe(new ExecuteRequest(0, null, intern(), null, PARAMETERS), response);
    }

    @Test
    void doesNotKeepWhatOnlyClientsSay()
    {
        assertNotSame(intern(), intern());
        execute(ErrorMessage.fromException(new InvalidRequestException("no")));
        assertNotSame(intern(), intern());
    }

    /** Asked for, answered UNPREPARED, asked for again: as by a client that makes ids up. */
    @Test
    void randomIdsOfClientsGrowNothing()
    {
        final long before = usedHeap();
        final byte[] id = new byte[ID.length];
        final Random random = new Random(1);
        for (int i = 0; i < RANDOM_IDS; i++)
        {
            random.nextBytes(id);
            final StatementId made = statements.intern(new UnsafeBuffer(id), 0, id.length);
            statements.observe(new ExecuteRequest(0, null, made, null, PARAMETERS),
                ErrorMessage.fromException(new PreparedQueryNotFoundException(PreparedId.of(made).digest())));
        }
        assertEquals(0, statements.size());
        final long after = usedHeap();
        assertTrue(after - before < HEAP_SLACK, () -> "heap: " + before + " before, " + after + " after");
    }

    /** Each prepared, each known to Cassandra for a while: the table keeps the newest, up to its size. */
    @Test
    void randomIdsThatWerePreparedFillTheTableAndNoMore()
    {
        final byte[] id = new byte[ID.length];
        final Random random = new Random(2);
        final ResultSet.PreparedMetadata bound = new ResultSet.PreparedMetadata(List.of(), new short[0]);
        long before = 0;
        final int full = 2 * StatementIdTable.DEFAULT_CAPACITY;
        for (int i = 0; i < Math.max(RANDOM_IDS / 10, 2 * full); i++)
        {
            random.nextBytes(id);
            final MD5Digest digest = MD5Digest.wrap(id.clone());
            statements.observe(new PrepareRequest(0, null, "SELECT 1", null),
                new ResultMessage.Prepared(digest, digest, bound, ResultSet.ResultMetadata.EMPTY));
            if (i == full)
            {
                before = usedHeap();
            }
        }
        assertEquals(StatementIdTable.DEFAULT_CAPACITY, statements.size());
        final long grown = usedHeap() - before;
        assertTrue(grown < HEAP_SLACK, () -> "grown: " + grown);
    }

    private static long usedHeap()
    {
        final Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++)
        {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void learnsWhatWasPrepared()
    {
        final MD5Digest id = MD5Digest.wrap(ID);
        final ResultSet.PreparedMetadata bound = new ResultSet.PreparedMetadata(List.of(), new short[0]);
        statements.observe(new PrepareRequest(0, null, "SELECT 1", null),
            new ResultMessage.Prepared(id, id, bound, ResultSet.ResultMetadata.EMPTY));
        assertSame(intern(), intern());
    }

    @Test
    void learnsWhatWasExecuted()
    {
        execute(new ResultMessage.Void());
        final StatementId known = intern();
        assertSame(known, intern());
        execute(new ResultMessage.Void());
        assertSame(known, intern());
        assertSame(PreparedId.of(known), PreparedId.of(intern()));
        assertEquals(MD5Digest.wrap(ID), PreparedId.of(known).digest());
    }

    @Test
    void forgetsWhatCassandraForgot()
    {
        execute(new ResultMessage.Void());
        execute(ErrorMessage.fromException(new PreparedQueryNotFoundException(MD5Digest.wrap(ID))));
        assertNotSame(intern(), intern());
    }

    @Test
    void keepsOneDigestForTheSameMetadataId()
    {
        final PreparedId id = PreparedId.of(intern());
        final byte[] metadata = MD5Digest.compute("metadata").bytes;
        assertSame(id.metadata(metadata), id.metadata(metadata));
        assertEquals(MD5Digest.wrap(metadata), id.metadata(metadata));
        assertNull(id.metadata(null));
    }
}
