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
package io.sluice.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.bench.micro.SluiceInbound;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.segment.SegmentFormat;
import java.nio.ByteBuffer;
import org.apache.cassandra.transport.StockInbound;
import org.apache.cassandra.transport.messages.ExecuteMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InboundTest
{
    @ParameterizedTest
    @EnumSource
    void bothWaysInReadTheSameRequests(final SegmentFormat format)
    {
        final byte[] wire = new WireSegments().of(format, RequestBytes.executes(5, 10, 7, 10));
        final StockInbound stock = new StockInbound(format == SegmentFormat.LZ4, wire, true);
        try (SluiceInbound sluice = new SluiceInbound(format, wire, true))
        {
            for (int i = 0; i < 3; i++)
            {
                assertEquals(10, sluice.read());
                assertEquals(10, stock.read());
            }
            final ExecuteRequest ours = (ExecuteRequest)sluice.last();
            final ExecuteMessage theirs = (ExecuteMessage)stock.last();
            assertEquals(7, ours.parameters().values().length);
            for (int i = 0; i < 7; i++)
            {
                final ByteBuffer value = theirs.options.getValues().get(i);
                final byte[] bytes = new byte[value.remaining()];
                value.duplicate().get(bytes);
                assertArrayEquals(bytes, ours.parameters().values()[i]);
            }
        }
    }
}
