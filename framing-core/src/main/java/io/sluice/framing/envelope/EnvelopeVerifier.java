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
package io.sluice.framing.envelope;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;

/**
 * Says what is wrong with an envelope header. Until STARTUP has fixed the version, each supported one is right for
 * each envelope. Confined to the connection's event loop.
 */
final class EnvelopeVerifier
{
    /** Only versions 1 and 2: the header has eight bytes and the stream id one. */
    private static final int LAST_LEGACY_VERSION = 2;
    /** Opcode of version 1, for which stock nodes have a text of its own. */
    private static final int CREDENTIALS = 0x04;
    private static final int DSE_V1 = 65;
    private static final int DSE_V2 = 66;

    private ProtocolVersion fixed;

    void fixVersion(final ProtocolVersion version)
    {
        fixed = version;
    }

    /** True if this first byte starts a header of {@link EnvelopeHeader#LEGACY_LENGTH} bytes. */
    static boolean isLegacy(final int versionByte)
    {
        final int version = versionByte & ~EnvelopeHeader.RESPONSE_BIT & 0xFF;
        return version != 0 && version <= LAST_LEGACY_VERSION;
    }

    /** The version whose header an answer to this envelope must have: 1 and 2 for themselves. */
    int answerVersion(final EnvelopeHeader header)
    {
        if (fixed != null)
        {
            return fixed.number();
        }
        final int version = header.version();
        return isLegacy(version) || ProtocolVersion.of(version) != null ? version : ProtocolVersion.V5.number();
    }

    /**
     * Null if nothing is wrong. Lengths come before all that can be recovered from, since going on means skipping the
     * body.
     *
     * @param longestBody in bytes
     * @param inSegments true if the bytes in front of this header have been checked, so that a version with another
     * header can only be a broken client
     */
    ProtocolException verify(final EnvelopeHeader header, final long longestBody, final boolean inSegments)
    {
        final ProtocolVersion version = ProtocolVersion.of(header.version());
        if (version == null && (fixed == null || isLegacy(header.version())))
        {
            final int streamId = inSegments && isLegacy(header.version())
                ? ProtocolException.UNKNOWN_STREAM
                : header.streamId();
            final String message = unsupported(header.version());
            return isDse(header.version())
                ? ProtocolException.probe(streamId, message)
                : ProtocolException.fatal(streamId, message);
        }
        if (header.bodyLength() < 0 || header.bodyLength() > longestBody)
        {
            return ProtocolException.fatal(
                header.streamId(),
                "body length: " + header.bodyLength() + " (expected: 0.." + longestBody + ")");
        }
        return verifyContent(header, version);
    }

    /** Drivers that know DataStax Enterprise try its versions first. */
    private static boolean isDse(final int version)
    {
        return version == DSE_V1 || version == DSE_V2;
    }

    private ProtocolException verifyContent(final EnvelopeHeader header, final ProtocolVersion version)
    {
        final Opcode opcode = Opcode.of(header.opcode());
        if (version == fixed || fixed == null)
        {
            if (version.isBeta() && !header.hasFlag(EnvelopeFlags.USE_BETA))
            {
                return recoverable(
                    header,
                    "Beta version of the protocol used (" + version.text() + "), but USE_BETA flag is unset");
            }
            return opcode != null && opcode.isRequest() && !header.isResponse()
                ? null
                : recoverable(header, wrongOpcode(header, opcode));
        }
        return recoverable(
            header,
            "Invalid message version. Got " + (version == null ? header.version() : version.text()) +
                " but previous messages on this connection had version " + fixed.text());
    }

    private static String wrongOpcode(final EnvelopeHeader header, final Opcode opcode)
    {
        if (opcode != null)
        {
            return "Wrong protocol direction (expected " + direction(!opcode.isRequest()) + ", got " +
                direction(header.isResponse()) + ") for opcode " + opcode.code() + " (" + opcode + ")";
        }
        return header.opcode() == CREDENTIALS ? "Unsupported message" : "Unknown opcode " + header.opcode();
    }

    private static String direction(final boolean response)
    {
        return response ? "RESPONSE" : "REQUEST";
    }

    private static ProtocolException recoverable(final EnvelopeHeader header, final String message)
    {
        return ProtocolException.recoverable(header.streamId(), message);
    }

    /** Drivers find the supported versions in this text. */
    static String unsupported(final int version)
    {
        final StringBuilder text = new StringBuilder(128);
        text.append("Invalid or unsupported protocol version (").append(version).append("); supported versions are (");
        String separator = "";
        for (final ProtocolVersion supported : ProtocolVersion.values())
        {
            text.append(separator).append(supported.text());
            separator = ", ";
        }
        return text.append(')').toString();
    }
}
