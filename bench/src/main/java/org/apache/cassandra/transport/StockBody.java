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
package org.apache.cassandra.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;

/** The stock way from one envelope in memory to a request object. Confined to one thread. */
public final class StockBody
{
    private final EmbeddedChannel channel = new StockInbound.LoopbackChannel();
    private final Envelope.Decoder decoder;
    private final ByteBuffer envelope;

    /** For this envelope of version 5. */
    public StockBody(final byte[] envelope)
    {
        StockRuntime.start();
        decoder = new Envelope.Decoder();
        this.envelope = ByteBuffer.allocateDirect(envelope.length);
        this.envelope.put(envelope).flip();
        channel.attr(Connection.attributeKey)
            .set(new ServerConnection(channel, ProtocolVersion.V5, new StockRuntime.OpenTracker()));
    }

    /** The request object. */
    public Message.Request decode()
    {
        final Envelope.Header header = decoder.extractHeader(envelope).header();
        final ByteBuffer body = envelope.duplicate();
        body.position(Envelope.Header.LENGTH);
        final ByteBuf buffer = Unpooled.wrappedBuffer(body);
        return Message.requestDecoder().decode(channel, new Envelope(header, buffer));
    }
}
