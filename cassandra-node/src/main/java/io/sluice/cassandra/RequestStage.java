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

import java.util.concurrent.Executor;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.metrics.ClientMetrics;

/**
 * Cassandra's own thread pools for requests and logins, whose figures count requests, so that tpstats, system_views,
 * the pools' MBeans and the age of the queue are right. Any thread.
 */
final class RequestStage
{
    private RequestStage()
    {
    }

    /** For requests. */
    static Executor requests()
    {
        return counted(Pools.REQUESTS);
    }

    /** For the steps of logins: a pool of their own, unless the configuration gives it no threads. */
    static Executor logins()
    {
        final Executor own = counted(Pools.LOGINS);
        final Executor shared = requests();
        return command -> (DatabaseDescriptor.getNativeTransportMaxAuthThreads() > 0 ? own : shared).execute(command);
    }

    /** What requests wait in. */
    static RequestPool pool()
    {
        return Pools.REQUESTS;
    }

    private static Executor counted(final Executor pool)
    {
        return command ->
        {
            pool.execute(command);
            ClientMetrics.instance.markRequestDispatched();
        };
    }

    /** Of the JVM, as Cassandra's are; whoever starts a transport again uses them again. */
    private static final class Pools
    {
        private static final RequestPool REQUESTS = new RequestPool(CassandraInternals.REQUEST_EXECUTOR).showFigures();
        private static final RequestPool LOGINS = new RequestPool(CassandraInternals.AUTH_EXECUTOR).showFigures();
    }
}
