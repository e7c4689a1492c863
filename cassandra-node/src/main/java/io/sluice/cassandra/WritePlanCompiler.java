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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.Constants;
import org.apache.cassandra.cql3.Operation;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.restrictions.SingleColumnRestriction;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.DeleteStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.UpdateStatement;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.DurationType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Makes a {@link WritePlan} of a prepared statement, or says why there is none. What is not known to be the same on
 * both roads has no plan (docs/decisions/0008-write-plan.md). For one statement and one thread.
 */
final class WritePlanCompiler
{
    /** Types whose values are checked by the same code, whether in a ByteBuffer or an array, and are one cell. */
    private static final Set<Class<?>> PLAIN_TYPES = Set.of(AsciiType.class, BooleanType.class, ByteType.class,
        BytesType.class, DecimalType.class, DoubleType.class, DurationType.class, FloatType.class,
        InetAddressType.class, Int32Type.class, IntegerType.class, LongType.class, ShortType.class,
        SimpleDateType.class, TimeType.class, TimeUUIDType.class, TimestampType.class, UTF8Type.class, UUIDType.class);

    /** No plan, and why: thrown within this class alone. */
    private static final class Refusal extends Exception
    {
        private static final long serialVersionUID = 1;
        private final transient Unplanned reason;

        private Refusal(final Unplanned reason)
        {
            super(null, null, false, false);
            this.reason = reason;
        }
    }

    private final ModificationStatement statement;
    private final TableMetadata table;
    private final AbstractType<?>[] types;
    private final boolean[] bound;
    private final List<byte[]> constants = new ArrayList<>();

    private WritePlanCompiler(final ModificationStatement statement)
    {
        this.statement = statement;
        table = statement.metadata;
        final int markers = statement.getBindVariables().size();
        types = new AbstractType<?>[markers];
        bound = new boolean[markers];
    }

    /**
     * The plan for a statement, or a reason.
     *
     * @param keyspace the statement's, as it is now; null if it has been dropped
     */
    static PlannedStatement compile(final CQLStatement prepared, final KeyspaceMetadata keyspace)
    {
        if (!(prepared instanceof ModificationStatement statement))
        {
            return PlannedStatement.without(prepared, null, prepared instanceof BatchStatement
                ? Unplanned.PREPARED_BATCH
                : Unplanned.NOT_A_WRITE);
        }
        if (keyspace == null)
        {
            return PlannedStatement.without(prepared, null, Unplanned.SYSTEM_TABLE);
        }
        try
        {
            return PlannedStatement.with(prepared, keyspace, new WritePlanCompiler(statement).plan(keyspace));
        }
        catch (final Refusal refusal)
        {
            return PlannedStatement.without(prepared, keyspace, refusal.reason);
        }
    }

    private WritePlan plan(final KeyspaceMetadata keyspace) throws Refusal
    {
        checkStatement();
        checkTable(keyspace);
        final int[] partitionKey = key(StatementInternals.partitionKey(statement.getRestrictions()),
            table.partitionKeyColumns());
        final List<ColumnMetadata> clusteringColumns = table.clusteringColumns();
        final boolean wholePartition = statement.getClass() == DeleteStatement.class && statement.getRegularOperations()
            .isEmpty() && !statement.getRestrictions().hasClusteringColumnsRestrictions();
        final int[] clustering = wholePartition
            ? new int[0]
            : key(StatementInternals.clustering(statement.getRestrictions()), clusteringColumns);
        final List<Operation> operations = operations();
        final int[] values = new int[operations.size()];
        final ColumnMetadata[] columns = new ColumnMetadata[values.length];
        for (int i = 0; i < values.length; i++)
        {
            columns[i] = operations.get(i).column;
            values[i] = value(operations.get(i));
        }
        final int timestamp = attribute(StatementInternals.timestamp(statement));
        final int timeToLive = attribute(StatementInternals.timeToLive(statement));
        for (final boolean used : bound)
        {
            refuseIf(!used, Unplanned.VALUE);
        }
        return new WritePlan(shape(wholePartition, columns.length), columns, types, names(statement),
            new WritePlan.Sources(partitionKey, clustering, values, timestamp, timeToLive, constants.toArray(
                byte[][]::new)));
    }

    private WritePlan.Shape shape(final boolean wholePartition, final int columns)
    {
        if (statement.getClass() == UpdateStatement.class)
        {
            return StatementInternals.isInsert(statement) ? WritePlan.Shape.INSERT : WritePlan.Shape.CELLS;
        }
        return wholePartition
            ? WritePlan.Shape.DELETE_PARTITION
            : columns == 0
                ? WritePlan.Shape.DELETE_ROW
                : WritePlan.Shape.CELLS;
    }

