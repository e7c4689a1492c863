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

    TransportControl(final TransportLimits limits, final CompressionPolicy compression, final FlushPolicy flushPolicy)
    {
        this.flushPolicy = Objects.requireNonNull(flushPolicy, "flushPolicy");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.compression = Objects.requireNonNull(compression, "compression");
    }

    /** In force now. */
    public TransportLimits limits()
    {
        return limits;
    }

    /** In force from the next envelope on, for open connections too. */
    public void limits(final TransportLimits newLimits)
    {
        limits = Objects.requireNonNull(newLimits, "newLimits");
    }

    /** In force now. */
    public CompressionPolicy compression()
    {
        return compression;
    }

    /** In force from the next flush on. */
    public void compression(final CompressionPolicy newCompression)
    {
        compression = Objects.requireNonNull(newCompression, "newCompression");
    }

    /** In force now. */
    public FlushPolicy flushPolicy()
    {
        return flushPolicy;
    }

    /** In force from the next answer on; a window that is open closes as it would have. */
    public void flushPolicy(final FlushPolicy newPolicy)
    {
        flushPolicy = Objects.requireNonNull(newPolicy, "newPolicy");
    }

    /** True if versions 3 and 4 may be used. */
    public boolean olderVersionsAllowed()
    {
        return olderVersionsAllowed;
    }

    /** Allows or refuses versions 3 and 4 in new STARTUPs; connections that are open go on. */
    public void olderVersionsAllowed(final boolean allowed)
    {
        olderVersionsAllowed = allowed;
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
