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

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.bench.RequestBytes;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.RequestDecoder;
import io.sluice.framing.request.StatementIdTable;
import io.sluice.memory.DirectMemory;

/** The three ways from one envelope in memory to a request object. Confined to one thread. */
public final class BodyDecoders
{
    private final EnvelopeHeader header = new EnvelopeHeader();
    private final DirectMemory memory;
    private final RequestDecoder decoder;
    private final ExecuteView view = new ExecuteView();
    private final ByteBuf frame;
    private final FrameCodec<ByteBuf> frames = FrameCodec.defaultServer(
        new ByteBufPrimitiveCodec(PooledByteBufAllocator.DEFAULT), Compressor.none());

    /** For this envelope of version 5. */
    public BodyDecoders(final byte[] envelope)
    {
        memory = DirectMemory.allocate(envelope.length);
        memory.buffer().putBytes(0, envelope);
        header.wrap(memory.buffer(), 0);
        final StatementIdTable ids = new StatementIdTable();
        ids.learn(RequestBytes.statementId());
        ids.learn(RequestBytes.metadataId());
        decoder = new RequestDecoder(ids);
        frame = Unpooled.directBuffer(envelope.length).writeBytes(envelope);
    }

    /** Sluice's request object. */
    public Request sluice()
    {
        return decoder.decode(header, ProtocolVersion.V5, memory.buffer(), EnvelopeHeader.LENGTH, header.bodyLength());
    }

    /** Sluice's view of an EXECUTE: all offsets and lengths, no object. Returns the number of values. */
    public int sluiceView()
    {
        if (!view.wrap(header, ProtocolVersion.V5, memory.buffer(), EnvelopeHeader.LENGTH, header.bodyLength()))
        {
            throw new IllegalStateException("view: not for this request");
        }
        final int values = view.valueCount();
        view.expire();
        return values;
    }

    /** The request object of DataStax native-protocol. */
    public Frame nativeProtocol()
    {
        frame.readerIndex(0);
        return frames.decode(frame);
    }
}
