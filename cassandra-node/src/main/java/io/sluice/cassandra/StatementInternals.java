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

import com.google.common.collect.HashMultiset;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.AbstractMarker;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.Operation;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.restrictions.SingleColumnRestriction;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.StatementType;
import org.apache.cassandra.cql3.statements.UpdatesCollector;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * What of Cassandra 5.0.8's prepared statements is not public and {@link WritePlan}s are made of, beside
 * {@link CassandraInternals}: all of it. A release that renames a member fails here, when the node starts. Immutable,
 * any thread.
 */
final class StatementInternals
{
    private static final VarHandle OPERATION_TERM;
    private static final VarHandle MARKER_INDEX;
    private static final VarHandle MARKER_RECEIVER;
    private static final VarHandle TYPE;
    private static final VarHandle ATTRIBUTES;
    private static final VarHandle TIMESTAMP;
    private static final VarHandle TIME_TO_LIVE;
    private static final VarHandle PARTITION_KEY;
    private static final VarHandle CLUSTERING;
    private static final VarHandle RESTRICTIONS;
    private static final Class<?> RESTRICTION_SET_WRAPPER;
    private static final VarHandle EQUAL_VALUE;
    private static final VarHandle BATCH_COLUMNS;
    private static final MethodHandle ADD_UPDATES;
    private static final MethodHandle EXECUTE_BATCH;
    private static final MethodHandle SINGLE_TABLE;
    private static final MethodHandle MANY_TABLES;
    static
    {
        try
        {
            final MethodHandles.Lookup own = MethodHandles.lookup();
            OPERATION_TERM = field(own, Operation.class, "t", Term.class);
            MARKER_INDEX = field(own, AbstractMarker.class, "bindIndex", int.class);
            MARKER_RECEIVER = field(own, AbstractMarker.class, "receiver", ColumnSpecification.class);
            TYPE = field(own, ModificationStatement.class, "type", StatementType.class);
            ATTRIBUTES = field(own, ModificationStatement.class, "attrs", Attributes.class);
            TIMESTAMP = field(own, Attributes.class, "timestamp", Term.class);
            TIME_TO_LIVE = field(own, Attributes.class, "timeToLive", Term.class);
            final String folder = StatementRestrictions.class.getPackageName() + ".";
            final MethodHandles.Lookup restrictions = MethodHandles.privateLookupIn(StatementRestrictions.class, own);
            PARTITION_KEY = restrictions.findVarHandle(StatementRestrictions.class, "partitionKeyRestrictions",
                restrictions.findClass(folder + "PartitionKeyRestrictions"));
            CLUSTERING = restrictions.findVarHandle(StatementRestrictions.class, "clusteringColumnsRestrictions",
                restrictions.findClass(folder + "ClusteringColumnRestrictions"));
            RESTRICTION_SET_WRAPPER = restrictions.findClass(folder + "RestrictionSetWrapper");
            RESTRICTIONS = MethodHandles.privateLookupIn(RESTRICTION_SET_WRAPPER, own)
                .findVarHandle(RESTRICTION_SET_WRAPPER, "restrictions", restrictions.findClass(folder +
                    "RestrictionSet"));
            EQUAL_VALUE = field(own, SingleColumnRestriction.EQRestriction.class, "value", Term.class);
            BATCH_COLUMNS = field(own, BatchStatement.class, "updatedColumns", Map.class);
            final MethodHandles.Lookup statements = MethodHandles.privateLookupIn(ModificationStatement.class, own);
            ADD_UPDATES = statements.findVirtual(ModificationStatement.class, "addUpdates",
                MethodType.methodType(void.class, UpdatesCollector.class, List.class, ClientState.class,
                    QueryOptions.class, boolean.class, long.class, long.class, Dispatcher.RequestTime.class));
            EXECUTE_BATCH = MethodHandles.privateLookupIn(BatchStatement.class, own)
                .findVirtual(BatchStatement.class, "executeWithoutConditions",
                    MethodType.methodType(void.class, List.class, ConsistencyLevel.class,
                        Dispatcher.RequestTime.class));
            SINGLE_TABLE = collector(statements, "SingleTableUpdatesCollector",
                MethodType.methodType(void.class, TableMetadata.class, RegularAndStaticColumns.class,
                    HashMultiset.class));
            MANY_TABLES = collector(statements, "BatchUpdatesCollector",
                MethodType.methodType(void.class, Map.class, Map.class));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private StatementInternals()
    {
    }

    private static VarHandle field(final MethodHandles.Lookup own,
        final Class<?> owner,
        final String name,
        final Class<?> type) throws ReflectiveOperationException
    {
        return MethodHandles.privateLookupIn(owner, own).findVarHandle(owner, name, type);
    }

    private static MethodHandle collector(final MethodHandles.Lookup statements,
        final String name,
        final MethodType constructor) throws ReflectiveOperationException
    {
        final Class<?> type = statements.findClass(ModificationStatement.class.getPackageName() + "." + name);
        return statements.findConstructor(type, constructor)
            .asType(constructor.changeReturnType(UpdatesCollector.class));
    }

    /** What an operation sets its column to, or null if it needs no value. */
    static Term term(final Operation operation)
    {
        return (Term)OPERATION_TERM.get(operation);
    }

    /** Which of the bound values a marker stands for. */
    static int index(final AbstractMarker marker)
    {
        return (int)MARKER_INDEX.get(marker);
    }

    /** What a marker's value is checked against. */
    static ColumnSpecification receiver(final AbstractMarker marker)
    {
        return (ColumnSpecification)MARKER_RECEIVER.get(marker);
    }

    /** True for INSERT, which Cassandra's class for it shares with UPDATE. */
    static boolean isInsert(final ModificationStatement statement)
    {
        return ((StatementType)TYPE.get(statement)).isInsert();
    }

    /** USING TIMESTAMP, or null. */
    static Term timestamp(final ModificationStatement statement)
    {
        return (Term)TIMESTAMP.get((Attributes)ATTRIBUTES.get(statement));
    }

    /** USING TTL, or null. */
    static Term timeToLive(final ModificationStatement statement)
    {
        return (Term)TIME_TO_LIVE.get((Attributes)ATTRIBUTES.get(statement));
    }

    /** What the partition key is restricted by, or null if it is not by columns. */
    static Iterable<?> partitionKey(final StatementRestrictions restrictions)
    {
        return restrictionSet(PARTITION_KEY.get(restrictions));
    }

    /** What the clustering columns are restricted by, or null if it is not by columns. */
    static Iterable<?> clustering(final StatementRestrictions restrictions)
    {
        return restrictionSet(CLUSTERING.get(restrictions));
    }

    private static Iterable<?> restrictionSet(final Object restrictions)
    {
        return RESTRICTION_SET_WRAPPER.isInstance(restrictions) ? (Iterable<?>)RESTRICTIONS.get(restrictions) : null;
    }

    /** What the column must equal. */
    static Term value(final SingleColumnRestriction.EQRestriction restriction)
    {
        return (Term)EQUAL_VALUE.get(restriction);
    }

    /** Adds what a statement writes to a collector. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    static void addUpdates(final ModificationStatement statement,
        final UpdatesCollector collector,
        final List<ByteBuffer> keys,
        final ClientState client,
        final QueryOptions options,
        final long timestamp,
        final long nowInSeconds,
        final Dispatcher.RequestTime time)
    {
        try
        {
            ADD_UPDATES.invokeExact(statement, collector, keys, client, options, false, timestamp, nowInSeconds, time);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }

    /** Cassandra's own collector for what these statements write. */
    @SuppressWarnings("unchecked")
    static UpdatesCollector collector(final BatchStatement batch, final Map<TableId, HashMultiset<ByteBuffer>> rows)
    {
        final Map<TableId, RegularAndStaticColumns> columns = (Map<TableId, RegularAndStaticColumns>)BATCH_COLUMNS.get(
            batch);
        try
        {
            if (rows.size() > 1)
            {
                return (UpdatesCollector)MANY_TABLES.invokeExact(columns, rows);
            }
            final TableMetadata table = batch.getStatements().get(0).metadata;
            return (UpdatesCollector)SINGLE_TABLE.invokeExact(table, columns.get(table.id), rows.get(table.id));
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }

    /** Applies what a batch of this type writes, with its warnings and metrics. */
    static void execute(final BatchStatement batch,
        final List<? extends IMutation> mutations,
        final ConsistencyLevel consistency,
        final Dispatcher.RequestTime time)
    {
        try
        {
            EXECUTE_BATCH.invokeExact(batch, (List<?>)mutations, consistency, time);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }
}
