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
package io.sluice.bench.soak;

import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.util.SplittableRandom;

/** What an act works with. Confined to its client's thread. */
final class HostileContext
{
    private static final int SLICE_MILLIS = 500;
    private static final int PROBE_STREAM = 4_711;

    private final String kind;
    private final Soak soak;
    private final SplittableRandom random;

    HostileContext(final String kind, final int number, final Soak soak)
    {
        this.kind = kind;
        this.soak = soak;
        random = soak.random(kind + "-" + number);
    }

    SplittableRandom random()
    {
        return random;
    }

    SoakTarget target()
    {
        return soak.target();
    }

    SoakStop stop()
    {
        return soak.stop();
    }

    /** The bad thing is done. */
    void acted()
    {
        soak.ledger().acted(kind);
    }

    byte[] junk(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    int version()
    {
        return 3 + random.nextInt(3);
    }

    /** A plain connection past its login. */
    RawClient ready(final int version) throws IOException
    {
        return ready(version, 0);
    }

    /** As {@link #ready(int)}, with a receive buffer of that many bytes. */
    RawClient ready(final int version, final int receiveBuffer) throws IOException
    {
        return target().ready(target().of(version, random, receiveBuffer));
    }

    /** Any request that is right, on that stream. */
    byte[] goodRequest(final RawClient client, final int stream)
    {
        return client.requests().query(stream, SoakSchema.SELECT, RawRequests.int32(1 + random.nextInt(1_000)));
    }

    /** A request for the answer of 1 MiB. */
    byte[] bigRequest(final RawClient client, final int stream)
    {
        return client.requests().query(stream, SoakSchema.SELECT, RawRequests.int32(SoakSchema.BIG_KEY));
    }

    /**
     * Reads to the end of the connection, which must come.
     *
     * @param seconds longest time that the server may take
     */
    String ending(final RawClient client, final int seconds)
    {
        final long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        int errors = 0;
        while (System.nanoTime() - deadline < 0)
        {
            final RawAnswer answer = client.receive(SLICE_MILLIS);
            if (answer == null)
            {
                if (client.end() != RawClient.End.SILENT)
                {
                    return (errors > 0 ? "error, then " : "") + (client.end() == RawClient.End.CLOSED
                        ? "closed"
                        : "reset");
                }
                if (stop().isAsked())
                {
                    return "left at the end";
                }
            }
            else
            {
                errors += answer.errorCode() >= 0 ? 1 : 0;
            }
        }
        throw new IllegalStateException("the server did not close within " + seconds + " s");
    }

    /** One error on that stream and a connection that goes on, or a connection that ends. */
    String refusal(final RawClient client, final int stream) throws IOException
    {
        final RawAnswer answer = client.receive(SoakTarget.PATIENCE_MILLIS);
        if (answer == null)
        {
            if (client.end() == RawClient.End.SILENT)
            {
                throw new IllegalStateException("neither an answer nor the end");
            }
            return client.end() == RawClient.End.CLOSED ? "closed" : "reset";
        }
        if (answer.errorCode() < 0)
        {
            throw new IllegalStateException("no error: " + answer.describe());
        }
        client.send(client.wrap(client.requests().options(PROBE_STREAM)));
        final RawAnswer next = client.receive(SoakTarget.PATIENCE_MILLIS);
        if (next == null)
        {
            if (client.end() == RawClient.End.SILENT)
            {
                throw new IllegalStateException("nothing behind " + answer.describe());
            }
            return "error, then " + (client.end() == RawClient.End.CLOSED ? "closed" : "reset");
        }
        if (!next.is("SUPPORTED") || next.stream() != PROBE_STREAM)
        {
            throw new IllegalStateException(answer.describe() + ", then " + next.describe());
        }
        if (answer.stream() != stream)
        {
            throw new IllegalStateException(answer.describe() + " (expected: stream " + stream + ")");
        }
        return "error, then served";
    }
}
