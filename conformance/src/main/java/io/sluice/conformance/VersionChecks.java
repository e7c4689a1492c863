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

import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** First bytes of versions that a server of v3, v4 and v5 does not speak, and of no version at all. */
final class VersionChecks extends CheckGroup
{
    private static final Profile V5 = new Profile(5, Compression.NONE);
    private static final String TEXT = " lists-versions ";

    VersionChecks(final Consumer<Check> sink)
    {
        super("versions", sink);
    }

    void add()
    {
        for (final int version : List.of(0, 7, 65, 66, 127))
        {
            check("unknown-version-" + version).from("case 15")
                .expect("ERROR 000a on stream 21 in a version the server speaks, naming those; then serves or closes",
                    "ERROR-000a(:v[34])?@21" + TEXT + SERVES_OR_CLOSES)
                .stock("ERROR-000a@0" + TEXT + CheckBuilder.SERVES)
                .script((lab, trace) ->
                {
                    final Conversation client = lab.connect(V5, trace);
                    client.sayRaw(
                        new ByteBuilder().int8(version).int8(0).int16(21).int8(Opcode.OPTIONS).int32(0).toBytes());
                    listen(client);
                });
        }
        for (final int version : List.of(1, 2))
        {
            old("version-" + version + "-of-9-bytes", "case 15", version, "00");
            old("version-" + version + "-of-8-bytes", "D10", version, "");
        }
        check("version-6-without-beta-flag")
            .expect("ERROR 000a on stream 21; then serves or closes",
                "ERROR-000a(:v6)?@21 (names-beta|lists-versions|other-text) " + SERVES_OR_CLOSES)
            .stock("ERROR-000a:v6@0 .*")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(V5, trace);
                client.sayRaw(new Requests(6).options(21));
                listen(client);
            });
        check("version-6-with-beta-flag")
            .expect("SUPPORTED in v6 if SUPPORTED names 6/v6-beta, else ERROR 000a on stream 21",
                "offered SUPPORTED:v6@21|not-offered ERROR-000a(:v[34])?@21")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(V5, trace);
                client.sayRaw(client.requests().options(1));
                client.listen(lab.timeoutMillis());
                final List<String> versions = client.last().supported().getOrDefault("PROTOCOL_VERSIONS", List.of());
                trace.add(versions.stream().anyMatch(name -> name.startsWith("6/")) ? "offered" : "not-offered");
                client.sayRaw(Envelope.of(6, Envelope.USE_BETA, 21, Opcode.OPTIONS, new byte[0]));
                client.hear();
            });
        check("http-request").from("case 15")
            .expect("one ERROR 000a naming versions, or closed; never silence",
                "(ERROR-000a(:v[34])?@(0|21536)" + TEXT + ")?" + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(V5, trace);
                client.sayRaw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                listen(client);
            });
    }

    /** The old header has 8 bytes and one byte of stream id, and so must the reply. */
    private void old(final String name, final String source, final int version, final String extra)
    {
        check(name).from(source)
            .expect("ERROR 000a in an 8-byte header of v" + version + " on stream 21, naming versions",
                "ERROR-000a:v" + version + "@21" + TEXT + SERVES_OR_CLOSES)
            .stock("ERROR-000a:v" + version + "@0" + TEXT + ".*")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(V5, trace);
                client.sayRaw(ByteBuilder.join(new Requests(version).options(21), ByteBuilder.fromHex(extra)));
                listen(client);
            });
    }

    private static void listen(final Conversation client)
    {
        client.hear();
        if (!client.isOver())
        {
            final String text = client.last().text();
            final boolean all = text.contains("3/v3") && text.contains("4/v4") && text.contains("5/v5");
            client.trace().add(all ? "lists-versions" : text.contains("beta") ? "names-beta" : "other-text");
        }
        client.probe();
    }
}
