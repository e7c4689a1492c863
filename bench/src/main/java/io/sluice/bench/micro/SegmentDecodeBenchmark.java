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
package io.sluice.bench.micro;

import io.sluice.bench.RequestBytes;
import io.sluice.bench.WireSegments;
import io.sluice.framing.segment.SegmentFormat;
import java.nio.charset.StandardCharsets;
import org.apache.cassandra.transport.StockInbound;
import org.openjdk.jmh.annotations.Param;

/** Segments on the way in: from the bytes of one read to checked, decompressed payloads. */
public class SegmentDecodeBenchmark extends FourWays
{
    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** Of text, in one segment. */
    @Param({"128", "16384", "131071"})
    private int payloadBytes;

    @Override
    Measured make(final Implementation implementation)
    {
        final byte[] payload = RequestBytes.text(payloadBytes, 1).getBytes(StandardCharsets.US_ASCII);
        final byte[] wire = new WireSegments().of(format, payload);
        final boolean lz4 = format == SegmentFormat.LZ4;
        return switch (implementation)
        {
            case SLUICE, BARE ->
            {
                final SluiceInbound inbound = new SluiceInbound(format, wire, false);
                yield new Measured(inbound::read, inbound::close);
            }
            case STOCK -> Measured.of(new StockInbound(lz4, wire, false)::read);
            case NATIVE_PROTOCOL -> Measured.of(new NativeProtocolInbound(lz4, wire, false)::read);
            case FLOOR -> Measured.of(new SegmentFloor(format, payload)::decode);
        };
    }
}