    private void checkStatement() throws Refusal
    {
        refuseIf(statement.getClass() != UpdateStatement.class && statement.getClass() != DeleteStatement.class,
            Unplanned.OPERATION);
        refuseIf(statement.hasConditions(), Unplanned.CONDITIONAL);
        refuseIf(types.length == 0, Unplanned.NO_MARKERS);
        refuseIf(statement.requiresRead(), Unplanned.OPERATION);
        refuseIf(statement.updatesStaticRow(), Unplanned.STATIC_COLUMNS);
        refuseIf(statement.getFunctions().iterator().hasNext(), Unplanned.VALUE);
    }

    private void checkTable(final KeyspaceMetadata keyspace) throws Refusal
    {
        refuseIf(table.isCounter(), Unplanned.COUNTER);
        refuseIf(table.isVirtual() || table.isView() || SchemaConstants.isSystemKeyspace(table.keyspace),
            Unplanned.SYSTEM_TABLE);
        refuseIf(table.isCompactTable(), Unplanned.COMPACT_TABLE);
        final TableMetadata now = keyspace.getTableOrViewNullable(table.name);
        refuseIf(!table.triggers.isEmpty() || now == null || !now.triggers.isEmpty(), Unplanned.TRIGGERS);
        refuseIf(!keyspace.views.isEmpty(), Unplanned.VIEWS);
    }

    /** The source of each of these columns. */
    private int[] key(final Iterable<?> restrictions, final List<ColumnMetadata> columns) throws Refusal
    {
        refuseIf(restrictions == null, Unplanned.RESTRICTION);
        final int[] sources = new int[columns.size()];
        int restricted = 0;
        for (final Object restriction : restrictions)
        {
            if (!(restriction instanceof SingleColumnRestriction.EQRestriction equal))
            {
                throw new Refusal(Unplanned.RESTRICTION);
            }
            final int source = source(StatementInternals.value(equal));
            refuseIf(source < 0 && constants.get(~source) == null, Unplanned.VALUE);
            sources[equal.getFirstColumn().position()] = source;
            restricted++;
        }
        refuseIf(restricted != sources.length, Unplanned.RESTRICTION);
        return sources;
    }

    /** In the order in which a row keeps its columns. */
    private List<Operation> operations() throws Refusal
    {
        final List<Operation> operations = new ArrayList<>(statement.getRegularOperations());
        operations.sort((one, other) -> one.column.compareTo(other.column));
        for (int i = 0; i < operations.size(); i++)
        {
            final Operation operation = operations.get(i);
            final boolean known = operation.getClass() == Constants.Setter.class || operation
                .getClass() == Constants.Deleter.class;
            refuseIf(!known || !operation.column.isSimple(), Unplanned.OPERATION);
            refuseIf(i > 0 && operations.get(i - 1).column.equals(operation.column), Unplanned.OPERATION);
        }
        return operations;
    }

    private int value(final Operation operation) throws Refusal
    {
        return operation.getClass() == Constants.Deleter.class
            ? constant(null)
            : source(StatementInternals.term(operation));
    }

    private int attribute(final Term term) throws Refusal
    {
        if (term == null)
        {
            return WritePlan.Sources.ABSENT;
        }
        final int source = source(term);
        if (source >= 0)
        {
            // Wrong ones have texts of their own: looked at where it is used.
            types[source] = null;
        }
        return source;
    }

    private int source(final Term term) throws Refusal
    {
        if (term.getClass() == Constants.Marker.class)
        {
            final Constants.Marker marker = (Constants.Marker)term;
            final AbstractType<?> type = StatementInternals.receiver(marker).type;
            refuseIf(!PLAIN_TYPES.contains(type.unwrap().getClass()), Unplanned.VALUE);
            final int index = StatementInternals.index(marker);
            refuseIf(bound[index], Unplanned.VALUE);
            bound[index] = true;
            types[index] = type;
            return index;
        }
        if (term == Constants.NULL_VALUE)
        {
            return constant(null);
        }
        refuseIf(term.getClass() != Constants.Value.class, Unplanned.VALUE);
        final ByteBuffer bytes = ((Constants.Value)term).bytes;
        refuseIf(bytes == null || term == Constants.UNSET_VALUE, Unplanned.VALUE);
        return constant(ByteBufferUtil.getArray(bytes.duplicate()).clone());
    }

    private int constant(final byte[] cell)
    {
        constants.add(cell);
        return ~(constants.size() - 1);
    }

    /** The names of a statement's bound values. */
    static String[] names(final CQLStatement statement)
    {
        final List<ColumnSpecification> variables = statement.getBindVariables();
        final String[] names = new String[variables.size()];
        for (int i = 0; i < names.length; i++)
        {
            names[i] = variables.get(i).name.toString();
        }
        return names;
    }

    private static void refuseIf(final boolean refused, final Unplanned reason) throws Refusal
    {
        if (refused)
        {
            throw new Refusal(reason);
        }
    }
}
