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

import java.util.Objects;

/**
 * The settings that can change while the transport runs. A change is one write of a whole, checked record, so no
 * reader ever sees two settings that do not go together. Any thread.
 */
public final class TransportControl
{
    private volatile TransportLimits limits;
    private volatile CompressionPolicy compression;
    private volatile FlushPolicy flushPolicy;
    private volatile boolean olderVersionsAllowed = true;
    private volatile boolean accepting = true;
    private Runnable listener = () ->
    {
    };
    private Runnable effect = listener;

    TransportControl(final TransportLimits limits, final CompressionPolicy compression, final FlushPolicy flushPolicy)
    {
        this.flushPolicy = Objects.requireNonNull(flushPolicy, "flushPolicy");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.compression = Objects.requireNonNull(compression, "compression");
    }

    /** Hears of every change, under this object's lock, after it is in force. */
    synchronized void listener(final Runnable newListener)
    {
        listener = newListener;
    }

    /** Hears of every change, once all of it is in force; may wake others. */
    synchronized void effect(final Runnable newEffect)
    {
        effect = newEffect;
    }

    private void changed()
    {
        listener.run();
        effect.run();
    }

    /** In force now. */
    public TransportLimits limits()
    {
        return limits;
    }

    /** In force from the next envelope on, for open connections too. */
    public synchronized void limits(final TransportLimits newLimits)
    {
        limits = Objects.requireNonNull(newLimits, "newLimits");
        changed();
    }

    /** In force now. */
    public CompressionPolicy compression()
    {
        return compression;
    }

    /** In force from the next flush on. */
    public synchronized void compression(final CompressionPolicy newCompression)
    {
        compression = Objects.requireNonNull(newCompression, "newCompression");
        changed();
    }

    /** In force now. */
    public FlushPolicy flushPolicy()
    {
        return flushPolicy;
    }

    /** In force from the next answer on; a window that is open closes as it would have. */
    public synchronized void flushPolicy(final FlushPolicy newPolicy)
    {
        flushPolicy = Objects.requireNonNull(newPolicy, "newPolicy");
        changed();
    }

    /** True if versions 3 and 4 may be used. */
    public boolean olderVersionsAllowed()
    {
        return olderVersionsAllowed;
    }

    /** Allows or refuses versions 3 and 4 in new STARTUPs; connections that are open go on. */
    public synchronized void olderVersionsAllowed(final boolean allowed)
    {
        olderVersionsAllowed = allowed;
        changed();
    }

    /** All of it; whoever calls this says by whom it was changed, and the listener does not hear of it. */
    synchronized void changeAll(final TransportLimits newLimits,
        final CompressionPolicy newCompression,
        final FlushPolicy newPolicy,
        final boolean olderAllowed)
    {
        limits = newLimits;
        compression = newCompression;
        flushPolicy = newPolicy;
        olderVersionsAllowed = olderAllowed;
        effect.run();
    }

    /** False once the transport stops: late STARTUPs are refused. */
    boolean isAccepting()
    {
        return accepting;
    }

    void stopAccepting()
    {
        accepting = false;
    }
}
