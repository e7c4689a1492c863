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
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;

/** Requests in words, as operators know them from Cassandra; never with values. Has no state, any thread. */
final class RequestDescription
{
    private RequestDescription()
    {
    }

    static String of(final Request request)
    {
        return switch (request.opcode())
        {
            case QUERY -> query((QueryRequest)request);
            case PREPARE -> "PREPARE " + ((PrepareRequest)request).query();
            case EXECUTE -> execute((ExecuteRequest)request);
            case BATCH -> batch((BatchRequest)request);
            default -> request.opcode().toString();
        };
    }

    private static String query(final QueryRequest request)
    {
        return "QUERY " + request.query() + " [pageSize = " + request.parameters().pageSize() +
            "] at consistency " + request.parameters().consistency();
    }

    private static String execute(final ExecuteRequest request)
    {
        return "EXECUTE " + request.statementId() + " with " + request.parameters().values().length +
            " values at consistency " + request.parameters().consistency();
    }

    private static String batch(final BatchRequest request)
    {
        final StringBuilder text = new StringBuilder("BATCH of [");
        for (int i = 0; i < request.size(); i++)
        {
            text.append(i == 0 ? "" : ", ")
                .append(request.query(i) != null ? request.query(i) : request.statementId(i))
                .append(" with ")
                .append(request.values()[i].length)
                .append(" values");
        }
        return text.append("] at consistency ").append(request.parameters().consistency()).toString();
    }
}
