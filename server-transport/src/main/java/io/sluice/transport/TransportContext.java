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

import io.sluice.framing.request.StatementIds;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.memory.BufferPool;
import io.sluice.memory.ByteBudget;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;

/** What all connections of one transport share. Immutable; its parts say which threads may use them. */
final class TransportContext
{
    final RequestHandler handler;
    final ConnectionLifecycle lifecycle;
    final Authenticator authenticator;
    final TransportListener listener;
    final Executor requestExecutor;
    final Executor authExecutor;
    final BufferPool pool;
    final TransportControl control;
    final NanoClock clock;
    final SupportedOptions supported;
    final StatementIds statementIds;
    final Consumer<Throwable> errorInspector;
    final ByteBudget inFlight;
    /** Bytes that were read while their connections wait. */
    final AtomicLong heldBytes = new AtomicLong();
    final AddressTable addresses;
    final ConnectionRegistry connections = new ConnectionRegistry();
    final AdmissionQueue waiting = new AdmissionQueue();
    final ClientErrorLog log;
    /** Not a Netty one, which would keep every transport that a thread ever answered for while the thread lives. */
    private final ThreadLocal<EnvelopeEncoder> encoders;

    TransportContext(final NativeTransportBuilder builder, final BufferPool pool, final TransportControl control)
    {
        this.handler = builder.handler;
        this.lifecycle = builder.lifecycle;
        this.authenticator = builder.authenticator;
        this.listener = builder.listener;
        this.requestExecutor = builder.requestExecutor;
        this.authExecutor = builder.authExecutor;
        this.clock = builder.clock;
        this.supported = builder.supported;
        this.statementIds = builder.statementIds;
        this.errorInspector = builder.errorInspector;
        this.pool = pool;
        this.control = control;
        this.inFlight = new ByteBudget(() -> control.limits().inFlightBytes());
        this.addresses = new AddressTable(() -> control.limits().inFlightBytesPerAddress());
        this.log = new ClientErrorLog(builder.clock);
        this.encoders = ThreadLocal.withInitial(() -> new EnvelopeEncoder(pool));
    }

    /** This thread's own encoder. */
    EnvelopeEncoder encoder()
    {
        return encoders.get();
    }

    /** Shows an error that is not the client's to whoever watches over the process. */
    void inspect(final Throwable error)
    {
        try
        {
            errorInspector.accept(error);
        }
        catch (final RuntimeException e)
        {
            log.unexpected("error inspector failed", e);
        }
    }
}
