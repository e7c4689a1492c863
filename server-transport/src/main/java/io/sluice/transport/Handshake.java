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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.BodyCompression;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.AuthResponseRequest;
import io.sluice.framing.request.BodyReader;
import io.sluice.framing.request.RegisterRequest;
import io.sluice.framing.request.StartupRequest;
import io.sluice.framing.response.AuthChallenge;
import io.sluice.framing.response.AuthSuccess;
import io.sluice.framing.response.Authenticate;
import io.sluice.framing.response.ErrorBody;
import io.sluice.framing.response.Ready;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.segment.SegmentFormat;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.DirectBuffer;

/**
 * STARTUP, the SASL exchange and REGISTER. Confined to the connection's event loop, but for the one step of the SASL
 * exchange that runs on the authentication executor.
 */
final class Handshake
{
    private static final int LOWEST_CQL_MAJOR = 3;

    private final Connection connection;
    private final TransportContext context;
    private final BodyReader reader = new BodyReader();
    /** Written by the authentication executor, one step at a time. */
    private SaslNegotiation negotiation;
    private int failedLogins;
    /** Written by the loop: a bit for each type of event. */
    private volatile int registered;

    Handshake(final Connection connection)
    {
        this.connection = connection;
        this.context = connection.context;
    }

    boolean onStartup(final EnvelopeHeader header,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final ProtocolVersion version = ProtocolVersion.of(header.version());
        reader.wrap(buffer, offset, offset + length);
        final StartupRequest startup = StartupRequest.decode(reader, version);
        if (!context.control.isAccepting())
        {
            connection.closeGracefully(CloseReason.SHUTDOWN, ErrorBody.of(ErrorCode.OVERLOADED,
                "Server is shutting down"), header.streamId());
            return false;
        }
        check(version, startup);
        final String compression = startup.compression() == null
            ? null
            : startup.compression().toLowerCase(Locale.ROOT);
        final BodyCompression bodyCompression = bodyCompression(version, compression);
        final SegmentFormat format = segmentFormat(version, compression);
        connection.startupAccepted(version, startup, bodyCompression);
        final String mechanism;
        try
        {
            context.lifecycle.onStartup(connection, startup);
            mechanism = context.authenticator.mechanism(connection);
        }
        catch (final ProtocolException e)
        {
            connection.startupRefused();
            throw e;
        }
        catch (final Throwable e)
        {
            connection.startupRefused();
            context.inspect(e);
            context.log.unexpected("STARTUP failed", null, e);
            throw ProtocolException.refused(ErrorCode.SERVER_ERROR, header.streamId(),
                "The connection could not be opened; see the server's log");
        }
        final boolean answered = connection.answer(Opcode.STARTUP, header.streamId(), 0,
            mechanism == null ? Ready.INSTANCE : new Authenticate(mechanism));
        if (!connection.isOpen())
        {
            return false;
        }
        if (!answered)
        {
            // The client was told OVERLOADED, for want of memory: it is where it was, and may try again.
            connection.startupRefused();
            return true;
        }
        connection.inbound.fixVersion(version);
        // The answer is in the outbox as a bare envelope; whatever comes after it, either way, is in segments.
        if (format != null)
        {
            connection.switchToSegments(format);
        }
        if (mechanism == null)
        {
            connection.advance(ConnectionState.READY);
            context.lifecycle.onReady(connection);
        }
        else
        {
            connection.advance(ConnectionState.AUTHENTICATING);
            context.lifecycle.onAuthenticating(connection);
        }
        // Stops the envelope reader: the rest of this read may be segments. It is read on at once.
        return format == null;
    }

    private void check(final ProtocolVersion version, final StartupRequest startup)
    {
        if (!context.control.olderVersionsAllowed() && !version.usesSegments())
        {
            throw ProtocolException.recoverable("Invalid or unsupported protocol version (" + version.number() +
                "); supported versions are (5/v5, 6/v6-beta)");
        }
        final String cql = startup.cqlVersion();
        if (cql == null)
        {
            throw ProtocolException.recoverable("Missing value CQL_VERSION in STARTUP message");
        }
        if (major(cql) < LOWEST_CQL_MAJOR)
        {
            throw ProtocolException.recoverable("CQL version " + cql + " is not supported (expected: 3.0.0 or later)");
        }
    }

    private static int major(final String cqlVersion)
    {
        final int dot = cqlVersion.indexOf('.');
        try
        {
            return Integer.parseInt(dot < 0 ? cqlVersion : cqlVersion.substring(0, dot));
        }
        catch (final NumberFormatException e)
        {
            return -1;
        }
    }

    private static BodyCompression bodyCompression(final ProtocolVersion version, final String name)
    {
        if (version.usesSegments() || name == null)
        {
            return null;
        }
        return switch (name)
        {
            case "lz4" -> BodyCompression.LZ4;
            case "snappy" ->
            {
                if (!BodyCompression.SNAPPY.isAvailable())
                {
                    throw unknownCompression(name);
                }
                yield BodyCompression.SNAPPY;
            }
            default -> throw unknownCompression(name);
        };
    }

