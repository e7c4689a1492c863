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
package io.sluice.conformance;

/** Opcodes as they stand on the wire. */
final class Opcode
{
    static final int ERROR = 0x00;
    static final int STARTUP = 0x01;
    static final int READY = 0x02;
    static final int AUTHENTICATE = 0x03;
    static final int CREDENTIALS = 0x04;
    static final int OPTIONS = 0x05;
    static final int SUPPORTED = 0x06;
    static final int QUERY = 0x07;
    static final int RESULT = 0x08;
    static final int PREPARE = 0x09;
    static final int EXECUTE = 0x0a;
    static final int REGISTER = 0x0b;
    static final int EVENT = 0x0c;
    static final int BATCH = 0x0d;
    static final int AUTH_CHALLENGE = 0x0e;
    static final int AUTH_RESPONSE = 0x0f;
    static final int AUTH_SUCCESS = 0x10;

    private Opcode()
    {
    }

    static boolean isRequest(final int opcode)
    {
        return switch (opcode)
        {
            case STARTUP, OPTIONS, QUERY, PREPARE, EXECUTE, REGISTER, BATCH, AUTH_RESPONSE -> true;
            default -> false;
        };
    }
}
