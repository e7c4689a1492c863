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
package io.sluice.transport.sim;

import java.util.List;
import java.util.Map;

/** One envelope from the server, taken apart as far as every kind of answer is alike. */
final class Answer
{
    static final int ERROR = 0x00;
    static final int READY = 0x02;
    static final int AUTHENTICATE = 0x03;
    static final int SUPPORTED = 0x06;
    static final int RESULT = 0x08;
    static final int EVENT = 0x0C;
    static final int AUTH_CHALLENGE = 0x0E;
    static final int AUTH_SUCCESS = 0x10;

    int version;
    int flags;
    int stream;
    int opcode;
    byte[] body;
    long tracingId;
    boolean traced;
    List<String> warnings;
    Map<String, byte[]> customPayload;
    boolean inSegment;

    /** Of an ERROR. */
    int errorCode()
    {
        return new AnswerBody(body).intOf();
    }

    String errorText()
    {
        final AnswerBody reader = new AnswerBody(body);
        reader.intOf();
        return reader.string();
    }

    @Override
    public String toString()
    {
        return "answer{v" + version + " flags " + flags + " stream " + stream + " opcode " + opcode + " body " +
            body.length + (opcode == ERROR && version > 2
                ? " " + Integer.toHexString(errorCode()) + ' ' + errorText()
                : "") +
            '}';
    }
}
