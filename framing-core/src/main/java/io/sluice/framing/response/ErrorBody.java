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

import io.sluice.framing.Consistency;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import java.net.InetAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * ERROR: code, text and the tail that belongs to the code (native protocol, section 9). A code that a version does not
 * know is sent to it as the nearest one that it does.
 * <p>
 * The text is cut at a character boundary to what the wire, and the limit of the answer, leave room for: an error can
 * always be told. Immutable.
 */
public final class ErrorBody implements ResponseBody
{
    private static final ErrorDetail NO_REPLICAS = new ErrorDetail.Replicas(Consistency.ANY, 0, 0, Map.of(), "SIMPLE",
        0, false);
    private static final ErrorDetail NO_CAS_REPLICAS = new ErrorDetail.Replicas(Consistency.ANY, 0, 0, Map.of(),
        ErrorDetail.CAS, 0, false);
    private static final ErrorDetail NO_NODES = new ErrorDetail.Unavailable(Consistency.ANY, 0, 0);
    private static final ErrorDetail NO_FUNCTION = new ErrorDetail.Function("", "", List.of());
    private static final ErrorDetail NO_NAMES = new ErrorDetail.Existing("", "");
    private static final ErrorDetail NO_ID = new ErrorDetail.Unprepared(new byte[0]);

    private final ErrorCode code;
    private final String message;
    private final ErrorDetail detail;

    private ErrorBody(final ErrorCode code, final String message, final ErrorDetail detail)
    {
        this.code = Objects.requireNonNull(code, "code");
        this.message = message == null ? "" : message;
        this.detail = detail;
    }

    /**
     * An error without particulars. If the code's tail has fields, they say nothing: zeros, empty names.
     *
     * @param message for people; null is empty
     */
    public static ErrorBody of(final ErrorCode code, final String message)
    {
        return new ErrorBody(code, message, blank(code));
    }

    /** What a client is told that broke the protocol. */
    public static ErrorBody of(final ProtocolException exception)
    {
        return of(exception.code(), exception.getMessage());
    }

    private static Map<InetAddress, Integer> copy(final Map<InetAddress, Integer> reasons)
    {
        return Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
    }

    private static ErrorDetail blank(final ErrorCode code)
    {
        return switch (code)
        {
            case UNAVAILABLE -> NO_NODES;
            case WRITE_TIMEOUT, READ_TIMEOUT, READ_FAILURE, WRITE_FAILURE -> NO_REPLICAS;
            case CAS_WRITE_UNKNOWN -> NO_CAS_REPLICAS;
            case FUNCTION_FAILURE -> NO_FUNCTION;
            case ALREADY_EXISTS -> NO_NAMES;
            case UNPREPARED -> NO_ID;
            default -> null;
        };
    }

    /** UNAVAILABLE. */
    public static ErrorBody unavailable(final String message,
        final Consistency consistency,
        final int required,
        final int alive)
    {
        Objects.requireNonNull(consistency, "consistency");
        return new ErrorBody(ErrorCode.UNAVAILABLE, message,
            new ErrorDetail.Unavailable(consistency, required, alive));
    }

    /**
     * WRITE_TIMEOUT.
     *
     * @param writeType SIMPLE, BATCH, UNLOGGED_BATCH, COUNTER, BATCH_LOG, CAS, VIEW or CDC
     * @param contentions of a conditional write (CAS), as version 5 is told; else 0
     */
    public static ErrorBody writeTimeout(final String message,
        final Consistency consistency,
        final int received,
        final int blockFor,
        final String writeType,
        final int contentions)
    {
        return new ErrorBody(ErrorCode.WRITE_TIMEOUT, message,
            new ErrorDetail.Replicas(consistency, received, blockFor, Map.of(), writeType, contentions, false));
    }

    /** READ_TIMEOUT. */
    public static ErrorBody readTimeout(final String message,
        final Consistency consistency,
        final int received,
        final int blockFor,
        final boolean dataPresent)
    {
        return new ErrorBody(ErrorCode.READ_TIMEOUT, message,
            new ErrorDetail.Replicas(consistency, received, blockFor, Map.of(), "SIMPLE", 0, dataPresent));
    }

