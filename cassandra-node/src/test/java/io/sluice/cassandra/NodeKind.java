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

import java.util.Locale;

/** The nodes that the integration tests run against: one per forked JVM, named by a system property of the build. */
public enum NodeKind
{
    /** Neither login nor TLS. */
    OPEN,
    /** Login, TLS on request, and a query handler that mirrors custom payloads. */
    SECURED("--auth", "--tls", "optional"),
    /** TLS or nothing. */
    TLS_REQUIRED("--tls", "required"),
    /** A configuration of its own: a second port that asks clients for certificates, and logs them in by them. */
    MUTUAL;

    private final String options;

    NodeKind(final String... options)
    {
        this.options = String.join(" ", options);
    }

    /** Of this JVM. */
    static NodeKind ofThisJvm()
    {
        return valueOf(System.getProperty("sluice.it.node", "open").toUpperCase(Locale.ROOT));
    }

    String[] options()
    {
        return options.isEmpty() ? new String[0] : options.split(" ");
    }
}
