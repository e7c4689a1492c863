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
package io.sluice.transport.sim;

import io.sluice.transport.CloseReason;

/** Whether a client got everything that it had a right to. */
final class SimVerdict
{
    private SimVerdict()
    {
    }

    /**
     * Holds what a client asked against what it got.
     *
     * @param reason why its connection ended, or null if it is open
     * @param cutOff true if the transport was closed without waiting
     */
    static void check(final SimClient client, final CloseReason reason, final boolean cutOff)
    {
        if (client.unread() > 0 && client.sawEnd && isOrderly(reason) && !cutOff && !client.everStopped)
        {
            throw new SimulationFailure(client.name() + ": the server ended inside an envelope, " + reason);
        }
        for (final Ask ask : client.all())
        {
            if (ask.answers > 1 || ask.answers > 0 && ask.kind == Ask.Kind.VOID)
            {
                throw new SimulationFailure("answered too often: " + ask);
            }
            final boolean expected = ask.kind == Ask.Kind.GOOD || ask.kind == Ask.Kind.REFUSED;
            if (expected && ask.answers == 0 && client.isSent(ask) && isOwed(client, ask, reason, cutOff))
            {
                throw new SimulationFailure("never answered, connection " + (reason == null ? "open" : reason) + ": " +
                    ask);
            }
        }
    }

    private static boolean isOrderly(final CloseReason reason)
    {
        return switch (reason)
        {
            case PROTOCOL_ERROR, LOGIN_ATTEMPTS, CLIENT, IDLE_TIMEOUT, SHUTDOWN -> true;
            default -> false;
        };
    }

    private static boolean isOwed(final SimClient client, final Ask ask, final CloseReason reason, final boolean cutOff)
    {
        if (reason == null)
        {
            return client.reads;
        }
        if (!client.sawEnd || client.sawReset || client.everStopped || cutOff)
        {
            return false;
        }
        return switch (reason)
        {
            case PROTOCOL_ERROR, LOGIN_ATTEMPTS, CLIENT -> true;
            case IDLE_TIMEOUT, SHUTDOWN -> ask.dispatches > 0;
            default -> false;
        };
    }

    /** The engine heard once, or not at all, that a client had left. */
    static void checkAbandonment(final Ask ask)
    {
        if (ask.abandonedRuns > 0 && ask.answers > 0)
        {
            throw new SimulationFailure("answered, and told that the client had left: " + ask);
        }
    }
}