    /**
     * READ_FAILURE; to version 3 a READ_TIMEOUT.
     *
     * @param reasons why each replica failed, 0..65,535; version 4 is told only how many
     */
    public static ErrorBody readFailure(final String message,
        final Consistency consistency,
        final int received,
        final int blockFor,
        final Map<InetAddress, Integer> reasons,
        final boolean dataPresent)
    {
        return new ErrorBody(ErrorCode.READ_FAILURE, message,
            new ErrorDetail.Replicas(consistency, received, blockFor, copy(reasons), "SIMPLE", 0, dataPresent));
    }

    /**
     * WRITE_FAILURE; to version 3 a WRITE_TIMEOUT.
     *
     * @param reasons why each replica failed, 0..65,535; version 4 is told only how many
     * @param writeType as for {@link #writeTimeout}
     */
    public static ErrorBody writeFailure(final String message,
        final Consistency consistency,
        final int received,
        final int blockFor,
        final Map<InetAddress, Integer> reasons,
        final String writeType)
    {
        return new ErrorBody(ErrorCode.WRITE_FAILURE, message,
            new ErrorDetail.Replicas(consistency, received, blockFor, copy(reasons), writeType, 0, false));
    }

    /** FUNCTION_FAILURE; to version 3 an INVALID. */
    public static ErrorBody functionFailure(final String message,
        final String keyspace,
        final String name,
        final List<String> argumentTypes)
    {
        return new ErrorBody(ErrorCode.FUNCTION_FAILURE, message,
            new ErrorDetail.Function(keyspace, name, List.copyOf(argumentTypes)));
    }

    /**
     * ALREADY_EXISTS.
     *
     * @param table empty if it is the keyspace that exists
     */
    public static ErrorBody alreadyExists(final String message, final String keyspace, final String table)
    {
        return new ErrorBody(ErrorCode.ALREADY_EXISTS, message, new ErrorDetail.Existing(keyspace, table));
    }

    /**
     * UNPREPARED: drivers prepare the statement again when they see the id.
     *
     * @param id as the client sent it; not copied
     */
    public static ErrorBody unprepared(final String message, final byte[] id)
    {
        return new ErrorBody(ErrorCode.UNPREPARED, message, new ErrorDetail.Unprepared(id));
    }

    /** CAS_WRITE_UNKNOWN; to versions 3 and 4 a WRITE_TIMEOUT of a conditional write. */
    public static ErrorBody casWriteUnknown(final String message,
        final Consistency consistency,
        final int received,
        final int blockFor)
    {
        return new ErrorBody(ErrorCode.CAS_WRITE_UNKNOWN, message,
            new ErrorDetail.Replicas(consistency, received, blockFor, Map.of(), ErrorDetail.CAS, 0, false));
    }

    /** The error's own code. */
    public ErrorCode code()
    {
        return code;
    }

    @Override
    public ErrorCode errorCode()
    {
        return code;
    }

    /** For people; whole. */
    public String message()
    {
        return message;
    }

    /** What clients of this version are told. */
    public ErrorCode codeFor(final ProtocolVersion version)
    {
        if (code == ErrorCode.CAS_WRITE_UNKNOWN)
        {
            return version.isAtLeast(ProtocolVersion.V5) ? code : ErrorCode.WRITE_TIMEOUT;
        }
        if (version != ProtocolVersion.V3)
        {
            return code;
        }
        return switch (code)
        {
            case READ_FAILURE -> ErrorCode.READ_TIMEOUT;
            case WRITE_FAILURE -> ErrorCode.WRITE_TIMEOUT;
            case FUNCTION_FAILURE, CDC_WRITE_FAILURE -> ErrorCode.INVALID;
            default -> code;
        };
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.ERROR;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        final int text = Math.min(message.length(), BodyWriter.MAX_STRING_BYTES);
        return Integer.BYTES + Short.BYTES + text + (detail == null ? 0 : detail.lengthHint());
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        final ErrorCode sent = codeFor(version);
        final ErrorDetail tail = sent == ErrorCode.INVALID ? null : detail;
        final int others = Integer.BYTES + Short.BYTES + (tail == null ? 0 : tail.lengthHint());
        final int room = Math.max(0, out.bytesLeft() - others);
        out.putInt(sent.code());
        out.putString(message, Math.min(room, BodyWriter.MAX_STRING_BYTES));
        if (tail != null)
        {
            tail.encode(out, sent, version);
        }
    }
}
