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
package io.sluice.conformance;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A family of checks that share a first name. */
abstract class CheckGroup
{
    private final String name;
    private final Consumer<Check> sink;

    CheckGroup(final String name, final Consumer<Check> sink)
    {
        this.name = name;
        this.sink = sink;
    }

    /** A check that has nothing to do with a profile. */
    final CheckBuilder check(final String check)
    {
        return new CheckBuilder(name + "." + check, sink);
    }

    final CheckBuilder check(final String check, final Profile profile)
    {
        return new CheckBuilder(name + "." + check + "/" + profile.label(), sink);
    }

    /** Past STARTUP: the envelopes are said, one answer heard, and the connection probed. */
    static Check.Script say(final Profile profile, final byte[]... envelopes)
    {
        return (lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(envelopes);
            client.hear().probe();
        };
    }

    /** As {@link #say}, with bytes that go out as they are. */
    static Check.Script sayRaw(final Profile profile, final byte[]... bytes)
    {
        return (lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.sayRaw(ByteBuilder.join(bytes));
            client.hear().probe();
        };
    }

    /** Gives the server time to read what was sent as a piece of its own. */
    static void pace()
    {
        LockSupport.parkNanos(1_500_000L);
    }
}
