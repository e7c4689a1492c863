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

import static io.sluice.conformance.CheckBuilder.SERVES;
import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;

import java.util.Locale;
import java.util.function.Consumer;

/** REGISTER, and the events that follow a schema change. */
final class EventChecks extends CheckGroup
{
    EventChecks(final Consumer<Check> sink)
    {
        super("events", sink);
    }

    void add(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        check("register-all", profile).expect("READY", "READY@1 " + SERVES)
            .script(say(profile, requests.register(1, "TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE")));
        check("register-lower-case", profile).expect("READY", "READY@1 " + SERVES)
            .script(say(profile, requests.register(1, "schema_change")));
        check("register-nothing", profile).expect("READY", "READY@1 " + SERVES)
            .script(say(profile, requests.register(1)));
        check("register-twice", profile).expect("READY each time", "READY@1 READY@2 " + SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(requests.register(1, "SCHEMA_CHANGE"));
            client.hear();
            client.say(requests.register(2, "SCHEMA_CHANGE"));
            client.hear().probe();
        });
        check("register-unknown", profile).expectOneError(7)
            .script(say(profile, requests.register(7, "NO_SUCH_CHANGE")));
        check("register-empty-name", profile).expectOneError(7).script(say(profile, requests.register(7, "")));
        check("schema-change", profile)
            .expect("CREATED, UPDATED and DROPPED on stream -1, and the makers' own answers",
                "EVENT@-1 CREATED:TABLE EVENT@-1 UPDATED:TABLE EVENT@-1 DROPPED:TABLE")
            .script((lab, trace) -> schemaChange(lab, trace, profile));
        check("not-registered", profile).expect("no events", "quiet " + SERVES).script((lab, trace) ->
        {
            lab.needSchema(profile);
            final Conversation client = lab.ready(profile, trace);
            try (Conversation maker = lab.ready(profile, new Trace()))
            {
                PreparedChecks.run(lab, maker, "CREATE TABLE " + fresh(lab) + " (k int PRIMARY KEY)");
            }
            client.hearNothing(500).probe();
        });
        check("events-among-answers", profile)
            .expect("both come, each whole", "READY@1 50xROWS 1xEVENT " + SERVES_OR_CLOSES)
            .script((lab, trace) -> amongAnswers(lab, trace, profile));
    }

    private static void schemaChange(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        lab.needSchema(profile);
        final Conversation client = lab.ready(profile, trace);
        client.say(client.requests().register(1, "SCHEMA_CHANGE"));
        client.heard(1);
        final String table = fresh(lab);
        try (Conversation maker = lab.ready(profile, new Trace()))
        {
            for (final String cql : new String[]{"CREATE TABLE %s (k int PRIMARY KEY)", "ALTER TABLE %s ADD v int",
                "DROP TABLE %s"})
            {
                PreparedChecks.run(lab, maker, String.format(Locale.ROOT, cql, table));
                client.hear(Math.max(lab.timeoutMillis(), 5000));
                if (!client.isOver())
                {
                    trace.add(client.last().words().get(1) + ":" + client.last().words().get(2));
                }
            }
        }
    }

    private static void amongAnswers(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        lab.needSchema(profile);
        final Conversation client = lab.ready(profile, trace);
        client.say(client.requests().register(1, "SCHEMA_CHANGE"));
        client.hear();
        client.say(client.requests().query(2, "CREATE TABLE " + fresh(lab) + " (k int PRIMARY KEY)"));
        for (int i = 3; i < 53; i++)
        {
            client.say(client.requests().query(i, Requests.CHEAP_QUERY));
        }
        int rows = 0;
        int events = 0;
        for (int i = 0; i < 52; i++)
        {
            final Answer answer = client.listen(Math.max(lab.timeoutMillis(), 5000));
            if (answer == null)
            {
                break;
            }
            rows += "ROWS".equals(answer.name()) ? 1 : 0;
            events += "EVENT".equals(answer.name()) && answer.stream() == -1 ? 1 : 0;
        }
        trace.add(rows + "xROWS");
        trace.add(events + "xEVENT");
        client.probe();
    }

    private static String fresh(final Lab lab)
    {
        return Lab.KEYSPACE + ".event" + lab.freshKey();
    }
}
