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
package io.sluice.framing;

/**
 * The client broke the protocol, or asked for more than is allowed. The only exception that crosses this module.
 * <p>
 * It says what to answer, on which stream if that can be known, and whether the connection can go on. It has no stack
 * trace: a client can cause any number of them.
 */
public final class ProtocolException extends RuntimeException
{
    /** No stream id can be known: close, answer nothing that names one. */
    public static final int UNKNOWN_STREAM = Integer.MIN_VALUE;

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final int streamId;
    private final boolean fatal;
    private final boolean probe;

    private ProtocolException(final ErrorCode code,
        final int streamId,
        final boolean fatal,
        final boolean probe,
        final String message)
    {
        super(message, null, false, false);
        this.code = code;
        this.streamId = streamId;
        this.fatal = fatal;
        this.probe = probe;
    }

    /** The bytes that follow cannot be trusted: answer, then close. */
    public static ProtocolException fatal(final int streamId, final String message)
    {
        return new ProtocolException(ErrorCode.PROTOCOL_ERROR, streamId, true, false, message);
    }

    /** A driver asks for a version that only another server has: answer, then close, but nothing is wrong. */
    public static ProtocolException probe(final int streamId, final String message)
    {
        return new ProtocolException(ErrorCode.PROTOCOL_ERROR, streamId, true, true, message);
    }

    /** One bad request on a known stream; the next one can be read. */
    public static ProtocolException recoverable(final int streamId, final String message)
    {
        return new ProtocolException(ErrorCode.PROTOCOL_ERROR, streamId, false, false, message);
    }

    /** One bad request, from code that sees only its body: whoever holds the header adds the stream. */
    public static ProtocolException recoverable(final String message)
    {
        return new ProtocolException(ErrorCode.PROTOCOL_ERROR, UNKNOWN_STREAM, false, false, message);
    }

    /** One refused request with a code of its own; the next one can be read. */
    public static ProtocolException refused(final ErrorCode code, final int streamId, final String message)
    {
        return new ProtocolException(code, streamId, false, false, message);
    }

    /** The same exception on this stream, if it had none. */
    public ProtocolException onStream(final int newStreamId)
    {
        return streamId != UNKNOWN_STREAM
            ? this
            : new ProtocolException(code, newStreamId, fatal, probe, getMessage());
    }

    /** What to answer. */
    public ErrorCode code()
    {
        return code;
    }

    /** The request's stream, or {@link #UNKNOWN_STREAM}. */
    public int streamId()
    {
        return streamId;
    }

    /** True if the stream is known. */
    public boolean hasStreamId()
    {
        return streamId != UNKNOWN_STREAM;
    }

    /** True if the connection must be closed after the answer. */
    public boolean isFatal()
    {
        return fatal;
    }

    /** True if this is how drivers find out about versions, and no breach of the protocol to count or to log. */
    public boolean isProbe()
    {
        return probe;
    }
}
