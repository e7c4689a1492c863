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

import io.sluice.framing.request.Request;
import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.utils.MonotonicClock;

/** A request as Cassandra's pools know it: with its age and a description. Any thread. */
final class RequestTask implements DebuggableTask.RunnableDebuggableTask
{
    private final Runnable command;
    private final Request request;
    private final long createdNanos;
    /** Written by the thread that runs it. */
    private volatile long startedNanos;

    /** @param request what it is about, or null for a step of a login */
    RequestTask(final Runnable command, final Request request, final long createdNanos)
    {
        this.command = command;
        this.request = request;
        this.createdNanos = createdNanos;
    }

    @Override
    public void run()
    {
        startedNanos = MonotonicClock.Global.preciseTime.now();
        command.run();
    }

    @Override
    public long creationTimeNanos()
    {
        return createdNanos;
    }

    @Override
    public long startTimeNanos()
    {
        return startedNanos;
    }

    @Override
    public String description()
    {
        return request == null ? "AUTH_RESPONSE" : RequestDescription.of(request);
    }

    @Override
    public String toString()
    {
        return description();
    }
}
