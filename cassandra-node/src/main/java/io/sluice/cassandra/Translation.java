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

import io.sluice.framing.Consistency;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.transport.Message;

/** The protocol's vocabulary in Cassandra's own enums, by table. Immutable, any thread. */
final class Translation
{
    private static final org.apache.cassandra.transport.ProtocolVersion[] VERSIONS = versions();
    private static final ConsistencyLevel[] LEVELS = levels();
    private static final Opcode[] OPCODES = opcodes();

    private Translation()
    {
    }

    private static org.apache.cassandra.transport.ProtocolVersion[] versions()
    {
        final ProtocolVersion[] ours = ProtocolVersion.values();
        final var theirs = new org.apache.cassandra.transport.ProtocolVersion[ours.length];
        for (final ProtocolVersion version : ours)
        {
            theirs[version.ordinal()] = org.apache.cassandra.transport.ProtocolVersion.decode(version.number(), true);
        }
        return theirs;
    }

    private static ConsistencyLevel[] levels()
    {
        final Consistency[] ours = Consistency.values();
        final ConsistencyLevel[] theirs = new ConsistencyLevel[ours.length];
        for (final Consistency level : ours)
        {
            theirs[level.ordinal()] = ConsistencyLevel.fromCode(level.code());
        }
        return theirs;
    }

    private static Opcode[] opcodes()
    {
        final Message.Type[] theirs = Message.Type.values();
        final Opcode[] ours = new Opcode[theirs.length];
        for (final Message.Type type : theirs)
        {
            ours[type.ordinal()] = Opcode.of(type.opcode);
        }
        return ours;
    }

    static org.apache.cassandra.transport.ProtocolVersion version(final ProtocolVersion version)
    {
        return VERSIONS[version.ordinal()];
    }

    static ConsistencyLevel consistency(final Consistency level)
    {
        return LEVELS[level.ordinal()];
    }

    /** Never null for a response. */
    static Opcode opcode(final Message.Type type)
    {
        return OPCODES[type.ordinal()];
    }
}
