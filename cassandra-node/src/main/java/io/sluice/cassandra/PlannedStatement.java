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

import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;

/**
 * What was found out about one of Cassandra's prepared statements: it holds as long as Cassandra keeps the very same
 * statement, and the keyspace its schema. Immutable, any thread.
 */
final class PlannedStatement
{
    private final CQLStatement statement;
    private final KeyspaceMetadata keyspace;
    private final WritePlan plan;
    private final Unplanned reason;
    private final String[] names;

    private PlannedStatement(final CQLStatement statement,
        final KeyspaceMetadata keyspace,
        final WritePlan plan,
        final Unplanned reason,
        final String[] names)
    {
        this.statement = statement;
        this.keyspace = keyspace;
        this.plan = plan;
        this.reason = reason;
        this.names = names;
    }

    static PlannedStatement with(final WritePlan plan, final KeyspaceMetadata keyspace)
    {
        return new PlannedStatement(plan.statement(), keyspace, plan, null, plan.names());
    }

    static PlannedStatement without(final CQLStatement statement,
        final KeyspaceMetadata keyspace,
        final Unplanned reason)
    {
        // Never asked again about what is not a write, so nothing of the schema is held on to.
        final boolean never = reason == Unplanned.NOT_A_WRITE;
        return new PlannedStatement(never ? null : statement, never ? null : keyspace, null, reason,
            WritePlanCompiler.names(statement));
    }

    /** True if it holds whatever happens: the same text never becomes a write. */
    boolean isNeverWrite()
    {
        return reason == Unplanned.NOT_A_WRITE;
    }

    /** True if Cassandra's statement and the schema are those that this was made of. */
    @SuppressWarnings("ReferenceEquality") // Cassandra makes new ones whenever anything changes.
    boolean holdsFor(final CQLStatement current)
    {
        return isNeverWrite() || current == statement && keyspace != null && Schema.instance.getKeyspaceMetadata(
            keyspace.name) == keyspace;
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

    /** Of the bound values, in the statement's order. */
    String[] names()
    {
        return names;
    }
}
