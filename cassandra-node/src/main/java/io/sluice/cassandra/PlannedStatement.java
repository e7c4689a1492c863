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

import java.lang.ref.WeakReference;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;

/**
 * What was found out about one of Cassandra's prepared statements: it holds as long as Cassandra keeps the very same
 * statement, and the keyspace its schema. Immutable, any thread.
 */
final class PlannedStatement
{
    /** Weak, as is the keyspace: what Cassandra forgets must not stay in memory for us. */
    private final WeakReference<CQLStatement> statement;
    private final WeakReference<KeyspaceMetadata> keyspace;
    private final String keyspaceName;
    private final WritePlan plan;
    private final Unplanned reason;
    private final String[] names;

    private PlannedStatement(final CQLStatement statement,
        final KeyspaceMetadata keyspace,
        final WritePlan plan,
        final Unplanned reason,
        final String[] names)
    {
        this.statement = new WeakReference<>(statement);
        this.keyspace = new WeakReference<>(keyspace);
        keyspaceName = keyspace == null ? null : keyspace.name;
        this.plan = plan;
        this.reason = reason;
        this.names = names;
    }

    static PlannedStatement with(final CQLStatement statement, final KeyspaceMetadata keyspace, final WritePlan plan)
    {
        return new PlannedStatement(statement, keyspace, plan, null, plan.names());
    }

    static PlannedStatement without(final CQLStatement statement,
        final KeyspaceMetadata keyspace,
        final Unplanned reason)
    {
        return new PlannedStatement(statement, keyspace, null, reason, WritePlanCompiler.names(statement));
    }

    /** Of a statement that nothing could be found out about. */
    static PlannedStatement failed(final CQLStatement statement, final KeyspaceMetadata keyspace)
    {
        return new PlannedStatement(statement, keyspace, null, Unplanned.FAILURE, null);
    }

    /** True if it is nothing that a plan could ever be for or a count be about. */
    boolean isNeverWrite()
    {
        return reason == Unplanned.NOT_A_WRITE;
    }

    /** True if it holds whatever happens: the text alone says so. */
    private boolean isForever()
    {
        return isNeverWrite() || reason == Unplanned.PREPARED_BATCH;
    }

    /** True if Cassandra's statement and the schema are those that this was made of. */
    @SuppressWarnings("ReferenceEquality") // Cassandra makes new ones whenever anything changes.
    boolean holdsFor(final CQLStatement current)
    {
        return isForever() || keyspaceName != null && current == statement.get() && Schema.instance
            .getKeyspaceMetadata(keyspaceName) == keyspace.get() && keyspace.get() != null;
    }

    /** Null if there is none. */
    WritePlan plan()
    {
        return plan;
    }

    /** Why there is no plan, or null. */
    Unplanned reason()
    {
        return reason;
    }

    /** Of the bound values, in the statement's order; null if they are not known. */
    String[] names()
    {
        return names;
    }
}
