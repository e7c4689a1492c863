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
package io.sluice.cassandra.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.protocol.internal.util.Bytes;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values both ways, from a few bytes to nearly the largest message, thick round the size of a segment. */
@ExtendWith(NodeExtension.class)
final class BlobIT
{
    private static final int KIBIBYTE = 1 << 10;
    private static final int MEBIBYTE = 1 << 20;
    private static final int SEGMENT_PAYLOAD = 128 * KIBIBYTE - 1;

    private final Sessions sessions;

    BlobIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void returnsWhatWasWritten(final Wire wire)
    {
        final Table table = new Table(wire);
        for (final int size : sizes())
        {
            table.roundTrip(random(size));
            table.roundTrip(repetitive(size));
        }
        table.roundTrip(random(15 * MEBIBYTE));
    }

    private static List<Integer> sizes()
    {
        final List<Integer> sizes = new ArrayList<>(List.of(0, 1, 100, MEBIBYTE));
        for (int around = -8; around <= 8; around++)
        {
            sizes.add(128 * KIBIBYTE + around);
        }
        // The envelope about the value is what must fit a segment: these straddle the limit both ways.
        for (int overhead = 0; overhead <= 110; overhead += 5)
        {
            sizes.add(SEGMENT_PAYLOAD - overhead);
        }
        return sizes;
    }

    @ParameterizedTest
    @EnumSource
    void answersManyLargeRowsAtOnce(final Wire wire)
    {
        final Table table = new Table(wire);
        for (int i = 0; i < 10; i++)
        {
            table.write(i, random(MEBIBYTE));
        }
        final ResultSet rows = table.session.execute("SELECT b FROM " + table.name);
        int count = 0;
        for (final Row row : rows)
        {
            assertEquals(MEBIBYTE, row.getByteBuffer(0).remaining());
            count++;
        }
        assertEquals(10, count);
    }

    @ParameterizedTest
    @EnumSource
    void refusesMoreThanTheLimitAndGoesOn(final Wire wire)
    {
        final Table table = new Table(wire);
        assertThrows(InvalidQueryException.class, () -> table.write(1, random(17 * MEBIBYTE)));
        table.roundTrip(random(100));
    }

    private static byte[] random(final int size)
    {
        final byte[] bytes = new byte[size];
        new SplittableRandom(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] repetitive(final int size)
    {
        final byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++)
        {
            bytes[i] = (byte)(i % 23);
        }
        return bytes;
    }

    /** One table of blobs, made anew. */
    private final class Table
    {
        private final CqlSession session;
        private final String name;
        private final PreparedStatement insert;
        private final PreparedStatement select;

        Table(final Wire wire)
        {
            final String keyspace = wire.keyspace("blobs");
            session = sessions.of(wire, keyspace);
            name = keyspace + ".t";
            session.execute("DROP TABLE IF EXISTS " + name);
            session.execute("CREATE TABLE " + name + " (k int PRIMARY KEY, b blob)");
            insert = session.prepare("INSERT INTO " + name + " (k, b) VALUES (?, ?)");
            select = session.prepare("SELECT b FROM " + name + " WHERE k = ?");
        }

        void write(final int key, final byte[] value)
        {
            session.execute(insert.bind(key, ByteBuffer.wrap(value)));
        }

        void roundTrip(final byte[] value)
        {
            write(0, value);
            assertArrayEquals(value, Bytes.getArray(session.execute(select.bind(0)).one().getByteBuffer(0)),
                () -> "size " + value.length);
        }
    }
}
