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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.response.BodyTooLargeException;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.framing.response.ErrorBody;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsWriter;
import io.sluice.memory.DirectMemory;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Offers EXECUTE requests to the node's inline handler and takes its answers. One per event loop, used over and over.
 * <p>
 * Confined to the event loop.
 */
final class LoopExchange implements InlineExchange, RowsWriter.Outcome
{
    /** What has become of the request at hand. */
    private enum State
    {
        /** There is none. */
        IDLE,
        /** Not answered yet. */
        OPEN,
        /** Rows are being written. */
        WRITING,
        /** The answer is in the outbox. */
        ANSWERED
    }

    private static final int ROWS_HINT = 512;

    private final TransportContext context;
    private final InlineExecuteHandler handler;
    private final EnvelopeEncoder encoder;
    private final ExecuteView view = new ExecuteView();
    private final RowsWriter rows = new RowsWriter();
    private State state = State.IDLE;
    private Connection connection;
    private int streamId;
    /** Rows were begun and given up: too late to decline. */
    private boolean aborted;
    private UUID tracingId;
    private List<String> warnings;
    private Map<String, byte[]> customPayload;

    LoopExchange(final TransportContext context, final InlineExecuteHandler handler)
    {
        this.context = context;
        this.handler = handler;
        this.encoder = new EnvelopeEncoder(context.pool);
    }

    /**
     * Offers a request to the handler.
     *
     * @param header of an EXECUTE; borrowed until return
     * @param memory the body is {@code length} plain bytes at {@code offset}; borrowed until return
     * @return false if it is to be decoded and go to the executor
     * @throws io.sluice.framing.ProtocolException if the body is not what it should be
     */
    boolean serve(final Connection client,
        final EnvelopeHeader header,
        final DirectMemory memory,
        final int offset,
        final int length)
    {
        if (state != State.IDLE)
        {
            // Called from within a handler: only one request can be seen at a time.
            return false;
        }
        if (!view.wrap(header, client.version(), memory.buffer(), offset, length))
        {
            return false;
        }
        connection = client;
        streamId = header.streamId();
        state = State.OPEN;
        try
        {
            return offer();
        }
        finally
        {
            state = State.IDLE;
            aborted = false;
            connection = null;
            tracingId = null;
            warnings = null;
            customPayload = null;
        }
    }

    private boolean offer()
    {
        boolean taken = true;
        Throwable thrown = null;
        try
        {
            taken = handler.tryExecute(view, this);
        }
        catch (final Throwable t)
        {
            thrown = t;
        }
        view.expire();
        if (state == State.WRITING)
        {
            // Left open: that is no result.
            rows.close();
        }
        if (thrown != null)
        {
            onThrown(thrown);
        }
        else if (state == State.OPEN && (taken || aborted))
        {
            context.log.unexpected("an inline handler took a request and did not answer it", connection, null);
            answer(ErrorBody.of(ErrorCode.SERVER_ERROR, "The request failed in the server; see its log"));
        }
        return state == State.ANSWERED;
    }

    private void onThrown(final Throwable thrown)
    {
        final boolean noRoom = thrown instanceof BodyTooLargeException ||
            TransportContext.isDirectMemoryExhausted(thrown);
        if (!noRoom)
        {
            context.inspect(thrown);
        }
        if (state == State.ANSWERED)
        {
            context.log.unexpected("an inline handler failed after it had answered", connection, thrown);
        }
        else
        {
            answer(noRoom ? connection.failureBody(thrown) : RequestExchange.bodyOf(connection, thrown));
        }
    }

    private void answer(final ResponseBody body)
    {
        state = State.ANSWERED;
        final LoopResponse response = newResponse();
        try
        {
            connection.encode(response, streamId, body, tracingId, warnings, customPayload);
        }
        finally
        {
            // Whatever happens, it owes what the request was charged with.
            connection.take(response);
        }
    }

    /** It owes from here on what the request was charged with. */
    private LoopResponse newResponse()
    {
        return connection.loopResponse().begin(streamId, connection.router.takeOwed(), receivedNanos());
    }

    private void expect(final State expected)
    {
        if (state != expected)
        {
            throw new IllegalStateException("exchange: " + state + " (expected: " + expected + ")");
        }
        assert connection.loop.loop.inEventLoop();
    }

    @Override
    public void respond(final ResponseBody body)
    {
        expect(State.OPEN);
        answer(body);
    }

    @Override
    public RowsWriter respondRows(final RowsMetadata metadata)
    {
        expect(State.OPEN);
        final ProtocolVersion version = connection.version();
        boolean begun = false;
        try
        {
            rows.begin(encoder.begin(version, streamId, Opcode.RESULT, ROWS_HINT, tracingId, warnings, customPayload,
                TransportLimits.ENVELOPE_LIMIT), version, metadata, this);
            state = State.WRITING;
            begun = true;
        }
        finally
        {
            if (!begun)
            {
                encoder.abort();
            }
        }
        return rows;
    }

    @Override
    public void onCommitted()
    {
        expect(State.WRITING);
        state = State.ANSWERED;
        final LoopResponse response = newResponse();
        try
        {
            connection.encoded(response, encoder.finish());
        }
        finally
        {
            connection.take(response);
        }
    }

    @Override
    public void onAborted()
    {
        encoder.abort();
        state = State.OPEN;
        aborted = true;
    }

    @Override
    public void fail(final ErrorCode code, final String message)
    {
        respond(ErrorBody.of(code, message));
    }

    @Override
    public void fail(final Throwable error)
    {
        expect(State.OPEN);
        answer(RequestExchange.bodyOf(connection, error));
    }

    @Override
    public ProtocolVersion version()
    {
        return connection.version();
    }

    @Override
    public int streamId()
    {
        return streamId;
    }

    @Override
    public ClientConnection connection()
    {
        return connection;
    }

    @Override
    public long receivedNanos()
    {
        return connection.deadlines.lastReadNanos();
    }

    @Override
    public void tracingId(final UUID newTracingId)
    {
        tracingId = newTracingId;
    }

    @Override
    public void warnings(final List<String> newWarnings)
    {
        warnings = newWarnings;
    }

    @Override
    public void customPayload(final Map<String, byte[]> newPayload)
    {
        customPayload = newPayload;
    }
}
