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
package io.sluice.bench.soak;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The DataStax Java driver 4 in each version in turn, checked like the raw clients. Confined to its thread. */
final class DriverClient implements Runnable
{
    private record Wire(String version, String compression, boolean tls)
    {
    }

    private static final List<Wire> WIRES = List.of(new Wire("V5", "lz4", false), new Wire("V4", "none", true),
        new Wire("V5", "none", true), new Wire("V3", "lz4", false), new Wire("V4", "snappy", false));
    private static final Duration PATIENCE = Duration.ofMillis(SoakTarget.PATIENCE_MILLIS);
    private static final int KEYS = 32;
    private static final int LARGE_BYTES = 3 << 20;
    private static final int SMALL_BYTES = 1_500;
    private static final int ROWS = 23;
    private static final int PAGE = 5;
    private static final int SESSION_SECONDS = 20;
    private static final int PAUSE_MILLIS = 60;

    private final String name;
    private final Soak soak;
    private final Ledger ledger;
    private final SplittableRandom random;
    private final int firstKey;
    private final int[] generations = new int[KEYS];
    private int turn;
    private int round;

    DriverClient(final int index, final Soak soak)
    {
        name = "driver-" + index;
        this.soak = soak;
        ledger = soak.ledger();
        random = soak.random(name);
        firstKey = 1_000_000 + index * GoodClient.KEYS_PER_CLIENT;
        turn = index;
    }

    @Override
    public void run()
    {
        while (!soak.stop().isAsked())
        {
            final Wire wire = WIRES.get(turn++ % WIRES.size());
            try (CqlSession session = connect(wire))
            {
                ledger.acted("driver.session");
                ledger.outcome("driver.session", wire.version() + "-" + wire.compression());
                serve(session);
            }
            catch (final RuntimeException e)
            {
                ledger.fault(name, wire + ": " + e);
                soak.stop().await(1_000);
            }
        }
    }

    private CqlSession connect(final Wire wire)
    {
        final SoakTarget target = soak.target();
        final CqlSessionBuilder builder = CqlSession.builder()
            .addContactPoint(target.address())
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, wire.version())
                .withString(DefaultDriverOption.PROTOCOL_COMPRESSION, wire.compression())
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, PATIENCE)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .build());
        if (target.user() != null)
        {
            builder.withAuthCredentials(target.user(), target.password());
        }
        if (wire.tls() && target.tls() != null)
        {
            builder.withSslContext(target.tls());
        }
        return builder.build();
    }

    private void serve(final CqlSession session)
    {
        final PreparedStatement insert = session.prepare(SoakSchema.INSERT);
        final PreparedStatement select = session.prepare(SoakSchema.SELECT);
        final PreparedStatement insertWide = session.prepare(SoakSchema.INSERT_WIDE);
        final long start = System.nanoTime();
        while (!soak.stop().isAsked() && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SESSION_SECONDS))
        {
            writeAll(session, insert);
            readAll(session, select);
            wide(session, insertWide);
            if (round++ % 16 == 0)
            {
                large(session);
            }
            soak.stop().await(PAUSE_MILLIS);
        }
    }

    private void writeAll(final CqlSession session, final PreparedStatement insert)
    {
        final List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            if (random.nextBoolean())
            {
                generations[i]++;
                final ByteBuffer value = value(i);
                ledger.acted("driver.write");
                answers.add(random.nextBoolean()
                    ? session.executeAsync(insert.bind(firstKey + i, value))
                    : session.executeAsync(SimpleStatement.newInstance(SoakSchema.INSERT, firstKey + i, value)));
            }
        }
        answers.forEach(answer -> answer.toCompletableFuture().join());
    }

    private void readAll(final CqlSession session, final PreparedStatement select)
    {
        final List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            ledger.acted("driver.read");
            answers.add(session.executeAsync(select.bind(firstKey + i)));
        }
        for (int i = 0; i < KEYS; i++)
        {
            final Row row = answers.get(i).toCompletableFuture().join().one();
            if (generations[i] == 0 ? row != null : isOther(row, firstKey + i, value(i)))
            {
                ledger.fault(name, "the row of key " + (firstKey + i) + " is another one");
            }
        }
    }

    private ByteBuffer value(final int index)
    {
        final int key = firstKey + index;
        final int length = Math.floorMod(key * 31 + generations[index] * 17, SMALL_BYTES);
        return buffer(soak.content().value(key, generations[index], length));
    }

    private static ByteBuffer buffer(final byte[] bytes)
    {
        return ByteBuffer.allocate(bytes.length).put(bytes).flip();
    }

    private static boolean isOther(final Row row, final int key, final ByteBuffer value)
    {
        return row == null || row.getInt(0) != key || !value.equals(row.getByteBuffer(row.size() - 1));
    }

    private void wide(final CqlSession session, final PreparedStatement insertWide)
    {
        ledger.acted("driver.batch");
        final BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED);
        for (int c = 0; c < ROWS; c++)
        {
            batch.addStatement(insertWide.bind(firstKey, c, wideValue(c)));
        }
        session.execute(batch.build());
        ledger.acted("driver.pages");
        final ResultSet rows = session.execute(
            SimpleStatement.newInstance(SoakSchema.SELECT_WIDE, firstKey).setPageSize(PAGE));
        int c = 0;
        for (final Row row : rows)
        {
            if (row.getInt(1) != c || isOther(row, firstKey, wideValue(c)))
            {
                ledger.fault(name, "row " + c + " of the pages is another one");
            }
            c++;
        }
        if (c != ROWS)
        {
            ledger.fault(name, c + " rows in pages (expected: " + ROWS + ")");
        }
    }

    private ByteBuffer wideValue(final int c)
    {
        return buffer(soak.content().value(firstKey + c, round, SMALL_BYTES / 4));
    }

    private void large(final CqlSession session)
    {
        ledger.acted("driver.large");
        final int key = firstKey + KEYS;
        final ByteBuffer value = buffer(soak.content().value(key, round, LARGE_BYTES));
        session.execute(SimpleStatement.newInstance(SoakSchema.INSERT, key, value));
        final Row row = session.execute(SimpleStatement.newInstance(SoakSchema.SELECT, key)).one();
        if (isOther(row, key, value))
        {
            ledger.fault(name, "the large value is another one");
        }
    }
}
