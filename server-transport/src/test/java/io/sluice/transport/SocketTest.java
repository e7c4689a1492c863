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

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.TestServer.Sockets;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A test over real sockets, once for each kind; whatever it starts must be quiet in the end. */
@ParameterizedClass
@EnumSource(Sockets.class)
@ExtendWith(LogWatch.class)
abstract class SocketTest
{
    static final int SERVER_ERROR = 0x0000;
    static final int PROTOCOL_ERROR = 0x000A;
    static final int BAD_CREDENTIALS = 0x0100;
    static final int OVERLOADED = 0x1001;
    static final int INVALID = 0x2200;
    static final int MIB = 1 << 20;

    @Parameter
    Sockets sockets;
    /** Closed after the test, which checks that nothing is left. */
    TestServer server;

    @AfterEach
    void stop()
    {
        if (server != null)
        {
            server.close();
        }
    }

    TestServer start()
    {
        server = TestServer.start(sockets);
        return server;
    }

    TestServer start(final Consumer<NativeTransportBuilder> change)
    {
        server = TestServer.start(sockets, change);
        return server;
    }

    TestServer startWithLimits(final Consumer<TransportLimitsBuilder> change)
    {
        return start(TestServer.limits(change));
    }

    /** The next answer is an error with this code, on this stream. */
    static WireEnvelope expectError(final WireClient client, final int streamId, final int code) throws IOException
    {
        return expectError(client.readEnvelope(), streamId, code);
    }

    static WireEnvelope expectError(final WireEnvelope answer, final int streamId, final int code)
    {
        Assertions.assertEquals(Opcode.ERROR, answer.type(), answer::toString);
        Assertions.assertEquals(streamId, answer.streamId(), answer::toString);
        Assertions.assertEquals(code, answer.errorCode(), answer::toString);
        Assertions.assertFalse(answer.errorMessage().contains("Exception"), answer::toString);
        Assertions.assertFalse(answer.errorMessage().contains("java."), answer::toString);
        return answer;
    }

    /** The next answer is a fatal error of the connection, and the end comes in order. */
    static void expectFatal(final WireClient client, final int streamId) throws IOException
    {
        expectError(client, streamId, PROTOCOL_ERROR);
        client.expectEnd();
    }

    /** The connection still serves. */
    static void expectServes(final WireClient client) throws IOException
    {
        Assertions.assertEquals(Opcode.RESULT, client.ask(Requests.query(client.version(), 1234, "void")).type());
    }
}
