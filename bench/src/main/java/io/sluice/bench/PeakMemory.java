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
package io.sluice.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Looks at a server's resident memory often, until asked for the most that it saw. */
final class PeakMemory implements AutoCloseable
{
    private static final long EVERY_MILLIS = 20;

    private final HostileServer server;
    private final Thread thread = new Thread(this::watch, "peak-memory");
    private volatile long peakBytes;
    private volatile boolean over;

    PeakMemory(final HostileServer server)
    {
        this.server = server;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch()
    {
        try
        {
            while (!over)
            {
                peakBytes = Math.max(peakBytes, server.residentBytes());
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            }
        }
        catch (final IOException e)
        {
            over = true;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** The most until now, in bytes. */
    long bytes() throws IOException
    {
        return Math.max(peakBytes, server.residentBytes());
    }

    @Override
    public void close()
    {
        over = true;
        thread.interrupt();
    }
}
