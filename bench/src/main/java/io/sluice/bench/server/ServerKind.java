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
package io.sluice.bench.server;

/** What a server is made of. Immutable. */
public enum ServerKind
{
    /** Sluice in front of a null engine, requests on an executor. */
    SLUICE("Sluice", false, false),
    /** The same, a task of the executor for each request, which a node does not do. */
    SLUICE_SINGLE("Sluice, a task each", false, false),
    /** The same as the first, with no listener: nobody counts anything. */
    SLUICE_BARE("Sluice, no metrics", false, false),
    /** The same, requests where they are read. */
    SLUICE_INLINE("Sluice, inline", false, false),
    /** The transport of Cassandra 5.0.8 in front of a null engine. */
    STOCK("stock 5.0.8", false, false),
    /** The transport of Cassandra 6.0-alpha2 in front of a null engine. */
    STOCK_6("stock 6.0-alpha2", false, true),
    /** A Cassandra 5.0.8 node served by Sluice. */
    SLUICE_NODE("Sluice node", true, false),
    /** The same node at times when no answer waits for others. */
    SLUICE_NODE_EAGER("Sluice node, coalescing off", true, false),
    /** A Cassandra 5.0.8 node as it comes. */
    STOCK_NODE("stock 5.0.8 node", true, false),
    /** A Cassandra 6.0-alpha2 node as it comes. */
    STOCK_6_NODE("stock 6.0-alpha2 node", true, true);

    private final String text;
    private final boolean node;
    private final boolean sixth;

    ServerKind(final String text, final boolean node, final boolean sixth)
    {
        this.text = text;
        this.node = node;
        this.sixth = sixth;
    }

    /** True for a real node, false for a null engine. */
    public boolean isNode()
    {
        return node;
    }

    /** True if it runs the classes of Cassandra 6.0-alpha2. */
    public boolean isSixth()
    {
        return sixth;
    }

    /** True if it is ours. */
    public boolean isSluice()
    {
        return this != STOCK && this != STOCK_6 && this != STOCK_NODE && this != STOCK_6_NODE;
    }

    /** For tables. */
    @Override
    public String toString()
    {
        return text;
    }
}
