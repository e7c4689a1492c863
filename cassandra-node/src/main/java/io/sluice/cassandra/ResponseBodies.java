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

import io.sluice.framing.response.FixedBody;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.SetKeyspaceResult;
import io.sluice.framing.response.VoidResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ResultMessage;

/** Finds the body of an answer: one that was encoded before if it always is the same. Any thread. */
final class ResponseBodies
{
    /** More keyspaces than that are rare, and their answers are encoded each time. */
    private static final int MOST_KEYSPACES = 256;
    /** What a fixed body has room for beside the name. */
    private static final int KEYSPACE_OVERHEAD = Integer.BYTES + Short.BYTES;

    private final Map<String, FixedBody> keyspaces = new ConcurrentHashMap<>();

    /** What the client gets. */
    ResponseBody of(final Message.Response response)
    {
        if (response instanceof ResultMessage.Void)
        {
            return VoidResult.INSTANCE;
        }
        return response instanceof ResultMessage.SetKeyspace use
            ? keyspace(use.keyspace)
            : new CassandraResponse(response);
    }

    private ResponseBody keyspace(final String name)
    {
        final FixedBody known = keyspaces.get(name);
        if (known != null)
        {
            return known;
        }
        final SetKeyspaceResult body = new SetKeyspaceResult(name);
        final int length = KEYSPACE_OVERHEAD + name.getBytes(StandardCharsets.UTF_8).length;
        if (length > FixedBody.MOST_BYTES || keyspaces.size() >= MOST_KEYSPACES)
        {
            return body;
        }
        return keyspaces.computeIfAbsent(name, unused -> FixedBody.of(body));
    }
}
