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

import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.StatementId;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.service.ClientState;

/**
 * How many writes there are to count in a request that goes the ordinary road. What Cassandra does not know is none:
 * its client prepares it and sends the request again. Has no state, any thread.
 */
final class OrdinaryWrites
{
    private OrdinaryWrites()
    {
    }

    /** None if it is a SELECT, say; of a BATCH that was prepared as one all of its statements. */
    static int of(final ExecuteRequest request)
    {
        final QueryHandler.Prepared prepared = prepared(request.statementId());
        if (prepared == null)
        {
            return 0;
        }
        if (prepared.statement instanceof BatchStatement batch)
        {
            return batch.getStatements().size();
        }
        return prepared.statement instanceof ModificationStatement ? 1 : 0;
    }

    /** All statements, or none. */
    @SuppressWarnings("ReferenceEquality") // Known ids are one object each; others are looked up again.
    static int of(final BatchRequest request)
    {
        StatementId last = null;
        for (int i = 0; i < request.size(); i++)
        {
            final StatementId id = request.statementId(i);
            if (id != null && id != last && prepared(id) == null)
            {
                return 0;
            }
            last = id;
        }
        return request.size();
    }

    private static QueryHandler.Prepared prepared(final StatementId id)
    {
        return ClientState.getCQLQueryHandler().getPrepared(PreparedId.of(id).digest());
    }
}
