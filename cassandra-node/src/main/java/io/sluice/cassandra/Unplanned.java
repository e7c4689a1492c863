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
package io.sluice.cassandra;

/** Why a statement of a request took the ordinary road instead of a {@link WritePlan}. */
enum Unplanned
{
    /** A SELECT, say: counted in a batch alone, where Cassandra refuses it. */
    NOT_A_WRITE("no INSERT, UPDATE or DELETE"),
    /** One text, of which nothing is known but how many statements it has. */
    PREPARED_BATCH("a BATCH that was prepared as one"),
    /** IF. */
    CONDITIONAL("conditional"),
    /** Counters are not cells. */
    COUNTER("a counter table"),
    /** Cassandra's own tables, virtual ones and views. */
    SYSTEM_TABLE("a system or virtual table, or a view"),
    /** COMPACT STORAGE has rules of its own. */
    COMPACT_TABLE("a compact table"),
    /** Foreign code looks at the mutation. */
    TRIGGERS("a table with triggers"),
    /** A table of the keyspace has a view: more permissions are asked for, and the write reads. */
    VIEWS("a keyspace with materialized views"),
    /** A static row of its own. */
    STATIC_COLUMNS("static columns"),
    /** Anything but {@code column = value}. */
    OPERATION("an operation other than setting or deleting a column"),
    /** A value that is computed, or of a type that is made of others. */
    VALUE("a value that is not a plain one"),
    /** IN, ranges, tuples, tokens. */
    RESTRICTION("a WHERE clause other than column = value for the whole key"),
    /** Nothing is bound. */
    NO_MARKERS("no bind markers"),

    /** An operator did that. */
    SWITCHED_OFF("plans are switched off"),
    /** Foreign code sees the values. */
    QUERY_HANDLER("a custom query handler"),
    /** Foreign code says what is too large, client by client. */
    OWN_LIMITS("a custom provider of guardrails"),
    /** Audit and full-query log, for two. */
    LISTENERS("query-event listeners"),
    /** The trace tells the values. */
    TRACED("traced"),
    /** For a query handler, if anybody. */
    PAYLOAD("a custom payload"),
    /** Not prepared, or not yet known to be. */
    UNKNOWN_ID("an id that is not known yet"),
    /** A client is told, or an error made of it. */
    KEYSPACE("prepared in another keyspace than the connection's"),
    /** Wrong ones, and some that are right but strange. */
    BOUND_VALUES("values that Cassandra itself must judge"),
    /** NODE_LOCAL, or a page size of 0. */
    OPTIONS("options that no write needs"),
    /** Cassandra looks at each replica's disk. */
    FULL_DISKS("nodes with full disks"),
    /** It has a part that decides about the whole. */
    BATCH("a batch with counters, conditions or a table without gc grace"),
    /** Text in a batch. */
    TEXT("a statement that is not prepared"),
    /** Nobody thought of it: better one write that costs more than one that fails. */
    FAILURE("an unexpected failure on the way to the plan, which the log tells");

    private final String description;

    Unplanned(final String description)
    {
        this.description = description;
    }

    /** For operators. */
    String description()
    {
        return description;
    }
}
