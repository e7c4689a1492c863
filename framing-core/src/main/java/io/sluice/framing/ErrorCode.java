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

/** Why a request failed (native protocol, section 9). Immutable. */
public enum ErrorCode
{
    /** Something unforeseen in the server. */
    SERVER_ERROR(0x0000),
    /** The client broke the protocol. */
    PROTOCOL_ERROR(0x000A),
    /** Wrong credentials. */
    BAD_CREDENTIALS(0x0100),
    /** Not enough replicas are alive. */
    UNAVAILABLE(0x1000),
    /** Shed: the server has more to do than it can. */
    OVERLOADED(0x1001),
    /** The node is still joining. */
    IS_BOOTSTRAPPING(0x1002),
    /** A truncation failed. */
    TRUNCATE_ERROR(0x1003),
    /** Replicas did not confirm a write in time. */
    WRITE_TIMEOUT(0x1100),
    /** Replicas did not answer a read in time. */
    READ_TIMEOUT(0x1200),
    /** Replicas failed a read. From version 4; earlier {@link #READ_TIMEOUT}. */
    READ_FAILURE(0x1300),
    /** A user-defined function failed. From version 4; earlier {@link #INVALID}. */
    FUNCTION_FAILURE(0x1400),
    /** Replicas failed a write. From version 4; earlier {@link #WRITE_TIMEOUT}. */
    WRITE_FAILURE(0x1500),
    /** The change data capture space is full. From version 4; earlier {@link #INVALID}. */
    CDC_WRITE_FAILURE(0x1600),
    /** It is not known whether a conditional write was applied. From version 5; earlier {@link #WRITE_TIMEOUT}. */
    CAS_WRITE_UNKNOWN(0x1700),
    /** The statement does not parse. */
    SYNTAX_ERROR(0x2000),
    /** The user may not do this. */
    UNAUTHORIZED(0x2100),
    /** The statement is well-formed and wrong. */
    INVALID(0x2200),
    /** The configuration forbids it. */
    CONFIG_ERROR(0x2300),
    /** The keyspace or table is there already. */
    ALREADY_EXISTS(0x2400),
    /** The prepared statement is not known (any more). */
    UNPREPARED(0x2500);

    private final int code;

    ErrorCode(final int code)
    {
        this.code = code;
    }

    /** As on the wire. */
    public int code()
    {
        return code;
    }

    /** The error with this code, or null. */
    public static ErrorCode of(final int code)
    {
        for (final ErrorCode error : values())
        {
            if (error.code == code)
            {
                return error;
            }
        }
        return null;
    }
}
