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
import io.sluice.framing.request.Request;
import io.sluice.framing.request.StatementId;
import io.sluice.framing.request.StatementIdTable;
import io.sluice.framing.request.StatementIds;
import org.agrona.DirectBuffer;
import org.apache.cassandra.exceptions.PreparedQueryNotFoundException;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * The prepared ids that Cassandra gave out or executed, and no longer those that it has forgotten: learned from its own
 * answers. Any thread.
 */
final class KnownStatements implements StatementIds
{
    private final StatementIdTable table = new StatementIdTable();

    @Override
    public StatementId intern(final DirectBuffer buffer, final int offset, final int length)
    {
        return table.intern(buffer, offset, length);
    }

    /** How many ids are kept. */
    int size()
    {
        return table.size();
    }

    /** Looks at what Cassandra answered; returns the id of a statement that was prepared, else null. */
    PreparedId observe(final Request request, final Message.Response response)
    {
        if (response instanceof ResultMessage.Prepared prepared)
        {
            return learn(prepared.statementId.bytes);
        }
        if (response instanceof ErrorMessage failure)
        {
            if (failure.error instanceof PreparedQueryNotFoundException unknown)
            {
                table.forget(unknown.id.bytes);
            }
        }
        else if (request instanceof ExecuteRequest execute)
        {
            learnIfUnknown(execute.statementId());
        }
        else if (request instanceof BatchRequest batch)
        {
            for (int i = 0; i < batch.size(); i++)
            {
                learnIfUnknown(batch.statementId(i));
            }
        }
        return null;
    }

    /** An executed id may have been prepared before this process started, or displaced from the table. */
    private void learnIfUnknown(final StatementId id)
    {
        if (id != null && !PreparedId.of(id).isKnown())
        {
            learn(id.bytes());
        }
    }

    private PreparedId learn(final byte[] id)
    {
        final PreparedId learned = PreparedId.of(table.learn(id));
        learned.markKnown();
        return learned;
    }
}
