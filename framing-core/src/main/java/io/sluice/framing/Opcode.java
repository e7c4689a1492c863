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

/** What an envelope is (native protocol, section 2.4). Immutable. */
public enum Opcode
{
    /** Response: the request failed. */
    ERROR(0x00, false),
    /** Request: opens the connection. */
    STARTUP(0x01, true),
    /** Response: the connection is open for requests. */
    READY(0x02, false),
    /** Response: the client has to authenticate. */
    AUTHENTICATE(0x03, false),
    /** Request: asks for {@link #SUPPORTED}. */
    OPTIONS(0x05, true),
    /** Response: what the server speaks. */
    SUPPORTED(0x06, false),
    /** Request: a statement as text. */
    QUERY(0x07, true),
    /** Response: void, rows, keyspace, prepared statement or schema change. */
    RESULT(0x08, false),
    /** Request: prepares a statement. */
    PREPARE(0x09, true),
    /** Request: executes a prepared statement. */
    EXECUTE(0x0A, true),
    /** Request: asks for events. */
    REGISTER(0x0B, true),
    /** Pushed by the server, on stream -1. */
    EVENT(0x0C, false),
    /** Request: several statements at once. */
    BATCH(0x0D, true),
    /** Response: the SASL exchange goes on. */
    AUTH_CHALLENGE(0x0E, false),
    /** Request: a SASL token. */
    AUTH_RESPONSE(0x0F, true),
    /** Response: the SASL exchange has succeeded. */
    AUTH_SUCCESS(0x10, false);

    /** One more than the largest code: the length of arrays indexed by code. */
    public static final int CODE_LIMIT = 0x11;

    private static final Opcode[] BY_CODE = new Opcode[CODE_LIMIT];
    static
    {
        for (final Opcode opcode : values())
        {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final boolean request;

    Opcode(final int code, final boolean request)
    {
        this.code = code;
        this.request = request;
    }

    /** The opcode with this code, or null: 0x04 (CREDENTIALS of version 1) and everything above 0x10 have none. */
    public static Opcode of(final int code)
    {
        return code >= 0 && code < CODE_LIMIT ? BY_CODE[code] : null;
    }

    /** As in the header. */
    public int code()
    {
        return code;
    }

    /** True for what clients send. */
    public boolean isRequest()
    {
        return request;
    }
}
