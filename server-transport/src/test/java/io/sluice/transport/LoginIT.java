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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SASL exchange over sockets. */
final class LoginIT extends SocketTest
{
    private final PasswordAuthenticator authenticator = new PasswordAuthenticator();
    private final ExecutorService logins = Executors.newSingleThreadExecutor();

    @BeforeEach
    void begin()
    {
        start(builder -> builder.authenticator(authenticator).authExecutor(logins));
    }

    @AfterEach
    void end()
    {
        authenticator.goOn();
        logins.shutdown();
    }

    private WireClient connect(final int version) throws IOException
    {
        final WireClient client = server.connect();
        client.send(Requests.startup(version, 1, (String)null));
        final WireEnvelope answer = client.readBare();
        assertEquals(Opcode.AUTHENTICATE, answer.type());
        assertArrayEquals(new WireBytes().string("demo.PasswordAuthenticator").toArray(), answer.body());
        client.switchTo(version, null);
        return client;
    }

    private static byte[] token(final int version, final int streamId, final String text)
    {
        return Requests.authResponse(version, streamId, text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void rightCredentialsLogIn(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            final WireEnvelope success = client.ask(token(version, 7, "secret"));
            assertEquals(Opcode.AUTH_SUCCESS, success.type());
            assertArrayEquals(WireBytes.ofHex("ffffffff"), success.body());
            expectServes(client);
            assertEquals(List.of(true), server.listener().logins());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void challengeIsAnsweredStepByStep(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            for (int i = 0; i < 3; i++)
            {
                final WireEnvelope challenge = client.ask(token(version, 7, "step"));
                assertEquals(Opcode.AUTH_CHALLENGE, challenge.type());
                assertArrayEquals(new WireBytes().value("more".getBytes(StandardCharsets.UTF_8)).toArray(), challenge
                    .body());
            }
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(version, 8, "secret")).type());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void wrongCredentialsAreCountedAndTheThirdTimeEndsTheConnection(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            expectError(client.ask(token(version, 7, "wrong")), 7, BAD_CREDENTIALS);
            expectError(client.ask(token(version, 8, "wrong")), 8, BAD_CREDENTIALS);
            expectError(client.ask(token(version, 9, "wrong")), 9, BAD_CREDENTIALS);
            client.expectEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.LOGIN_ATTEMPTS), server.listener().closed());
        assertEquals(List.of(false, false, false), server.listener().logins());
    }

    @Test
    void rightCredentialsAfterWrongOnesLogIn() throws IOException
    {
        try (WireClient client = connect(5))
        {
            expectError(client.ask(token(5, 7, "wrong")), 7, BAD_CREDENTIALS);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(5, 8, "secret")).type());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void nullTokenIsAnOrdinaryWrongOne(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            expectError(client.ask(Requests.authResponse(version, 7, (byte[])null)), 7, BAD_CREDENTIALS);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(version, 8, "secret")).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void authResponseWithoutATokenFieldIsAnErrorOnItsStream(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            expectError(client.ask(Requests.envelope(version, 0, 7, Opcode.AUTH_RESPONSE.code())), 7, PROTOCOL_ERROR);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(version, 8, "secret")).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void authResponseWhenReadyIsRefused(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            client.ask(token(version, 7, "secret"));
            expectError(client.ask(token(version, 8, "secret")), 8, PROTOCOL_ERROR);
            expectServes(client);
            assertEquals(1, server.listener().logins().size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void anythingElseWhileAuthenticatingIsRefusedOnItsStream(final int version) throws IOException
    {
        try (WireClient client = connect(version))
        {
            assertEquals("Unexpected message OPTIONS, expecting SASL_RESPONSE",
                expectError(client.ask(Requests.options(version, 7)), 7, PROTOCOL_ERROR).errorMessage());
            expectError(client.ask(Requests.query(version, 8, "void")), 8, PROTOCOL_ERROR);
            expectError(client.ask(Requests.startup(version, 9, (String)null)), 9, PROTOCOL_ERROR);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(version, 10, "secret")).type());
            assertEquals(0, server.engine().served());
        }
    }

    @LogWatch.Warns
    @Test
    void failureOfTheAuthenticatorTellsTheClientNothing() throws IOException
    {
        try (WireClient client = connect(5))
        {
            final WireEnvelope error = expectError(client.ask(token(5, 7, "bug")), 7, SERVER_ERROR);
            assertEquals(false, error.errorMessage().contains("secret"));
            assertEquals(1, server.takeInspected());
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(token(5, 8, "secret")).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void slowAuthenticatorHoldsUpNobodyElse(final int version) throws IOException
    {
        try (WireClient ready = connect(version);
            WireClient slow = connect(version);
            WireClient other = connect(version))
        {
            ready.ask(token(version, 1, "secret"));
            slow.request(token(version, 7, "slow"), Requests.query(version, 8, "void"));
            // Both loops go on: the new connections are spread over them.
            expectServes(ready);
            other.request(token(version, 9, "secret"));
            try (WireClient third = connect(version))
            {
                expectError(third.ask(Requests.options(version, 3)), 3, PROTOCOL_ERROR);
                expectServes(ready);
            }
            authenticator.goOn();
            assertEquals(Opcode.AUTH_SUCCESS, slow.readEnvelope().type());
            // What came behind the token waited for the login.
            assertEquals(8, slow.readEnvelope().streamId());
            assertEquals(Opcode.AUTH_SUCCESS, other.readEnvelope().type());
        }
    }

    @Test
    void clientThatLeavesDuringItsLoginLeavesNothing() throws IOException
    {
        try (WireClient slow = connect(5))
        {
            slow.request(token(5, 7, "slow"));
            slow.reset();
        }
        authenticator.goOn();
        server.awaitQuiet();
        assertEquals(List.of(), server.listener().logins().stream().filter(login -> !login).toList());
    }

    @Test
    void clientThatShutsItsOutputBehindItsTokenStillGetsTheAnswer() throws IOException
    {
        try (WireClient slow = connect(5))
        {
            slow.request(token(5, 7, "slow"), Requests.query(5, 8, "void"));
            slow.shutOutput();
            authenticator.goOn();
            assertEquals(Opcode.AUTH_SUCCESS, slow.readEnvelope().type());
            assertEquals(8, slow.readEnvelope().streamId());
            slow.expectEnd();
        }
    }

    @Test
    void loginNotDoneInTimeEndsTheConnection() throws IOException
    {
        server.transport()
            .control()
            .limits(server.transport()
                .control()
                .limits()
                .with()
                .handshakeTimeout(Duration.ofMillis(1))
                .build());
        try (WireClient client = server.connect())
        {
            client.expectEnd();
        }
        Await.until("closed", () -> !server.listener().closed().isEmpty());
        assertEquals(List.of(CloseReason.HANDSHAKE_TIMEOUT), server.listener().closed());
    }

    @Test
    void everythingAfterAuthenticateIsInSegments() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(5, 1), Requests.options(5, 2), Requests.startup(5, 3, "lz4"),
                Segments.lz4(true, true, token(5, 4, "wrong")), Segments.lz4(true, true, token(5, 5, "secret")));
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
            client.switchTo(5, "lz4");
            expectError(client, 4, BAD_CREDENTIALS);
            assertEquals(Opcode.AUTH_SUCCESS, client.readEnvelope().type());
            assertTrue(client.segmentsRead() >= 2);
        }
    }
}
