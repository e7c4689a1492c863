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

import io.sluice.conformance.RawClient;
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.util.List;

/** Clients that send damage and lies: the server must say so or close, and never keep silent. Stateless. */
final class BadClients
{
    private static final int STREAM = 9;
    private static final int PROMPT_SECONDS = 60;
    /** Half a request waits for its rest until the stall timeout, half a STARTUP for the handshake's. */
    private static final int DEADLINE_SECONDS = 150;

    private BadClients()
    {
    }

    static List<HostileKind> kinds()
    {
        return List.of(
            new HostileKind("bad.segment-header", 1, 200, BadClients::segmentHeader),
            new HostileKind("bad.segment-payload", 1, 200, BadClients::segmentPayload),
            new HostileKind("bad.segment-scraps", 1, 300, BadClients::segmentScraps),
            new HostileKind("bad.segment-lz4-length", 1, 300, BadClients::segmentLength),
            new HostileKind("bad.segment-pieces", 1, 300, BadClients::pieces),
            new HostileKind("bad.garbage-first", 1, 400, BadClients::garbageFirst),
            new HostileKind("bad.garbage-later", 1, 400, BadClients::garbageLater),
            new HostileKind("bad.version-first", 1, 200, BadClients::versionFirst),
            new HostileKind("bad.version-later", 1, 200, BadClients::versionLater),
            new HostileKind("bad.oversize", 1, 3_000, BadClients::oversize),
            new HostileKind("bad.length-of-2-GiB", 1, 200, BadClients::absurdLength),
            new HostileKind("bad.opcode", 1, 100, BadClients::opcode),
            new HostileKind("bad.unknown-id", 1, 50, BadClients::unknownIds),
            new HostileKind("bad.value-length", 1, 50, BadClients::valueLength),
            new HostileKind("bad.value-count", 1, 50, BadClients::valueCount),
            new HostileKind("bad.compressed-body", 1, 200, BadClients::compressedBody),
            new HostileKind("bad.before-login", 1, 200, BadClients::beforeLogin));
    }

