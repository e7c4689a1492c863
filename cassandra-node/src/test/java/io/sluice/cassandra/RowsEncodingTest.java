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

import com.sun.management.ThreadMXBean;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.BodyWriter;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;

/** Cells of results go from where Cassandra has them into the outbound memory, with nothing made on the way. */
class RowsEncodingTest
{
    private static final int COLUMNS = 5;
    private static final int MANY = 400;
    private static final int WARM_UP = 300;
    private static final int ATTEMPTS = 5;
    private static final int LIMIT = 1 << 20;

    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, 1L << 26, false);
    private final BodyWriter out = new BodyWriter(pool);

    private static ResultMessage.Rows rows(final int count, final Supplier<ByteBuffer> cell)
    {
        final List<ColumnSpecification> names = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++)
        {
            names.add(new ColumnSpecification("ks", "t", new ColumnIdentifier("c" + i, true), BytesType.instance));
        }
        final ResultSet result = new ResultSet(new ResultSet.ResultMetadata(names));
        for (int i = 0; i < count * COLUMNS; i++)
        {
            result.addColumnValue(cell.get());
        }
        return new ResultMessage.Rows(result);
    }

    private void encode(final ResultMessage.Rows rows)
    {
        final CassandraResponse response = new CassandraResponse(rows);
        out.begin(response.encodedLengthHint(ProtocolVersion.V5), LIMIT);
        response.encode(out, ProtocolVersion.V5);
        out.finish().close();
    }

    /** The least of a few attempts: the JVM allocates in a thread's name when it compiles something. */
    private long allocated(final ResultMessage.Rows rows)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++)
        {
            encode(rows);
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            encode(rows);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private void expectNothingPerCell(final Supplier<ByteBuffer> cell)
    {
        assertEquals(allocated(rows(1, cell)), allocated(rows(MANY, cell)));
        pool.close();
    }

    @Test
    void ofTheHeap()
    {
        expectNothingPerCell(() -> ByteBuffer.wrap(new byte[]{1, 2, 3}));
    }

    @Test
    void ofAPieceOfTheHeap()
    {
        expectNothingPerCell(() -> ByteBuffer.wrap(new byte[100], 10, 30).slice());
    }

    @Test
    void ofDirectMemory()
    {
        final ByteBuffer all = ByteBuffer.allocateDirect(64);
        expectNothingPerCell(() -> all.duplicate().position(8));
    }

    @Test
    void theBytesAreThere()
    {
        final CassandraResponse response = new CassandraResponse(rows(1, () -> ByteBuffer.wrap(new byte[]{7, 8})));
        out.begin(response.encodedLengthHint(ProtocolVersion.V5), LIMIT);
        response.encode(out, ProtocolVersion.V5);
        try (BufferLease lease = out.finish())
        {
            final byte[] end = new byte[6];
            lease.buffer().getBytes(lease.length() - end.length, end);
            assertEquals("[0, 0, 0, 2, 7, 8]", Arrays.toString(end));
        }
        pool.close();
    }
}
