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
package io.sluice.cassandra;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.UniformSnapshot;
import io.sluice.transport.NativeTransport;
import java.util.function.Supplier;

/** Request bytes in flight of each client address, worked out when somebody looks. Any thread. */
final class AddressReservoir implements Reservoir
{
    private final Supplier<NativeTransport> transport;

    /** @param transport the one that serves now, or null */
    AddressReservoir(final Supplier<NativeTransport> transport)
    {
        this.transport = transport;
    }

    @Override
    public int size()
    {
        final NativeTransport serving = transport.get();
        return serving == null ? 0 : serving.clientAddresses();
    }

    @Override
    public void update(final long value)
    {
        throw new UnsupportedOperationException("update: " + value + " (expected: none)");
    }

    @Override
    public Snapshot getSnapshot()
    {
        final NativeTransport serving = transport.get();
        return new UniformSnapshot(serving == null ? new long[0] : serving.inFlightBytesByAddress());
    }
}
