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

import io.sluice.memory.ByteBudget;

/**
 * What one connection may cost before its client is known: messages, and memory for those that are not all there.
 * <p>
 * The first {@value #FREE_BYTES} bytes are free, so that an ordinary STARTUP or token gets through whatever others do;
 * all memory above comes out of one budget for everybody who is not ready. Confined to the connection's event loop.
 */
final class PreLoginBudget
{
    /** More than any STARTUP of a driver, and than most tokens. */
    static final int FREE_BYTES = 4 * 1024;
    /** What a login that waits for its turn costs beside its token. */
    private static final int LOGIN_BYTES = 512;

    private final TransportContext context;
    private long charged;
    private int messages;

    PreLoginBudget(final TransportContext context)
    {
        this.context = context;
    }

    /** Counts one more message; false if that is too many. */
    boolean countMessage()
    {
        messages++;
        return messages <= context.control.limits().preLoginMessages();
    }

    /** The connection holds this much memory now; false if there is no room for it: it must close. */
    boolean hold(final long bytes)
    {
        final ByteBudget budget = context.preLogin;
        final long wanted = Math.max(0, bytes - FREE_BYTES);
        if (wanted > charged && !budget.tryAcquire(wanted - charged))
        {
            return false;
        }
        if (wanted < charged)
        {
            budget.release(charged - wanted);
        }
        charged = wanted;
        return true;
    }

    /** What a token is charged with while it is checked, also when its client has left meanwhile. */
    static long loginBytes(final byte[] token)
    {
        return LOGIN_BYTES + (token == null ? 0L : token.length);
    }
}
