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

import io.netty.util.internal.OutOfDirectMemoryError;
import io.sluice.framing.request.StatementIds;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.memory.BufferPool;
import io.sluice.memory.ByteBudget;
import io.sluice.memory.MemoryExhaustedException;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;

/** What all connections of one transport share. Immutable; its parts say which threads may use them. */
final class TransportContext
{
    final RequestHandler handler;
    /** Or null. */
    final InlineExecuteHandler inlineExecute;
    final ConnectionLifecycle lifecycle;
    final Authenticator authenticator;
    final TransportListener listener;
    final TrustedProxies trustedProxies;
    final Executor requestExecutor;
    final LoginQueue loginQueue;
    final BufferPool pool;
    final TransportControl control;
    final NanoClock clock;
    final SupportedOptions supported;
    final StatementIds statementIds;
    final Consumer<Throwable> errorInspector;
    final ByteBudget inFlight;
    /** Unread answers of all connections, without their reserves: see {@link AnswerBudget}. */
    final AtomicLong answerBytes = new AtomicLong();
    /** Memory of all connections that are not ready: see {@link PreLoginBudget}. */
    final ByteBudget preLogin;
    /** Tokens that are being checked: apart, so that whoever sends halves keeps nobody from logging in. */
    final ByteBudget logins;
    /** Bytes that were read while their connections wait. */
    final AtomicLong heldBytes = new AtomicLong();
    final RequestRate rate;
    final AddressTable addresses;
    final ConnectionRegistry connections = new ConnectionRegistry();
    final AdmissionQueue waiting = new AdmissionQueue();
    final RefusalCounts refusals = new RefusalCounts();
    final ClientErrorLog log;
    /** Not a Netty one, which would keep every transport that a thread ever answered for while the thread lives. */
    private final ThreadLocal<EnvelopeEncoder> encoders;

    TransportContext(final NativeTransportBuilder builder, final BufferPool pool, final TransportControl control)
    {
        this.handler = builder.handler;
        this.inlineExecute = builder.inlineExecute;
        this.lifecycle = builder.lifecycle;
        this.authenticator = builder.authenticator;
        this.trustedProxies = builder.trustedProxies;
        this.listener = builder.listener == TransportListener.NONE
            ? TransportListener.NONE
            : new GuardedListener(builder.listener, this);
        this.requestExecutor = builder.requestExecutor;
        this.loginQueue = new LoginQueue(builder.authExecutor);
        this.clock = builder.clock;
        this.supported = builder.supported;
        this.statementIds = builder.statementIds;
        this.errorInspector = builder.errorInspector;
        this.pool = pool;
        this.control = control;
        this.inFlight = new ByteBudget(() -> control.limits().inFlightBytes());
        this.preLogin = new ByteBudget(() -> control.limits().preLoginBytes());
        this.logins = new ByteBudget(() -> control.limits().preLoginBytes());
        this.rate = new RequestRate(control, builder.clock.nanoTime());
        this.addresses = new AddressTable(() -> control.limits().inFlightBytesPerAddress());
        this.log = new ClientErrorLog(builder.clock);
        this.encoders = ThreadLocal.withInitial(() -> new EnvelopeEncoder(pool));
    }

    /** This thread's own encoder. */
    EnvelopeEncoder encoder()
    {
        return encoders.get();
    }

    /** A connection ends before its client was let in. Any thread. */
    void refused(final RefusalReason reason)
    {
        refusals.count(reason);
        listener.onConnectionRefused(reason);
    }

    /**
     * Shows an error that is not the client's to whoever watches over the process. It may throw, even the error itself
     * (Cassandra's does): the request is answered and the permits are given back all the same.
     */
    void inspect(final Throwable error)
    {
        try
        {
            errorInspector.accept(error);
        }
        catch (final Throwable t)
        {
            if (t != error)
            {
                log.unexpected("error inspector failed", null, t);
            }
        }
    }

    /**
     * True if only direct memory is used up: that costs one request or one connection. The Java heap has what it
     * needs, and no inspector has to hear of it; Cassandra's would take the process down.
     */
    static boolean isDirectMemoryExhausted(final Throwable error)
    {
        if (error instanceof MemoryExhaustedException || error instanceof OutOfDirectMemoryError)
        {
            return true;
        }
        final String text = error instanceof OutOfMemoryError ? error.getMessage() : null;
        // As the JDK says it: "Cannot reserve 1024 bytes of direct buffer memory", "Direct buffer memory".
        return text != null && text.toLowerCase(Locale.ROOT).contains("direct buffer memory");
    }
}
