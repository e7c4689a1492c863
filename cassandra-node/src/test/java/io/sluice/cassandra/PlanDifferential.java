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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.StatementId;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.MD5Digest;

/**
 * The same write by its plan and by Cassandra's own code: what it writes and what the client hears, byte for byte.
 * Statements, values and options are at random from a seed that every failure names.
 */
public final class PlanDifferential implements AutoCloseable
{
    private static final int STATEMENTS_PER_TABLE = 12;
    private static final int CASES_PER_TABLE = 100;
    private static final int TIMESTAMP = 0x20;
    private static final int VALUES = 0x01;
    private static final int NAMES = 0x40;
    private static final int PAGE_SIZE = 0x04;
    private static final int SERIAL = 0x10;
    private static final int NOW = 0x100;
    private static final int VERSION = 5;
    private static final int ONE = 1;
    /** All but EACH_QUORUM, which the error says in Java's words. */
    private static final int[] LEVELS = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10};

    /** One statement, prepared. */
    private record Prepared(RandomWrite write, byte[] id, PreparedId known, ModificationStatement statement)
    {
    }

    private final long seed;
    private final Random random;
    private final WireClient client;
    private final String keyspace;
    private final WritePlansMXBean node = writePlans();
    private final WritePlans plans = new WritePlans();
    private List<Prepared> prepared = List.of();
    private int tables;
    private long plannedCases;
    private long ordinaryCases;
    private long batches;

    /** @param keyspace made here, with one replica */
    public PlanDifferential(final TestNode node, final String keyspace, final long seed) throws IOException
    {
        this.seed = seed;
        this.keyspace = keyspace;
        random = new Random(seed);
        client = WireClient.ready(node.address(), VERSION, null);
        define("CREATE KEYSPACE " + keyspace +
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    /** The node's switch and counts. */
    public static WritePlansMXBean writePlans()
    {
        try
        {
            return JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), new ObjectName(
                "io.sluice:type=WritePlans"), WritePlansMXBean.class);
        }
        catch (final MalformedObjectNameException e)
        {
            throw new AssertionError(e);
        }
    }

    /** As many cases; one in four is a batch. */
    public void run(final int cases) throws IOException
    {
        for (int i = 0; i < cases; i++)
        {
            if (i % CASES_PER_TABLE == 0)
            {
                nextTable();
            }
            try
            {
                if (i % 4 == 3)
                {
                    batch();
                }
                else
                {
                    single(prepared.get(random.nextInt(prepared.size())));
                }
            }
            catch (final AssertionError | RuntimeException e)
            {
                throw new AssertionError("seed " + seed + ", case " + i + ": " + e.getMessage(), e);
            }
        }
    }

    /** A line for the log. */
    public String summary()
    {
        return "seed " + seed + ": " + plannedCases + " statements by plans, " + ordinaryCases + " ordinary, " +
            batches + " batches, " + tables + " tables";
    }

    public long plannedCases()
    {
        return plannedCases;
    }

    public long ordinaryCases()
    {
        return ordinaryCases;
    }

    private void nextTable() throws IOException
    {
        final RandomTable table = new RandomTable(keyspace + ".t" + tables, random);
        tables++;
        table.definitions().forEach(this::define);
        final List<Prepared> statements = new ArrayList<>();
        for (int i = 0; i < STATEMENTS_PER_TABLE; i++)
        {
            statements.add(prepare(new RandomWrite(table, random)));
        }
        // Batches reach back to the table before.
        prepared.stream().skip(Math.max(0, prepared.size() - STATEMENTS_PER_TABLE)).forEach(statements::add);
        Collections.reverse(statements);
        prepared = statements;
    }

    private void define(final String cql)
    {
        try
        {
            final WireEnvelope answer = client.ask(Requests.query(VERSION, 1, cql));
            assertEquals(Opcode.RESULT, answer.type(), () -> cql + ": " + answer);
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Prepared prepare(final RandomWrite write) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.prepare(VERSION, 1, write.cql()));
        assertEquals(Opcode.RESULT, answer.type(), () -> write.cql() + ": " + answer);
        final int length = answer.body()[4] << 8 | answer.body()[5];
        final byte[] id = Arrays.copyOfRange(answer.body(), 6, 6 + length);
        final QueryHandler.Prepared made = QueryProcessor.instance.getPrepared(MD5Digest.wrap(id));
        final PreparedId known = PreparedId.of(new StatementId(id));
        known.markKnown();
        final Prepared statement = new Prepared(write, id, known, (ModificationStatement)made.statement);
        final PlannedStatement planned = plans.of(known, made.statement);
        assertEquals(write.road() == RandomWrite.Road.PLANNED, planned.plan() != null, () -> write.cql() + ": " +
            planned.reason());
        return statement;
    }

    private void single(final Prepared statement) throws IOException
    {
        final RandomWrite write = statement.write;
        final boolean right = random.nextInt(3) > 0;
        final byte[][] values = write.values(right);
        final WritePlan plan = statement.known.planned().plan();
        final List<String> made = plan == null ? null : MutationBytes.planned(statement.statement, plan, values);
        if (right && plan != null && !overflows(statement.statement))
        {
            assertNotNull(made, () -> "no plan for right values: " + write.cql() + " " + write.types() + " " + Arrays
                .stream(values)
                .map(java.util.HexFormat.of()::formatHex)
                .toList());
        }
        if (made != null)
        {
            assertEquals(MutationBytes.stock(List.of(statement.statement), List.<byte[][]>of(values)), made,
                write::cql);
        }
        final byte[] request = execute(statement, values, right);
        // Strange options may keep values off their plan that fit it.
        compare(request, write.cql(), made != null && right ? 1 : 0, made == null ? 0 : 1, write.isConditional());
    }

    /** A default time to live so long that Cassandra decides. */
    private static boolean overflows(final ModificationStatement statement)
    {
        return statement.metadata.params.defaultTimeToLive > 100_000_000;
    }

    private void compare(final byte[] request,
        final String what,
        final int leastPlanned,
        final int mostPlanned,
        final boolean conditional) throws IOException
    {
        final long before = node.getPlannedStatements();
        final WireEnvelope byPlan = client.ask(request);
        final long planned = node.getPlannedStatements() - before;
        assertTrue(planned >= leastPlanned && planned <= mostPlanned, () -> planned + " planned, expected " +
            leastPlanned + ".." + mostPlanned + ": " + what + " -> " + byPlan);
        plannedCases += planned;
        ordinaryCases += planned == 0 ? 1 : 0;
        node.setEnabled(false);
        final WireEnvelope stock = client.ask(request);
        node.setEnabled(true);
        if (!conditional)
        {
            assertEquals(stock, byPlan, what);
        }
    }

    private byte[] execute(final Prepared statement, final byte[][] values, final boolean right)
    {
        final WireBytes body = new WireBytes().shortBytes(statement.id).shortBytes(new byte[16]);
        parameters(body, values, statement.write.names(), right);
        return Requests.envelope(VERSION, 0, 1, Opcode.EXECUTE.code(), body.toArray());
    }

    private void parameters(final WireBytes body, final byte[][] values, final List<String> names, final boolean right)
    {
        final boolean strange = !right && random.nextInt(6) == 0;
        final boolean named = names != null && random.nextBoolean();
        final boolean serial = strange && random.nextBoolean();
        final boolean paged = strange && random.nextBoolean();
        body.u16(strange ? LEVELS[random.nextInt(LEVELS.length)] : ONE);
        body.i32((values.length == 0 ? 0 : VALUES) | TIMESTAMP | NOW | (named && values.length > 0 ? NAMES : 0) |
            (serial ? SERIAL : 0) | (paged ? PAGE_SIZE : 0));
        if (values.length > 0)
        {
            body.u16(values.length);
            for (final int i : named ? shuffled(values.length) : inOrder(values.length))
            {
                if (named)
                {
                    body.string(names.get(i));
                }
                value(body, values[i]);
            }
        }
        if (paged)
        {
            body.i32(random.nextInt(3));
        }
        if (serial)
        {
            body.u16(8 + random.nextInt(2));
        }
        body.i32((int)(MutationBytes.TIMESTAMP >>> 32)).i32((int)MutationBytes.TIMESTAMP);
        body.i32((int)MutationBytes.NOW_IN_SECONDS);
    }

    private static void value(final WireBytes body, final byte[] value)
    {
        if (Cells.isUnset(value))
        {
            body.i32(-2);
        }
        else
        {
            body.value(value);
        }
    }

    private List<Integer> shuffled(final int length)
    {
        final List<Integer> order = new ArrayList<>(inOrder(length));
        Collections.shuffle(order, random);
        return order;
    }

    private static List<Integer> inOrder(final int length)
    {
        return java.util.stream.IntStream.range(0, length).boxed().toList();
    }

    private void batch() throws IOException
    {
        batches++;
        final boolean right = random.nextInt(3) > 0;
        final boolean onePartition = random.nextInt(3) == 0;
        final int size = 1 + random.nextInt(onePartition ? 40 : 8);
        final List<Prepared> chosen = new ArrayList<>();
        final List<byte[][]> values = new ArrayList<>();
        for (int i = 0; i < size; i++)
        {
            final boolean again = i > 0 && (onePartition || random.nextBoolean());
            final Prepared statement = again ? chosen.get(i - 1) : prepared.get(random.nextInt(prepared.size()));
            chosen.add(statement);
            values.add(again
                ? valuesAfter(values.get(i - 1), statement, onePartition, right)
                : statement.write.values(right || random.nextBoolean()));
        }
        if (onePartition && random.nextBoolean())
        {
            sort(chosen.get(0), values);
        }
        compareMutations(chosen, values);
        final int type = random.nextInt(8) == 0 ? 2 : random.nextInt(2);
        final WireBytes body = new WireBytes().u8(type).u16(size);
        for (int i = 0; i < size; i++)
        {
            if (random.nextInt(5) == 0)
            {
                body.u8(0).longString(chosen.get(i).write.cql());
            }
            else
            {
                body.u8(1).shortBytes(chosen.get(i).id);
            }
            body.u16(values.get(i).length);
            for (final byte[] value : values.get(i))
            {
                value(body, value);
            }
        }
        parameters(body, new byte[0][], null, right);
        compare(Requests.envelope(VERSION, 0, 1, Opcode.BATCH.code(), body.toArray()), chosen.stream()
            .map(statement -> statement.write.cql())
            .toList()
            .toString(), 0, size, chosen.stream().anyMatch(statement -> statement.write.isConditional()));
    }

    /** The same values, hence the same row; or others of the same partition; or any. */
    private byte[][] valuesAfter(final byte[][] last,
        final Prepared statement,
        final boolean samePartition,
        final boolean right)
    {
        if (random.nextInt(samePartition ? 16 : 2) == 0)
        {
            return last;
        }
        final byte[][] values = statement.write.values(right || random.nextBoolean());
        final short[] key = statement.statement.getPartitionKeyBindVariableIndexes();
        if (key != null && (samePartition || random.nextBoolean()))
        {
            for (final short part : key)
            {
                values[part] = last[part];
            }
        }
        return values;
    }

    /** Puts the rows of one partition into its order, if all have a place there; equal ones stay in theirs. */
    private static void sort(final Prepared statement, final List<byte[][]> values)
    {
        final WritePlan plan = statement.known.planned().plan();
        final PlannedRow row = new PlannedRow();
        final List<Map.Entry<Row, byte[][]>> rows = new ArrayList<>();
        for (final byte[][] cells : values)
        {
            if (plan == null || !row.bind(statement.statement, plan, cells, MutationBytes.TIMESTAMP,
                MutationBytes.NOW_IN_SECONDS) || !(row.change() instanceof Row made))
            {
                return;
            }
            rows.add(Map.entry(made, cells));
        }
        rows.sort((one, other) -> statement.statement.metadata.comparator.compare(one.getKey(), other.getKey()));
        values.clear();
        rows.forEach(entry -> values.add(entry.getValue()));
    }

    private void compareMutations(final List<Prepared> chosen, final List<byte[][]> values)
    {
        for (final Prepared statement : chosen)
        {
            final RandomWrite write = statement.write;
            if (write.isConditional() || write.isCounter() || write.road() == RandomWrite.Road.ORDINARY_ANEW)
            {
                return;
            }
        }
        final BatchRequest request = new BatchRequest(0, null, BatchRequest.Type.UNLOGGED, chosen.stream()
            .map(statement -> statementId(statement))
            .toArray(), values.toArray(byte[][][]::new), MutationBytes.parameters());
        final List<String> made;
        try
        {
            made = MutationBytes.planned(request, plans);
        }
        catch (final RuntimeException e)
        {
            // A statement without a plan: that Cassandra says the same, the answers show.
            return;
        }
        if (made != null)
        {
            assertEquals(MutationBytes.stock(chosen.stream().map(Prepared::statement).toList(), values), made,
                () -> chosen
                    .stream()
                    .map(statement -> statement.write.cql())
                    .toList()
                    .toString());
        }
    }

    private static StatementId statementId(final Prepared statement)
    {
        final StatementId id = new StatementId(statement.id);
        id.attachment(statement.known);
        return id;
    }

    @Override
    public void close() throws IOException
    {
        node.setEnabled(true);
        define("DROP KEYSPACE " + keyspace);
        assertEquals(null, Schema.instance.getKeyspaceMetadata(keyspace));
        client.close();
    }
}
