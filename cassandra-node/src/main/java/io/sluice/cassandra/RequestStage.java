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

import io.sluice.transport.Exchange;
import java.util.concurrent.Executor;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Cassandra's own thread pools for requests and logins, each request as a task of its own, so that tpstats,
 * system_views, the pools' MBeans and the age of the queue are right. Has no state, any thread.
 */
final class RequestStage
{
    private RequestStage()
    {
    }

    /** For requests. */
    static Executor requests()
    {
        return command ->
        {
            final Exchange exchange = (Exchange)command;
            submit(CassandraInternals.REQUEST_EXECUTOR,
                new RequestTask(command, exchange.request(), exchange.receivedNanos()));
        };
    }

    /** For the steps of logins: a pool of their own, unless the configuration gives it no threads. */
    static Executor logins()
    {
        return command ->
        {
            final boolean own = DatabaseDescriptor.getNativeTransportMaxAuthThreads() > 0;
            submit(own ? CassandraInternals.AUTH_EXECUTOR : CassandraInternals.REQUEST_EXECUTOR,
                new RequestTask(command, null, MonotonicClock.Global.preciseTime.now()));
        };
    }

    private static void submit(final LocalAwareExecutorPlus executor, final RequestTask task)
    {
        // Not execute: only a submitted task is seen by system_views.queries and by the queue's age.
        executor.submit(task);
        ClientMetrics.instance.markRequestDispatched();
    }
}
