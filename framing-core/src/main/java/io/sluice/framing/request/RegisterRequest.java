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

import io.sluice.framing.EventType;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Which events a client wants. Immutable.
 *
 * @param eventTypes may be empty
 */
public record RegisterRequest(Set<EventType> eventTypes)
{
    /** More of a name that is no event type is not repeated in the error. */
    private static final int LONGEST_QUOTE = 64;

    /**
     * The message in a REGISTER body; names count without regard to case.
     *
     * @param body borrowed until return, at its start
     * @throws ProtocolException if the body is not what it should be, or names a type that the version does not have
     */
    public static RegisterRequest decode(final BodyReader body, final ProtocolVersion version)
    {
        final Set<EventType> types = EnumSet.noneOf(EventType.class);
        final int count = body.readCount(Short.BYTES);
        for (int i = 0; i < count; i++)
        {
            final String name = body.readString();
            final EventType type = EventType.of(name.toUpperCase(Locale.ROOT), version);
            if (type == null)
            {
                throw ProtocolException.recoverable("event type: " + quote(name) +
                    " (expected: TOPOLOGY_CHANGE, STATUS_CHANGE or SCHEMA_CHANGE)");
            }
            types.add(type);
        }
        return new RegisterRequest(Collections.unmodifiableSet(types));
    }

    private static String quote(final String name)
    {
        return name.length() <= LONGEST_QUOTE ? name : name.substring(0, LONGEST_QUOTE) + "...";
    }
}
