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
package io.sluice.framing.response;

import io.sluice.framing.ProtocolVersion;
import java.util.List;
import java.util.Objects;

/**
 * What changed in the schema: part of a result and of an event. Immutable.
 *
 * @param name of the table, type, function or aggregate; null for a keyspace
 * @param argumentTypes of a function or aggregate, not copied; else null
 */
public record SchemaChange(Change change, Target target, String keyspace, String name, List<String> argumentTypes)
{
    /** What happened. The name goes on the wire. */
    public enum Change
    {
        /** It is new. */
        CREATED,
        /** It is different. */
        UPDATED,
        /** It is gone. */
        DROPPED
    }

    /** What it happened to. The name goes on the wire. */
    public enum Target
    {
        /** A keyspace. */
        KEYSPACE,
        /** A table or a view. */
        TABLE,
        /** A user-defined type. */
        TYPE,
        /** A function; from version 4. */
        FUNCTION,
        /** An aggregate; from version 4. */
        AGGREGATE;

        private boolean hasArguments()
        {
            return this == FUNCTION || this == AGGREGATE;
        }
    }

    /** Checks that the parts which the target needs are there. */
    public SchemaChange
    {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(keyspace, "keyspace");
        if (target != Target.KEYSPACE)
        {
            Objects.requireNonNull(name, "name");
        }
        if (target.hasArguments())
        {
            Objects.requireNonNull(argumentTypes, "argumentTypes");
        }
    }

    /** A change to a keyspace as such. */
    public static SchemaChange ofKeyspace(final Change change, final String keyspace)
    {
        return new SchemaChange(change, Target.KEYSPACE, keyspace, null, null);
    }

    /** A change to a table. */
    public static SchemaChange ofTable(final Change change, final String keyspace, final String table)
    {
        return new SchemaChange(change, Target.TABLE, keyspace, table, null);
    }

    /** A change to a user-defined type. */
    public static SchemaChange ofType(final Change change, final String keyspace, final String type)
    {
        return new SchemaChange(change, Target.TYPE, keyspace, type, null);
    }

    int lengthHint()
    {
        return 2 * Short.BYTES + change.name().length() + target.name().length() + LengthHints.ofString(keyspace) +
            (name == null ? 0 : LengthHints.ofString(name)) +
            (argumentTypes == null ? 0 : LengthHints.ofStringList(argumentTypes));
    }

    void encode(final BodyWriter out, final ProtocolVersion version)
    {
        if (target.hasArguments() && version == ProtocolVersion.V3)
        {
            // Version 3 knows neither functions nor aggregates: it hears that the keyspace is different.
            out.putString(Change.UPDATED.name());
            out.putString(Target.KEYSPACE.name());
            out.putString(keyspace);
            return;
        }
        out.putString(change.name());
        out.putString(target.name());
        out.putString(keyspace);
        if (target != Target.KEYSPACE)
        {
            out.putString(name);
        }
        if (target.hasArguments())
        {
            out.putStringList(argumentTypes);
        }
    }
}
