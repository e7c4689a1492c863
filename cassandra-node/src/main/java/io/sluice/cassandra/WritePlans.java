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

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;

/**
 * The plans of prepared writes, each kept with the statement's {@link PreparedId}, the switch for them and the counts.
 * A statement is counted when its road is known, whatever comes of it; one that Cassandra does not know is not, since
 * it comes again once it is prepared. Any thread.
 */
final class WritePlans implements WritePlansMXBean
{
    private final LongAdder planned = new LongAdder();
    private final LongAdder compiled = new LongAdder();
    private final LongAdder recompiled = new LongAdder();
    /** Never changed after construction: an adder for each reason. */
    private final Map<Unplanned, LongAdder> unplanned = new EnumMap<>(Unplanned.class);
    /** Written by operators. */
    private volatile boolean enabled = true;

    WritePlans()
    {
        for (final Unplanned reason : Unplanned.values())
        {
            unplanned.put(reason, new LongAdder());
        }
    }

    /**
     * What is known about a statement, looked at anew if Cassandra's statement or the schema is another than the last
     * time.
     *
     * @param statement what Cassandra has under this id now
     */
    PlannedStatement of(final PreparedId id, final CQLStatement statement)
    {
        final PlannedStatement known = id.planned();
        if (known != null && known.holdsFor(statement))
        {
            return known;
        }
        final String keyspace = statement instanceof CQLStatement.SingleKeyspaceCqlStatement single
            ? single.keyspace()
            : null;
        final KeyspaceMetadata metadata = keyspace == null ? null : Schema.instance.getKeyspaceMetadata(keyspace);
        final PlannedStatement made = compile(statement, metadata);
        id.planned(made);
        compiled.increment();
        if (known != null)
        {
            recompiled.increment();
        }
        return made;
    }

    /** A compiler that fails must not cost the client its PREPARE: there is a road without a plan. */
    private static PlannedStatement compile(final CQLStatement statement, final KeyspaceMetadata metadata)
    {
        try
        {
            return WritePlanCompiler.compile(statement, metadata);
        }
        catch (final RuntimeException | LinkageError | AssertionError e)
        {
            UnexpectedErrors.logPlan(e);
            return PlannedStatement.failed(statement, metadata);
        }
    }

    /** So many statements went by their plans. */
    void countPlanned(final int statements)
    {
        planned.add(statements);
    }

    /** So many statements went the ordinary road. */
    void countUnplanned(final Unplanned reason, final int statements)
    {
        unplanned.get(reason).add(statements);
    }

    /** How many statements went the ordinary road for this reason. */
    long unplanned(final Unplanned reason)
    {
        return unplanned.get(reason).sum();
    }

    @Override
    public boolean isEnabled()
    {
        return enabled;
    }

    @Override
    public void setEnabled(final boolean enabled)
    {
        this.enabled = enabled;
    }

    @Override
    public long getPlannedStatements()
    {
        return planned.sum();
    }

    @Override
    public Map<String, Long> getUnplannedStatements()
    {
        final Map<String, Long> counts = new LinkedHashMap<>();
        unplanned.forEach((reason, count) ->
        {
            if (count.sum() > 0)
            {
                counts.put(reason.description(), count.sum());
            }
        });
        return counts;
    }

    @Override
    public long getCompiledStatements()
    {
        return compiled.sum();
    }

    @Override
    public long getRecompiledStatements()
    {
        return recompiled.sum();
    }
}
