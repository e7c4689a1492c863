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
package io.sluice.transport;

import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;

/**
 * The node behind the transport. Each method is called on the request executor with a request that is the handler's
 * to keep, and answers through the exchange: now or later, on this thread or another, exactly once.
 * <p>
 * What a method throws is answered as SERVER_ERROR, without the exception's own text.
 */
public interface RequestHandler
{
    /** QUERY. */
    void onQuery(QueryRequest request, Exchange exchange);

    /** PREPARE. */
    void onPrepare(PrepareRequest request, Exchange exchange);

    /** EXECUTE. */
    void onExecute(ExecuteRequest request, Exchange exchange);

    /** BATCH. */
    void onBatch(BatchRequest request, Exchange exchange);
}
