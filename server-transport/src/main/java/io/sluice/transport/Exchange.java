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
import io.sluice.framing.request.Request;
import io.sluice.framing.response.ResponseBody;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * One request that waits for its answer.
 * <p>
 * It is completed exactly once, from any thread, by one of {@link #respond}, {@link #fail(ErrorCode, String)},
 * {@link #fail(Throwable)} or {@link #respondWhen}; a second completion throws IllegalStateException. If the client
 * leaves first, {@link #onAbandoned} runs and later completion is ignored. The setters before completion are for one
 * thread at a time.
 */
public interface Exchange
{
    /** The request. */
    Request request();

    /** What the connection speaks. */
    ProtocolVersion version();

    /** The client's stream. */
    int streamId();

    /** Who asks. */
    ClientConnection connection();

    /** When the last byte of the request was read, on the transport's nano clock. */
    long receivedNanos();

    /**
     * When it was given to the request executor for good, on the transport's nano clock: when it was received, unless
     * it had to wait for the rate, for room or for its client to read first. Until {@link #startedNanos} it waited for
     * a thread and for nothing else.
     */
    default long submittedNanos()
    {
        return receivedNanos();
    }

    /** When the request executor took it up, on the transport's nano clock. */
    long startedNanos();

    /** The answer starts with this tracing id. */
    void tracingId(UUID tracingId);

    /** The answer carries these warnings; dropped for version 3. */
    void warnings(List<String> warnings);

    /** The answer carries this payload; dropped for version 3. */
    void customPayload(Map<String, byte[]> payload);

    /** Encodes the answer on this thread and hands it to the connection's event loop. */
    void respond(ResponseBody body);

    /** Answers when the stage completes, with its body or with what it failed with. */
    void respondWhen(CompletionStage<? extends ResponseBody> stage);

    /** Answers with an error. */
    void fail(ErrorCode code, String message);

    /** Answers with what a protocol exception says, or SERVER_ERROR without the exception's text for all others. */
    void fail(Throwable error);

    /** True if the client has left: nothing will be sent. */
    boolean isAbandoned();

    /** Runs once, on the event loop, if the client leaves before the answer; at once if it has left already. */
    void onAbandoned(Runnable action);
}
