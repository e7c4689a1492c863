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
package io.sluice.framing.request;

import io.sluice.framing.Opcode;
import java.util.Map;

/**
 * Several statements at once. Entry {@code i} is text ({@code query(i)}) or prepared ({@code statementId(i)}).
 *
 * @param type what it promises
 * @param statements a String or a {@link StatementId} each; owned by the request
 * @param values the cells of each statement; owned by the request
 * @param parameters consistency and so on; its own values stay unused
 */
public record BatchRequest(
    int flags,
    Map<String, byte[]> customPayload,
    Type type,
    Object[] statements,
    byte[][][] values,
    QueryParameters parameters) implements Request
{
    /** The ordinal is the code on the wire. */
    public enum Type
    {
        /** All or nothing, through the batch log. */
        LOGGED,
        /** No promise. */
        UNLOGGED,
        /** Counters. */
        COUNTER
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.BATCH;
    }

    /** How many statements. */
    public int size()
    {
        return statements.length;
    }

    /** The text of a statement, or null if it is prepared. */
    public String query(final int index)
    {
        return statements[index] instanceof String ? (String)statements[index] : null;
    }

    /** The id of a statement, or null if it is text. */
    public StatementId statementId(final int index)
    {
        return statements[index] instanceof StatementId ? (StatementId)statements[index] : null;
    }
}
