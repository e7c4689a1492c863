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
package io.sluice.transport.testkit;

import io.sluice.framing.Opcode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An envelope as a client sees it.
 *
 * @param version the low seven bits of the first byte
 * @param body may be shared; not to be changed
 */
public record WireEnvelope(int version, int flags, int streamId, int opcode, byte[] body)
{

    private static final int CODE_BYTES = 4;

    /** What it is, or null. */
    public Opcode type()
    {
        return Opcode.of(opcode);
    }

    /** True if it is an ERROR with this code. */
    public boolean isError(final int code)
    {
        return type() == Opcode.ERROR && errorCode() == code;
    }

    /** The code of an ERROR. */
    public int errorCode()
    {
        return intAt(0);
    }

    /** The text of an ERROR. */
    public String errorMessage()
    {
        final int length = (body[CODE_BYTES] & 0xFF) << 8 | body[CODE_BYTES + 1] & 0xFF;
        return new String(body, CODE_BYTES + 2, length, StandardCharsets.UTF_8);
    }

    /** A big-endian int of the body. */
    public int intAt(final int offset)
    {
        return (body[offset] & 0xFF) << 24 | (body[offset + 1] & 0xFF) << 16 | (body[offset + 2] & 0xFF) << 8 |
            body[offset + 3] & 0xFF;
    }

    /** The same with another body. */
    WireEnvelope withBody(final byte... newBody)
    {
        return new WireEnvelope(version, flags, streamId, opcode, newBody);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof WireEnvelope that && version == that.version && flags == that.flags &&
            streamId == that.streamId && opcode == that.opcode && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode()
    {
        return 31 * streamId + Arrays.hashCode(body);
    }

    @Override
    public String toString()
    {
        return "v" + version + " flags " + Integer.toHexString(flags) + " stream " + streamId + " " +
            (type() == null ? "opcode " + opcode : type()) + (type() == Opcode.ERROR
                ? " " + Integer.toHexString(errorCode()) + " " + errorMessage()
                : " " + body.length + " bytes");
    }
}
