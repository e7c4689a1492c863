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

/** One envelope that a client sent, what has to come of it, and what the engine is to do about it. */
final class Ask
{
    /** What the client may expect. */
    enum Kind
    {
        /** Served: its own result, or an error that has a reason. */
        GOOD,
        /** Wrong in itself: answered with {@link #errorCode}, and the connection goes on. */
        REFUSED,
        /** Answered with an error or not at all, then the connection ends. */
        FATAL,
        /** Never complete, or behind a fatal one: no answer may come. */
        VOID
    }

    /** How the engine goes about it. */
    enum Mode
    {
        ANSWER_NOW,
        ANSWER_LATER,
        ANSWER_BY_STAGE,
        ANSWER_TWICE,
        THROW,
        FAIL_WITH_CODE,
        FAIL_WITH_EXCEPTION,
        THROW_WHILE_ENCODING,
        NEVER
    }

    static final int STARTUP = 0x01;
    static final int OPTIONS = 0x05;
    static final int QUERY = 0x07;
    static final int PREPARE = 0x09;
    static final int EXECUTE = 0x0A;
    static final int REGISTER = 0x0B;
    static final int BATCH = 0x0D;
    static final int AUTH_RESPONSE = 0x0F;

    final SimClient client;
    final int nonce;
    final int stream;
    final int opcode;
    Kind kind;
    int errorCode;
    Mode mode = Mode.ANSWER_NOW;
    int answerBytes;
    boolean traced;
    boolean warned;
    boolean payload;
    /** Lengths of the values; -1 null, -2 unset. */
    int[] values = {};
    boolean namedValues;
    /** Place of its last byte in all that the client sends. */
    long endOffset = Long.MAX_VALUE;
    long askedNanos;
    int answers;
    int dispatches;
    int abandonedRuns;
    boolean watchesAbandonment;
    boolean completed;
    /** The version of the request was none: any may answer. */
    boolean anyVersion;

    Ask(final SimClient client, final int nonce, final int stream, final int opcode, final Kind kind)
    {
        this.client = client;
        this.nonce = nonce;
        this.stream = stream;
        this.opcode = opcode;
        this.kind = kind;
    }

    boolean isForNode()
    {
        return opcode == QUERY || opcode == PREPARE || opcode == EXECUTE || opcode == BATCH;
    }

    @Override
    public String toString()
    {
        return "ask{" + client.name() + " nonce " + nonce + " stream " + stream + " opcode " + opcode + ' ' + kind +
            ' ' + mode + " answer " + answerBytes + " end " + endOffset + " answers " + answers + " dispatched " +
            dispatches + '}';
    }
}
