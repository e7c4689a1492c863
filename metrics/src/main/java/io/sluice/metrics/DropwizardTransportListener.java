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
package io.sluice.metrics;

import com.codahale.metrics.Clock;
import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.LatencyStage;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RefusalReason;
import io.sluice.transport.StageTimes;
import io.sluice.transport.TransportListener;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Keeps a transport's metrics in a Dropwizard registry, under {@code sluice.transport.} or a prefix of the node's own.
 * <p>
 * What it costs: a few increments per request, none of them atomic on event loops, and no allocation; no clock is
 * read, no name looked up. One listener may outlive its transport: {@link #attach} it to the next one, and counts go
 * on. Any thread.
 * <p>
 * Every metric is listed, with what it counts, in docs/operations.md.
 */
public final class DropwizardTransportListener implements TransportListener, AutoCloseable
{
    /** Where metrics are if nothing else is said. */
    public static final String DEFAULT_PREFIX = "sluice.transport";

    private static final long LARGEST = SegmentFormat.MAX_PAYLOAD;

    private final MetricRegistry registry;
    private final MetricGroup group;
    private volatile NativeTransport transport;

    private final Counter opened;
    private final Counter[] refusedByReason;
    /** Nothing for what was never opened. */
    private final Counter[] closedByReason;
    private final TrafficTable traffic;
    private final BucketHistogram requestBytes;
    private final BucketHistogram responseBytes;
    private final Counter events;
    private final Counter eventsDropped;
    private final Counter expired;
    private final LongAdder pausedNow = new LongAdder();
    private final BucketHistogram flushBytes;
    private final Counter segmentEnvelopes;
    private final Counter segmentPayloadBytes;
    private final BucketTimer[] stages;
    private final BucketHistogram envelopesPerFlush;
    private final Counter segmentsOut;
    private final Counter flushes;
    private final Counter compressionPayloads;
    private final Counter compressionRaw;
    private final Counter compressionPlainBytes;
    private final Counter compressionWireBytes;
    private final Counter[] shedByCause;
    private final BucketTimer[] pausedByCause;
    private final Counter protocolErrors;
    private final Counter fatalProtocolErrors;
    private final Counter[] errorsByCode;
    private final Counter loginsSucceeded;
    private final Counter loginsFailed;

    private DropwizardTransportListener(final MetricRegistry registry, final MetricGroup group)
    {
        this.registry = registry;
        this.group = group;
        opened = group.counter("connections.opened");
        refusedByReason = group.counters("connections.refused", RefusalReason.values());
        group.sum("connections.refused", refusedByReason);
        closedByReason = closedByReason(group);
        traffic = new TrafficTable(group);
        requestBytes = group.histogram("request-bytes");
        responseBytes = group.histogram("response-bytes");
        events = group.counter("events");
        eventsDropped = group.counter("events.dropped");
        expired = group.counter("expired");
        flushBytes = group.histogram("flush-bytes");
        segmentEnvelopes = group.counter("segment-envelopes");
        segmentPayloadBytes = group.counter("segment-payload-bytes");
        stages = group.timers("stages", LatencyStage.values());
        envelopesPerFlush = group.histogram("envelopes-per-flush");
        segmentsOut = group.counter("segments-out");
        flushes = group.counter("flushes");
        compressionPayloads = group.counter("compression.payloads");
        compressionRaw = group.counter("compression.raw");
        compressionPlainBytes = group.counter("compression.plain-bytes");
        compressionWireBytes = group.counter("compression.wire-bytes");
        shedByCause = group.counters("shed", PauseCause.values());
        pausedByCause = group.timers("paused", PauseCause.values());
        protocolErrors = group.counter("protocol-errors");
        fatalProtocolErrors = group.counter("protocol-errors.fatal");
        errorsByCode = group.counters("errors", ErrorCode.values());
        loginsSucceeded = group.counter("logins.success");
        loginsFailed = group.counter("logins.failure");
        addGauges();
        group.register(registry);
    }

    private static Counter[] closedByReason(final MetricGroup group)
    {
        final Counter[] counters = new Counter[CloseReason.values().length];
        for (final CloseReason reason : CloseReason.values())
        {
            counters[reason.ordinal()] = reason == CloseReason.REFUSED
                ? new Counter()
                : group.counter("connections.closed." + MetricGroup.nameOf(reason));
        }
        return counters;
    }

    private void addGauges()
    {
        group.gauge("connections", this::connections);
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            group.gauge("connections." + MetricGroup.nameOf(version), () -> connections(version));
        }
        group.gauge("connections.none", () -> connections(null));
        group.gauge("paused-connections", pausedNow::sum);
        group.gauge("segment-fill", () -> share(segmentPayloadBytes.getCount(), segmentsOut.getCount() * LARGEST));
        group.gauge("envelopes-per-segment", () -> share(segmentEnvelopes.getCount(), segmentsOut.getCount()));
        group.gauge("flushes-per-answer", () -> share(flushes.getCount(), responseBytes.getCount()));
        group.gauge("compression.raw-share", () -> share(compressionRaw.getCount(), compressionPayloads.getCount()));
        group.gauge("compression.ratio", () -> share(compressionWireBytes.getCount(), compressionPlainBytes
            .getCount()));
        transportGauge("in-flight-bytes", NativeTransport::inFlightBytes);
        transportGauge("in-flight-bytes.limit", attached -> attached.control().limits().inFlightBytes());
        transportGauge("answer-bytes.limit", attached -> attached.control().limits().answerBytes());
        transportGauge("pre-login-bytes.limit", attached -> attached.control().limits().preLoginBytes());
        transportGauge("oldest-lease-nanos", NativeTransport::oldestLeaseNanos);
        transportGauge("answer-gap-nanos", attached -> attached.flushCounts().gapNanos());
        transportGauge("held-bytes", NativeTransport::heldBytes);
        transportGauge("answer-bytes", NativeTransport::answerBytes);
        transportGauge("pre-login-bytes", NativeTransport::preLoginBytes);
        transportGauge("leases", attached -> attached.buffers().outstandingLeases());
        transportGauge("leased-bytes", attached -> attached.buffers().outstandingBytes());
        transportGauge("buffer-bytes", attached -> attached.buffers().madeBytes());
        transportGauge("waiting-connections", NativeTransport::waitingConnections);
        transportGauge("client-addresses", NativeTransport::clientAddresses);
        transportGauge("flush-windows", attached -> attached.flushCounts().windows());
        transportGauge("flush-windows.filled", attached -> attached.flushCounts().filled());
        transportGauge("flush-windows.expired", attached -> attached.flushCounts().expired());
    }

    private static double share(final long part, final long whole)
    {
        return whole == 0 ? 0 : (double)part / whole;
    }

    private void transportGauge(final String name, final ToLongFunction<NativeTransport> value)
    {
        group.gauge(name, () ->
        {
            final NativeTransport attached = transport;
            return attached == null ? 0L : value.applyAsLong(attached);
        });
    }

    private long connections()
    {
        long count = opened.getCount();
        for (final Counter closed : closedByReason)
        {
            count -= closed.getCount();
        }
        return Math.max(0, count);
    }

    private long connections(final ProtocolVersion version)
    {
        final NativeTransport attached = transport;
        if (attached == null)
        {
            return 0;
        }
        long count = 0;
        for (final ClientConnection connection : attached.connections())
        {
            count += connection.version() == version ? 1 : 0;
        }
        return count;
    }

    /**
     * A listener whose metrics are under {@link #DEFAULT_PREFIX}.
     *
     * @throws IllegalArgumentException if one of the names is taken
     */
    public static DropwizardTransportListener register(final MetricRegistry registry)
    {
        return register(registry, DEFAULT_PREFIX);
    }

    /**
     * A listener whose metrics are under this prefix: one for each transport that shares a registry.
     *
     * @param prefix without a dot at its end
     * @throws IllegalArgumentException if one of the names is taken
     */
    public static DropwizardTransportListener register(final MetricRegistry registry, final String prefix)
    {
        return register(registry, prefix, Clock.defaultClock());
    }

    static DropwizardTransportListener register(final MetricRegistry registry, final String prefix, final Clock clock)
    {
        Objects.requireNonNull(prefix, "prefix");
        return new DropwizardTransportListener(Objects.requireNonNull(registry, "registry"),
            new MetricGroup(prefix, clock));
    }

    /**
     * Shows the gauges of this transport from now on, in place of the one before.
     *
     * @return this
     */
    public DropwizardTransportListener attach(final NativeTransport newTransport)
    {
        transport = Objects.requireNonNull(newTransport, "newTransport");
        return this;
    }

    /** Takes its metrics out of the registry and lets go of the transport. What it hears later is not seen. */
    @Override
    public void close()
    {
        group.unregister(registry);
        transport = null;
    }

    @Override
    public void onConnectionOpened(final ClientConnection connection)
    {
        opened.inc();
    }

    @Override
    public void onConnectionRefused(final RefusalReason reason)
    {
        refusedByReason[reason.ordinal()].inc();
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        closedByReason[reason.ordinal()].inc();
    }

    @Override
    public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        requestBytes.update(bytes);
        traffic.onRequest(connection, opcode, bytes);
    }

    @Override
    public void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
        responseBytes.update(bytes);
        traffic.onResponse(connection, request, response, bytes, latencyNanos);
        if (request == null && response == Opcode.EVENT)
        {
            events.inc();
        }
    }

    @Override
    public void onError(final ClientConnection connection, final ErrorCode code)
    {
        errorsByCode[code.ordinal()].inc();
    }

    @Override
    public void onProtocolError(final ClientConnection connection,
        final ProtocolVersion version,
        final boolean fatal)
    {
        protocolErrors.inc();
        if (fatal)
        {
            fatalProtocolErrors.inc();
        }
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        shedByCause[cause.ordinal()].inc();
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        pausedByCause[cause.ordinal()].update(pausedNanos);
        pausedNow.decrement();
    }

    @Override
    public void onBytesRead(final ClientConnection connection, final int bytes)
    {
        traffic.onBytesRead(connection, bytes);
    }

    @Override
    public void onFlush(final ClientConnection connection,
        final int envelopes,
        final int segments,
        final long payloadBytes,
        final int bytes)
    {
        flushes.inc();
        envelopesPerFlush.update(envelopes);
        flushBytes.update(bytes);
        traffic.onBytesWritten(connection, bytes);
        if (segments > 0)
        {
            segmentsOut.inc(segments);
            segmentEnvelopes.inc(envelopes);
            segmentPayloadBytes.inc(payloadBytes);
        }
    }

    @Override
    public void onStages(final ClientConnection connection, final Opcode opcode, final StageTimes times)
    {
        for (final LatencyStage stage : LatencyStage.values())
        {
            stages[stage.ordinal()].update(times.nanos(stage));
        }
    }

    @Override
    public void onExpired(final ClientConnection connection, final Opcode opcode, final long queuedNanos)
    {
        expired.inc();
    }

    @Override
    public void onEventDropped(final ClientConnection connection)
    {
        eventsDropped.inc();
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        pausedNow.increment();
    }

    @Override
    public void onCompression(final ClientConnection connection,
        final int payloads,
        final int raw,
        final long plainBytes,
        final long wireBytes)
    {
        compressionPayloads.inc(payloads);
        compressionRaw.inc(raw);
        compressionPlainBytes.inc(plainBytes);
        compressionWireBytes.inc(wireBytes);
    }

    @Override
    public void onLogin(final ClientConnection connection, final boolean success)
    {
        (success ? loginsSucceeded : loginsFailed).inc();
    }
}
