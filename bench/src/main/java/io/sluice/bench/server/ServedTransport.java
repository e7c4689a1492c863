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

/** Which transport a server command serves, as on the command line. Immutable. */
public enum ServedTransport
{
    /** Sluice, requests on an executor. */
    SLUICE("sluice"),
    /** Sluice, a task of the executor for each request. */
    SLUICE_SINGLE("sluice-single"),
    /** Sluice, requests on an executor, without figures. */
    SLUICE_BARE("sluice-bare"),
    /** Sluice, requests where they are read. */
    SLUICE_INLINE("sluice-inline"),
    /** The transport of the Cassandra that is on the class path. */
    STOCK("stock");

    private final String text;

    ServedTransport(final String text)
    {
        this.text = text;
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return text;
    }
}
