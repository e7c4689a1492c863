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
package io.sluice.framing.response;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.ResponseReader;
import io.sluice.framing.testkit.WireBytes;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import org.agrona.concurrent.SystemNanoClock;

/** Encodes for tests, with memory that is overwritten on return and has to come back. */
final class Encoding implements AutoCloseable
{
    static final int LIMIT = 1 << 28;

    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, 1L << 29, true);
    private final EnvelopeEncoder encoder = new EnvelopeEncoder(pool);

    BufferPool pool()
    {
        return pool;
    }

    EnvelopeEncoder encoder()
    {
        return encoder;
    }

    byte[] envelope(final ProtocolVersion version, final int streamId, final ResponseBody body)
    {
        return take(encoder.encode(version, streamId, body, null, null, null, LIMIT));
    }

    String hex(final ProtocolVersion version, final int streamId, final ResponseBody body)
    {
        return WireBytes.toHex(envelope(version, streamId, body));
    }

    /** The body alone, as digits. */
    String body(final ProtocolVersion version, final ResponseBody body)
    {
        return hex(version, 1, body).substring(18);
    }

    ResponseReader read(final ProtocolVersion version, final ResponseBody body)
    {
        return new ResponseReader(envelope(version, 1, body));
    }

    static byte[] take(final BufferLease lease)
    {
        try (lease)
        {
            final byte[] bytes = new byte[lease.length()];
            lease.buffer().getBytes(0, bytes);
            return bytes;
        }
    }

    @Override
    public void close()
    {
        assertEquals(0, pool.outstandingLeases());
        pool.close();
        assertEquals(0, pool.madeBytes());
    }
}
