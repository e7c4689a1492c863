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
package io.sluice.bench.server;

import java.io.IOException;
import java.io.PrintWriter;

/** What a server does once it is ready. */
public final class UntilInputEnds
{
    private static final int PARENT_IS_GONE = 3;

    private UntilInputEnds()
    {
    }

    /**
     * From now on this JVM is halted when its standard input ends, without an orderly stop: whoever started it holds
     * the other end, and the system closes that when the process is gone, killed or not.
     */
    public static void haltThen()
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                awaitEnd();
            }
            catch (final IOException e)
            {
                // No input any more, either.
            }
            Runtime.getRuntime().halt(PARENT_IS_GONE);
        }, "until input ends");
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitEnd() throws IOException
    {
        while (System.in.read() >= 0)
        {
            // Nothing is said on it; it only ends.
        }
    }

    /**
     * Says where the server is and returns when it must end.
     *
     * @param child true to end with the standard input, for whoever started this must not be outlived; false to serve
     *        until the JVM is stopped
     */
    public static void serve(final PrintWriter out, final int cqlPort, final ServerControl control, final boolean child)
        throws IOException, InterruptedException
    {
        out.println(ServerControl.ready(cqlPort, control.port()));
        out.flush();
        if (child)
        {
            awaitEnd();
            return;
        }
        Thread.currentThread().join();
    }
}