    private static String segmentHeader(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(5))
        {
            final byte[] wire = client.wrap(context.goodRequest(client, STREAM));
            wire[context.random().nextInt(6)] ^= (byte)(1 << context.random().nextInt(8));
            client.send(wire);
            context.acted();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String segmentPayload(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(5))
        {
            final byte[] wire = client.wrap(context.goodRequest(client, STREAM));
            wire[10 + context.random().nextInt(wire.length - 10)] ^= 0x40;
            client.send(wire);
            context.acted();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String segmentScraps(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(5))
        {
            final byte[] request = context.goodRequest(client, STREAM);
            final byte[] payload = new byte[request.length + 1 + context.random().nextInt(8)];
            System.arraycopy(request, 0, payload, 0, request.length);
            client.send(client.segment(payload, true));
            context.acted();
            client.socket().shutdownOutput();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String segmentLength(final HostileContext context) throws IOException
    {
        try (RawClient client = new RawClient(context.target().connect(0), 5, "lz4"))
        {
            context.target().ready(client);
            client.send(RawClient.lyingSegment(context.junk(20 + context.random().nextInt(400)),
                1 + context.random().nextInt(100_000)));
            context.acted();
            client.socket().shutdownOutput();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    /** Pieces of a large request that never come to an end, or are of something else. */
    private static String pieces(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(5))
        {
            final byte[] piece = new byte[100_000];
            final byte[] head = RawRequests.claiming(5, 0, STREAM, RawRequests.QUERY, 4 << 20, new byte[0]);
            System.arraycopy(head, 0, piece, 0, head.length);
            client.send(client.segment(piece, false));
            client.send(context.random().nextBoolean()
                ? client.segment(context.goodRequest(client, STREAM), true)
                : client.segment(context.junk(50_000), false));
            context.acted();
            client.socket().shutdownOutput();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String garbageFirst(final HostileContext context) throws IOException
    {
        try (RawClient client = new RawClient(context.target().connect(0), 4, "none"))
        {
            client.send(context.junk(1 + context.random().nextInt(4_000)));
            context.acted();
            if (context.random().nextInt(4) > 0)
            {
                client.socket().shutdownOutput();
            }
            return untilEnd(context, client);
        }
    }

    private static String garbageLater(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            client.send(context.junk(1 + context.random().nextInt(4_000)));
            context.acted();
            if (context.random().nextInt(4) > 0)
            {
                client.socket().shutdownOutput();
            }
            return untilEnd(context, client);
        }
    }

    /** What comes back on garbage may be of a version that this client does not read: then only the end counts. */
    private static String untilEnd(final HostileContext context, final RawClient client) throws IOException
    {
        final byte[] sink = new byte[4_096];
        final long deadline = System.nanoTime() + DEADLINE_SECONDS * 1_000_000_000L;
        client.socket().setSoTimeout(500);
        while (System.nanoTime() - deadline < 0)
        {
            try
            {
                if (client.socket().getInputStream().read(sink) < 0)
                {
                    return "closed";
                }
            }
            catch (final java.net.SocketTimeoutException e)
            {
                if (context.stop().isAsked())
                {
                    return "left at the end";
                }
            }
            catch (final IOException e)
            {
                return "reset";
            }
        }
        throw new IllegalStateException("the server did not close within " + DEADLINE_SECONDS + " s");
    }

    private static String versionFirst(final HostileContext context) throws IOException
    {
        final int[] versions = {0, 1, 2, 6, 7, 65, 66, 127};
        try (RawClient client = new RawClient(context.target().connect(0), 4, "none"))
        {
            final int version = versions[context.random().nextInt(versions.length)];
            client.send(RawRequests.claiming(version, 0, STREAM, 1, 0, new byte[0]));
            context.acted();
            client.socket().shutdownOutput();
            return untilEnd(context, client);
        }
    }

    private static String versionLater(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final int other = client.requests().version() == 3 ? 4 : 3;
            final byte[] envelope = RawRequests.claiming(other, 0, STREAM, 5, 0, new byte[0]);
            client.send(client.isSegmented() ? client.segment(envelope, true) : envelope);
            context.acted();
            client.socket().shutdownOutput();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String oversize(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final byte[] body = new byte[17 << 20];
            body[0] = 1; // a query text of 16 MiB
            final byte[] envelope = client.requests().envelope(STREAM, RawRequests.QUERY, body);
            if (client.isSegmented())
            {
                client.send(client.wrap(envelope));
            }
            else
            {
                client.send(envelope);
            }
            context.acted();
            return context.refusal(client, STREAM);
        }
    }

    private static String absurdLength(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(3 + context.random().nextInt(2)))
        {
            final int length = context.random().nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            client.send(RawRequests.claiming(client.requests().version(), 0, STREAM, RawRequests.QUERY, length,
                context.junk(100)));
            context.acted();
            client.socket().shutdownOutput();
            return context.ending(client, PROMPT_SECONDS);
        }
    }

    private static String opcode(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            client.send(client.wrap(client.requests()
                .envelope(STREAM, 0x11 + context.random().nextInt(0xee), new byte[context.random().nextInt(50)])));
            context.acted();
            return context.refusal(client, STREAM);
        }
    }

    private static String unknownIds(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            String last = "";
            for (int i = 0; i < 20; i++)
            {
                final byte[] id = context.junk(context.random().nextInt(4) > 0 ? 16 : context.random().nextInt(40));
                client.send(client.wrap(client.requests().execute(STREAM, id, id, RawRequests.int32(i))));
                context.acted();
                last = context.refusal(client, STREAM);
            }
            return last;
        }
    }

    private static String valueLength(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final int claimed = context.random().nextBoolean() ? Integer.MAX_VALUE : 1 + context.random().nextInt(99);
            client.send(client.wrap(client.requests().lyingValue(STREAM, claimed, new byte[0])));
            context.acted();
            return context.refusal(client, STREAM);
        }
    }

    private static String valueCount(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            client.send(client.wrap(client.requests().lyingCount(STREAM, 1 + context.random().nextInt(65_535))));
            context.acted();
            return context.refusal(client, STREAM);
        }
    }

    private static String compressedBody(final HostileContext context) throws IOException
    {
        final int version = 3 + context.random().nextInt(2);
        final String compression = context.random().nextBoolean() ? "lz4" : "snappy";
        try (RawClient client = new RawClient(context.target().connect(0), version, compression))
        {
            context.target().ready(client);
            final byte[] body = context.junk(5 + context.random().nextInt(500));
            if (context.random().nextBoolean())
            {
                body[0] = 0x7f; // claims about 2 GiB
            }
            client.send(RawRequests.claiming(version, 1, STREAM, RawRequests.QUERY, body.length, body));
            context.acted();
            return context.refusal(client, STREAM);
        }
    }

    private static String beforeLogin(final HostileContext context) throws IOException
    {
        final int version = context.version();
        try (RawClient client = new RawClient(context.target().connect(0), version, "none"))
        {
            final int length = context.random().nextBoolean() ? 15 << 20 : Integer.MAX_VALUE;
            client.send(RawRequests.claiming(version, 0, STREAM, RawRequests.QUERY, length, context.junk(2_000)));
            context.acted();
            return untilEnd(context, client);
        }
    }
}