    private static SegmentFormat segmentFormat(final ProtocolVersion version, final String name)
    {
        if (!version.usesSegments())
        {
            return null;
        }
        if (name == null)
        {
            return SegmentFormat.PLAIN;
        }
        if ("lz4".equals(name))
        {
            return SegmentFormat.LZ4;
        }
        throw unknownCompression(name);
    }

    private static ProtocolException unknownCompression(final String name)
    {
        return ProtocolException.recoverable("Unknown compression algorithm: " + name);
    }

    boolean onAuthResponse(final EnvelopeHeader header, final DirectBuffer buffer, final int offset, final int length)
    {
        reader.wrap(buffer, offset, offset + length);
        final byte[] token = AuthResponseRequest.decode(reader, connection.version()).token();
        final int streamId = header.streamId();
        final long bytes = PreLoginBudget.loginBytes(token);
        final LoginQueue.Login login = new LoginQueue.Login()
        {
            @Override
            public boolean run()
            {
                try
                {
                    // In a storm many have left before their turn comes, and passwords are dear to check.
                    if (!connection.isOpen())
                    {
                        return false;
                    }
                    evaluate(token, streamId);
                    return true;
                }
                finally
                {
                    context.logins.release(bytes);
                }
            }

            @Override
            public void refuse()
            {
                context.logins.release(bytes);
                runOnLoop(() -> connection.closeGracefully(CloseReason.SHUTDOWN, ErrorBody.of(ErrorCode.OVERLOADED,
                    "No more logins are taken"), streamId));
            }
        };
        if (!context.logins.tryAcquire(bytes))
        {
            connection.closeGracefully(CloseReason.OUT_OF_MEMORY, ErrorBody.of(ErrorCode.OVERLOADED,
                "Too many logins at once"), streamId);
            return false;
        }
        connection.inbound.shut();
        context.loginQueue.execute(login);
        return false;
    }

    private void runOnLoop(final Runnable command)
    {
        try
        {
            connection.loop.loop.execute(command);
        }
        catch (final RejectedExecutionException e)
        {
            context.log.debug("event loop has ended before a login");
        }
    }

    /** On the authentication executor. */
    private void evaluate(final byte[] token, final int streamId)
    {
        ResponseBody answer;
        boolean complete = false;
        boolean failed = false;
        try
        {
            if (negotiation == null)
            {
                negotiation = context.authenticator.negotiate(connection);
            }
            final SaslNegotiation.Step step = negotiation.evaluate(token);
            complete = step.complete();
            answer = complete ? new AuthSuccess(step.token()) : new AuthChallenge(step.token());
        }
        catch (final AuthenticationFailedException e)
        {
            failed = true;
            answer = ErrorBody.of(ErrorCode.BAD_CREDENTIALS, e.getMessage());
        }
        catch (final ProtocolException e)
        {
            failed = true;
            answer = ErrorBody.of(e);
        }
        catch (final Throwable t)
        {
            failed = true;
            context.inspect(t);
            context.log.unexpected("login failed unexpectedly", null, t);
            answer = ErrorBody.of(ErrorCode.SERVER_ERROR, "The login could not be checked; see the server's log");
        }
        if (complete || failed)
        {
            negotiation = null;
        }
        final ResponseBody body = answer;
        final boolean loggedIn = complete;
        final boolean refused = failed;
        runOnLoop(() -> onEvaluated(body, loggedIn, refused, streamId));
    }

    private void onEvaluated(final ResponseBody body,
        final boolean loggedIn,
        final boolean refused,
        final int streamId)
    {
        try
        {
            answerLogin(body, loggedIn, refused, streamId);
        }
        catch (final Throwable t)
        {
            connection.fail(t);
        }
    }

    private void answerLogin(final ResponseBody body,
        final boolean loggedIn,
        final boolean refused,
        final int streamId)
    {
        if (!connection.isOpen())
        {
            return;
        }
        if (loggedIn || refused)
        {
            context.listener.onLogin(connection, loggedIn);
        }
        if (refused && ++failedLogins >= context.control.limits().loginAttempts())
        {
            connection.closeGracefully(CloseReason.LOGIN_ATTEMPTS, body, streamId);
            connection.loop.outbound.flushDirty();
            return;
        }
        final boolean answered = connection.answer(Opcode.AUTH_RESPONSE, streamId, 0, body);
        if (loggedIn && answered && connection.isOpen())
        {
            connection.advance(ConnectionState.READY);
            context.lifecycle.onReady(connection);
        }
        connection.inbound.open();
        connection.loop.outbound.flushDirty();
    }

    RegisterRequest readRegister(final DirectBuffer buffer, final int offset, final int length)
    {
        reader.wrap(buffer, offset, offset + length);
        return RegisterRequest.decode(reader, connection.version());
    }

    boolean onRegister(final EnvelopeHeader header, final RegisterRequest register, final int requestBytes)
    {
        // READY is in the outbox before any event can be, and events come only if it is READY.
        if (connection.answer(Opcode.REGISTER, header.streamId(), requestBytes, Ready.INSTANCE))
        {
            for (final EventType type : register.eventTypes())
            {
                registered |= 1 << type.ordinal();
                context.lifecycle.onRegister(connection, type);
            }
        }
        return connection.isOpen();
    }

    /** Any thread. */
    boolean isRegistered(final EventType type)
    {
        return (registered & 1 << type.ordinal()) != 0;
    }
}
