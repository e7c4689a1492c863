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
package io.sluice.conformance;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs checks one after another, each on a thread that can be given up. Confined to one thread. */
final class CheckRunner implements AutoCloseable
{
    private final Lab lab;
    private final int guardMillis;
    private ExecutorService worker = newWorker();

    /** @param guardMillis after so long a check is ended from outside, in milliseconds */
    CheckRunner(final Lab lab, final int guardMillis)
    {
        this.lab = lab;
        this.guardMillis = guardMillis;
    }

    Outcome run(final Check check)
    {
        final long started = System.nanoTime();
        final Trace trace = new Trace();
        final Future<?> done = worker.submit(() ->
        {
            converse(check, trace);
            return null;
        });
        Trace judged = trace;
        try
        {
            done.get(guardMillis, TimeUnit.MILLISECONDS);
        }
        catch (final TimeoutException e)
        {
            // The thread may still write into its trace: it is left to it.
            judged = new Trace();
            judged.add("no end within " + guardMillis / 1000 + " s");
            worker.shutdownNow();
            worker = newWorker();
        }
        catch (final ExecutionException e)
        {
            trace.add("broken check: " + e.getCause());
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            trace.add("interrupted");
        }
        lab.closeAll();
        final long millis = (System.nanoTime() - started) / 1_000_000L;
        return new Outcome(check, judged.text(), judged.errorTexts(), check.judge(judged), millis);
    }

    private void converse(final Check check, final Trace trace) throws Exception
    {
        try
        {
            check.script().run(lab, trace);
        }
        catch (final GarbledBytes e)
        {
            trace.add("garbled(" + e.getMessage() + ")");
        }
        catch (final IOException e)
        {
            trace.add("no connection: " + e.getMessage());
        }
    }

    @Override
    public void close()
    {
        worker.shutdownNow();
        lab.closeAll();
    }

    private static ExecutorService newWorker()
    {
        return Executors.newSingleThreadExecutor(task ->
        {
            final Thread thread = new Thread(task, "check");
            thread.setDaemon(true);
            return thread;
        });
    }
}
