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
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsWriter;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A request that is answered on the event loop before the handler returns, once. One object serves all requests of a
 * loop: it must not be kept. Confined to the event loop that calls the handler.
 */
public interface InlineExchange
{
    /** What the connection speaks. */
    ProtocolVersion version();

    /** The client's stream. */
    int streamId();

    /** Who asks. */
    ClientConnection connection();

    /** When the last byte of the request was read, on the transport's nano clock. */
    long receivedNanos();

    /** The answer starts with this tracing id. */
    void tracingId(UUID tracingId);

    /** The answer carries these warnings; dropped for version 3. */
    void warnings(List<String> warnings);

    /** The answer carries this payload; dropped for version 3. */
    void customPayload(Map<String, byte[]> payload);

    /**
     * Answers. Of bodies that are their own {@link ResponseBody#fixed} form, nothing is allocated.
     *
     * @throws IllegalStateException if the request was answered before, or the handler has returned
     */
    void respond(ResponseBody body);

    /**
     * Answers with rows that are written straight to where they are sent from, with nothing allocated. The answer is
     * given by {@link RowsWriter#commit}. Closing the writer before that throws the rows away: another answer may still
     * be given, else it is SERVER_ERROR.
     *
     * @return borrowed until it is committed or closed; the same object each time
     * @throws IllegalStateException if the request was answered before, or the handler has returned
     */
    RowsWriter respondRows(RowsMetadata metadata);

    /** Answers with an error. */
    void fail(ErrorCode code, String message);

    /** Answers with what a protocol exception says, or SERVER_ERROR without the exception's text for all others. */
    void fail(Throwable error);
}
