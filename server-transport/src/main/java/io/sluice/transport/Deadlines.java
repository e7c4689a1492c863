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
import io.sluice.framing.response.ErrorBody;

/**
 * When a connection has waited long enough: for the handshake, for the client to read, to send anything at all, for
 * answers in work, for the client to close. Confined to the connection's event loop.
 */
final class Deadlines
{
    private final Connection connection;
    private final long openedNanos;
    private long lastReadNanos;
    private long lastProgressNanos;
    private long pendingSinceNanos;
    private long closingNanos;
    private long pendingBefore;
    private long lastWrittenNanos;
    private long insideSinceNanos;
    private long requestsReadBefore;

    Deadlines(final Connection connection, final long nowNanos)
    {
        this.connection = connection;
        openedNanos = nowNanos;
        lastReadNanos = nowNanos;
        lastProgressNanos = nowNanos;
        pendingSinceNanos = nowNanos;
        lastWrittenNanos = nowNanos;
        insideSinceNanos = nowNanos;
    }

    void onRead(final long nowNanos)
    {
        lastReadNanos = nowNanos;
    }

    long lastReadNanos()
    {
        return lastReadNanos;
    }

    void closing()
    {
        closingNanos = connection.context.clock.nanoTime();
    }

    void lingering()
    {
        closingNanos = connection.context.clock.nanoTime();
    }

    /** Acts on whichever deadline has passed. */
    void check(final long nowNanos)
    {
        observeOutput(nowNanos);
        final TransportLimits limits = connection.context.control.limits();
        switch (connection.state())
        {
            case ESTABLISHED, AUTHENTICATING ->
            {
                if (connection.awaitsProxyHeader())
                {
                    final long proxy = connection.context.trustedProxies.headerTimeout().toNanos();
                    if (isOver(proxy, openedNanos, nowNanos))
                    {
                        connection.refuseProxy("not whole in time");
                    }
                }
                else if (isOver(limits.handshakeTimeout().toNanos(), openedNanos, nowNanos))
                {
                    connection.context.log.clientError(connection, "not ready within the handshake timeout");
                    connection.closeNow(CloseReason.HANDSHAKE_TIMEOUT);
                }
            }
            case READY -> checkReady(limits, nowNanos);
            case CLOSING ->
            {
                if (connection.requestsInService() > 0 &&
                    isOver(limits.closeTimeout().toNanos(), closingNanos, nowNanos))
                {
                    connection.failInService(ErrorBody.of(ErrorCode.OVERLOADED, "The connection is being closed"));
                }
                checkExchanges(limits, nowNanos);
                checkStall(limits, nowNanos);
            }
            case LINGERING ->
            {
                if (nowNanos - closingNanos >= limits.lingerTimeout().toNanos())
                {
                    connection.closeChannel();
                }
            }
            default ->
            {
                // Closed: about to leave the loop's list.
            }
        }
    }

    private void observeOutput(final long nowNanos)
    {
        final long pending = connection.pendingWriteBytes();
        // More than before is the server's doing: answers to heartbeats, events. It tells nothing about the client.
        if (pending == 0 || pendingBefore == 0 || pending < pendingBefore)
        {
            lastProgressNanos = nowNanos;
        }
        if (pending == 0)
        {
            pendingSinceNanos = nowNanos;
        }
        pendingBefore = pending;
    }

    private void checkReady(final TransportLimits limits, final long nowNanos)
    {
        checkStall(limits, nowNanos);
        final long idle = limits.idleTimeout().toNanos();
        if (connection.requestsInService() == 0 && pendingBefore == 0 && !connection.inbound.isWaiting() &&
            isOver(idle, lastReadNanos, nowNanos) && isOver(idle, lastWrittenNanos, nowNanos))
        {
            connection.closeGracefully(CloseReason.IDLE_TIMEOUT, null, 0);
            return;
        }
        checkInput(limits, nowNanos);
        checkExchanges(limits, nowNanos);
    }

    /** A request that has begun and does not go on holds memory and a part of the budgets. */
    private void checkInput(final TransportLimits limits, final long nowNanos)
    {
        final InboundPath inbound = connection.inbound;
        if (!inbound.isInsideRequest() || inbound.requestsRead() != requestsReadBefore)
        {
            insideSinceNanos = nowNanos;
            requestsReadBefore = inbound.requestsRead();
        }
        else if (isOver(limits.stallTimeout().toNanos(), lastReadNanos, nowNanos) ||
            isOver(limits.exchangeTimeout().toNanos(), insideSinceNanos, nowNanos))
        {
            connection.context.log.clientError(connection, "stopped in the middle of a request");
            connection.closeNow(CloseReason.STALLED);
        }
    }

    private void checkExchanges(final TransportLimits limits, final long nowNanos)
    {
        final long exchange = limits.exchangeTimeout().toNanos();
        RequestExchange oldest = connection.oldestInService();
        while (oldest != null && isOver(exchange, oldest.receivedNanos(), nowNanos))
        {
            final RequestExchange next = oldest.nextInService;
            if (oldest.expire(ErrorBody.of(ErrorCode.SERVER_ERROR, "The request was not answered in time")))
            {
                if (oldest.isWaitingForReader())
                {
                    connection.context.log.clientError(connection, "does not read its answers");
                }
                else if (oldest.isStartedWithin(exchange, nowNanos))
                {
                    // It waited for its reader, or for a thread, until it was nearly too old: not the handler's fault.
                    connection.context.log.clientError(connection, "a request was too old soon after it was started");
                }
                else
                {
                    connection.context.log.unexpected("a request was never completed", connection, null);
                }
            }
            oldest = next;
        }
    }

    /** The socket took something. */
    void onWritten(final long nowNanos)
    {
        lastWrittenNanos = nowNanos;
        lastProgressNanos = nowNanos;
    }

    /** One that takes a byte now and then is no better, once it keeps room from others. */
    private boolean isTrickling(final TransportLimits limits, final long nowNanos)
    {
        final long exchange = limits.exchangeTimeout().toNanos();
        return connection.answers.isExhausted() && isOver(exchange, pendingSinceNanos, nowNanos) &&
            isOver(exchange, lastWrittenNanos, nowNanos);
    }

    private void checkStall(final TransportLimits limits, final long nowNanos)
    {
        if (pendingBefore > 0 && (isOver(limits.stallTimeout().toNanos(), lastProgressNanos, nowNanos) ||
            isTrickling(limits, nowNanos)))
        {
            connection.context.log.clientError(connection, "does not read its answers");
            connection.closeNow(CloseReason.STALLED);
        }
    }

    private static boolean isOver(final long timeoutNanos, final long sinceNanos, final long nowNanos)
    {
        return timeoutNanos > 0 && nowNanos - sinceNanos >= timeoutNanos;
    }
}
