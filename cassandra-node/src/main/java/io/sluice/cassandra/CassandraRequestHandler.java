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

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.transport.Exchange;
import io.sluice.transport.RequestHandler;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.reads.thresholds.CoordinatorWarnings;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.JVMStabilityInspector;

/**
 * Serves requests by Cassandra's own request messages, prepared writes by their {@link WritePlan}s, with everything
 * that Cassandra's own transport does around one: queue time, client warnings, read thresholds, tracing, payloads,
 * counting, error mapping. Called on Cassandra's request executor; answers before it returns.
 */
final class CassandraRequestHandler implements RequestHandler
{
    private final KnownStatements statements;
    private final UnexpectedErrors errors;
    private final ResponseBodies bodies = new ResponseBodies();
    private final PlannedWrites writes;

    CassandraRequestHandler(final KnownStatements statements, final UnexpectedErrors errors, final WritePlans plans)
    {
        this.statements = statements;
        this.errors = errors;
        writes = new PlannedWrites(plans);
    }

    @Override
    public void onQuery(final QueryRequest request, final Exchange exchange)
    {
        serve(request, exchange, true);
    }

    @Override
    public void onPrepare(final PrepareRequest request, final Exchange exchange)
    {
        serve(request, exchange, false);
    }

    @Override
    public void onExecute(final ExecuteRequest request, final Exchange exchange)
    {
        serve(request, exchange, true);
    }

    @Override
    public void onBatch(final BatchRequest request, final Exchange exchange)
    {
        serve(request, exchange, true);
    }

    /** @param trackable true if Cassandra's read thresholds apply to this kind of request */
    private void serve(final Request request, final Exchange exchange, final boolean trackable)
    {
        Message.Response response;
        try
        {
            response = process(request, exchange, trackable);
            exchange.warnings(ClientWarn.instance.getWarnings());
        }
        catch (final Throwable t)
        {
            JVMStabilityInspector.inspectThrowable(t);
            if (trackable)
            {
                CoordinatorWarnings.done();
            }
            response = ErrorMessage.fromException(t, errors.handler(exchange.connection()));
            exchange.warnings(ClientWarn.instance.getWarnings());
        }
        finally
        {
            CoordinatorWarnings.reset();
            ClientWarn.instance.resetWarnings();
        }
        exchange.tracingId(CassandraInternals.tracingId(response));
        if (response.getCustomPayload() != null)
        {
            exchange.customPayload(payload(response.getCustomPayload()));
        }
        exchange.respond(bodies.of(InternalErrorText.hide(response)));
    }

    private Message.Response process(final Request request, final Exchange exchange, final boolean trackable)
    {
        final Dispatcher.RequestTime time = new Dispatcher.RequestTime(exchange.receivedNanos(),
            exchange.startedNanos());
        // The queue alone, as in Cassandra, which looks at a request only when it need not wait for anything else.
        ClientMetrics.instance.queueTime(exchange.startedNanos() - exchange.submittedNanos(), TimeUnit.NANOSECONDS);
        final ProtocolVersion version = exchange.version();
        if (version.isAtLeast(ProtocolVersion.V4))
        {
            ClientWarn.instance.captureWarnings();
        }
        if (trackable)
        {
            // Also where the client gets no warnings: it feeds metrics and the log.
            CoordinatorWarnings.init();
        }
        final ClientSession session = ClientSession.of(exchange.connection());
        session.countRequest();
        final QueryState state = new QueryState(session.state());
        final Message.Response planned = trackable ? writes.execute(request, version, state, time) : null;
        final Message.Response response = planned != null
            ? planned
            : executeMessage(request, exchange, session, state, time);
        if (trackable)
        {
            CoordinatorWarnings.done();
        }
        final PreparedId prepared = statements.observe(request, response);
        if (prepared != null)
        {
            writes.prepared(prepared);
        }
        return response;
    }

    private static Message.Response executeMessage(final Request request,
        final Exchange exchange,
        final ClientSession session,
        final QueryState state,
        final Dispatcher.RequestTime time)
    {
        final Message.Request message = RequestTranslator.translate(request, exchange.version());
        message.setStreamId(exchange.streamId());
        message.attach(session.connection());
        return message.execute(state, time);
    }

    private static Map<String, byte[]> payload(final Map<String, ByteBuffer> payload)
    {
        final Map<String, byte[]> copied = new HashMap<>();
        payload.forEach((key, value) -> copied.put(key, value == null ? null : ByteBufferUtil.getArray(value)));
        return copied;
    }
}
