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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.TestServer.Sockets;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A request over the size limit is refused, but not while its client still sends it. */
@ExtendWith(LogWatch.class)
final class RefusedSizeIT
{
    private static final int LIMIT = 200_000;
    private static final int TOO_LARGE = 300_000;
    private static final int LARGE_STREAM = 5;
    private static final int SMALL_STREAM = 9;

    private TestServer server;

    @BeforeEach
    void start()
    {
        server = TestServer.start(Sockets.NIO,
            TestServer.limits(limits -> limits.maxFrameBytes(LIMIT).maxMessageBytes(LIMIT)));
    }

    @AfterEach
    void stop()
    {
        server.close();
    }

    @Test
    void isAnsweredBehindItsLastPiece() throws IOException
    {
        try (WireClient client = WireClient.ready(server.address(), 5, null))
        {
            final byte[] large = Requests.queryOfLength(5, LARGE_STREAM, TOO_LARGE);
            final int half = TOO_LARGE / 2;
            final byte[] begin = Arrays.copyOf(large, half);
            final byte[] end = Arrays.copyOfRange(large, half, large.length);
            client.send(new WireBytes().raw(Segments.pieces(SegmentFormat.PLAIN, 100_000, begin))
                .raw(Segments.plain(true, Requests.options(5, SMALL_STREAM)))
                .toArray());
            final WireEnvelope between = client.readEnvelope();
            assertEquals(SMALL_STREAM, between.streamId());
            assertEquals(Opcode.SUPPORTED, between.type());

            client.send(Segments.pieces(SegmentFormat.PLAIN, 100_000, end));
            expectRefusal(client.readEnvelope());
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(5, SMALL_STREAM)).type());
        }
    }

    @Test
    void isAnsweredBehindItsLastByteInVersion4() throws IOException
    {
        try (WireClient client = WireClient.ready(server.address(), 4, null))
        {
            client.send(Requests.queryOfLength(4, LARGE_STREAM, TOO_LARGE), Requests.options(4, SMALL_STREAM));
            expectRefusal(client.readEnvelope());
            final WireEnvelope next = client.readEnvelope();
            assertEquals(SMALL_STREAM, next.streamId());
            assertEquals(Opcode.SUPPORTED, next.type());
        }
    }

    private static void expectRefusal(final WireEnvelope answer)
    {
        assertEquals(LARGE_STREAM, answer.streamId());
        assertEquals(ErrorCode.INVALID.code(), answer.errorCode());
    }
}
