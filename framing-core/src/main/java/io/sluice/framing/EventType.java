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

/** What the server can push to clients that asked for it (native protocol, section 4.2.6). Immutable. */
public enum EventType
{
    /** A node came, went or moved. */
    TOPOLOGY_CHANGE(ProtocolVersion.V3),
    /** A node went up or down. */
    STATUS_CHANGE(ProtocolVersion.V3),
    /** A keyspace, table, type, function or aggregate changed. */
    SCHEMA_CHANGE(ProtocolVersion.V3),
    /** A trace is complete: may be asked for from version 4 on, never happens. */
    TRACE_COMPLETE(ProtocolVersion.V4);

    private static final EventType[] ALL = values();

    private final ProtocolVersion since;

    EventType(final ProtocolVersion since)
    {
        this.since = since;
    }

    /** The type of this upper-case name, or null if the version has none. */
    public static EventType of(final String name, final ProtocolVersion version)
    {
        for (final EventType type : ALL)
        {
            if (type.name().equals(name) && version.isAtLeast(type.since))
            {
                return type;
            }
        }
        return null;
    }
}
