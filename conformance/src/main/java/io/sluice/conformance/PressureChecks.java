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

import static io.sluice.conformance.CheckBuilder.CLOSE;
import static io.sluice.conformance.CheckBuilder.SERVES;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Many requests, slow readers, clients that vanish: others must not notice. */
final class PressureChecks extends CheckGroup
{
    private static final int LARGE_ANSWERS = 200;
    private static final int CELL = 100_000;
    private static final int PATIENT_MILLIS = 15_000;

    PressureChecks(final Consumer<Check> sink)
    {
        super("pressure", sink);
    }

    void add(final Profile profile)
    {
        check("two-thousand-pipelined", profile).from("case 3")
            .expect("exactly one answer each", "2000xROWS " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace).patient(PATIENT_MILLIS);
                for (int i = 0; i < 2000; i++)
                {
                    client.say(client.requests().query(i, Requests.CHEAP_QUERY));
                }
                client.hearMany("ROWS", SegmentChecks.streams(2000));
                client.probe();
            });
        check("client-that-does-not-read", profile).from("case 45, D7")
            .expect("others are served meanwhile; it gets all its answers later, or is closed",
                "SUPPORTED@101 SUPPORTED@102 (" + LARGE_ANSWERS + "-streams|\\d+-streams " + CLOSE + ".*)")
            .script((lab, trace) -> slowReader(lab, trace, profile));
        check("hundred-that-reset-after-startup", profile).from("case 34")
            .expect("the next client is served", "SUPPORTED@101 SUPPORTED@102")
            .script((lab, trace) ->
            {
                for (int i = 0; i < 100; i++)
                {
                    final Conversation rude = lab.connect(profile, new Trace());
                    rude.sayRaw(rude.requests().startup(1, profile.compression()));
                    rude.slam();
                }
                lab.ready(profile, trace).probe();
            });
        check("hundred-that-reset-in-mid-request", profile).from("case 41, case 60")
            .expect("the next client is served", "SUPPORTED@101 SUPPORTED@102")
            .script((lab, trace) ->
            {
                for (int i = 0; i < 100; i++)
                {
                    final Conversation rude = lab.ready(profile, new Trace());
                    final byte[] request = rude.wrap(rude.requests().query(1, Requests.CHEAP_QUERY));
                    rude.sayRaw(request, 0, i % 2 == 0 ? request.length : 1 + i % (request.length - 1));
                    rude.slam();
                }
                lab.ready(profile, trace).probe();
            });
    }

    private static void slowReader(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        lab.needSchema(profile);
        final int key = lab.freshKey();
        final Trace unheard = new Trace();
        final Conversation slow = lab.ready(profile, unheard, 4096);
        slow.say(slow.requests()
            .query(1, "INSERT INTO " + Lab.KEYSPACE + ".blobs (k, b) VALUES (?, ?)",
                new Parameters().values(Parameters.intValue(key), Parameters.value(new byte[CELL]))));
        slow.heard(1);
        for (int i = 0; i < LARGE_ANSWERS; i++)
        {
            slow.say(slow.requests().query(i, "SELECT b FROM " + Lab.KEYSPACE + ".blobs WHERE k = " + key));
        }
        try (Conversation other = lab.ready(profile, trace))
        {
            other.patient(PATIENT_MILLIS).probe();
        }
        final Set<Integer> streams = new HashSet<>();
        while (streams.size() < LARGE_ANSWERS)
        {
            final Answer answer = slow.listen(PATIENT_MILLIS);
            if (answer == null)
            {
                break;
            }
            streams.add(answer.stream());
        }
        trace.add(streams.size() + "-streams");
        if (streams.size() < LARGE_ANSWERS)
        {
            slow.hear();
            trace.add(unheard.text());
        }
    }
}
