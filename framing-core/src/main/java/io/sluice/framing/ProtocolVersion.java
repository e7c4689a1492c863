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

/** The versions that are spoken, oldest first. Immutable. */
public enum ProtocolVersion
{
    /** Envelopes back to back; negative value lengths are all null. */
    V3(3, "3/v3"),
    /** Adds unset values, custom payloads and warnings. */
    V4(4, "4/v4"),
    /** Envelopes in segments with checksums. */
    V5(5, "5/v5"),
    /** As version 5; only for clients that set {@link EnvelopeFlags#USE_BETA}. */
    V6(6, "6/v6-beta");

    private static final ProtocolVersion[] BY_NUMBER = {null, null, null, V3, V4, V5, V6};

    private final int number;
    private final String text;

    ProtocolVersion(final int number, final String text)
    {
        this.number = number;
        this.text = text;
    }

    /** The version with this number in the low seven bits of a header, or null if it is not spoken. */
    public static ProtocolVersion of(final int number)
    {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /** As in the low seven bits of an envelope header. */
    public int number()
    {
        return number;
    }

    /** As in SUPPORTED, for instance {@code 5/v5}. */
    public String text()
    {
        return text;
    }

    /** True from version 5 on: after the handshake all bytes are in segments. */
    public boolean usesSegments()
    {
        return number >= 5;
    }

    /** True if this version is the other one or came after it. */
    public boolean isAtLeast(final ProtocolVersion other)
    {
        return number >= other.number;
    }

    /** True if it must be asked for with {@link EnvelopeFlags#USE_BETA}. */
    public boolean isBeta()
    {
        return this == V6;
    }
}
