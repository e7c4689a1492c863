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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A request for which there is no room waits or is shed: alike in every version and size, at every budget. */
final class AdmissionIT extends SocketTest
{
    private static final int ROOM = MIB;
    private static final int SMALL = 200;
    /** Several segments, and several reads. */
    private static final int LARGE = 700_000;

    static Stream<Arguments> matrix()
    {
        final List<Arguments> all = new ArrayList<>();
        for (int version = 3; version <= 5; version++)
        {
            for (final OverloadAction setting : OverloadAction.values())
            {
                for (final String option : new String[]{null, "0", "1"})
                {
                    all.add(Arguments.of(version, setting, option));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void startupOptionDecidesElseTheSetting(final int version, final OverloadAction setting, final String option)
        throws Exception
    {
        final boolean sheds = option == null ? setting == OverloadAction.SHED : "1".equals(option);
        start();
        for (final PauseCause cause : new PauseCause[]{
            PauseCause.CONNECTION_BYTES, PauseCause.ADDRESS_BYTES, PauseCause.GLOBAL_BYTES})
        {
            final TransportLimitsBuilder limits = TransportLimits.defaults()
                .with()
                .maxFrameBytes(ROOM)
                .maxMessageBytes(ROOM)
                .overloadAction(setting);
            server.transport()
                .control()
                .limits((switch (cause)
                {
                    case CONNECTION_BYTES -> limits.inFlightBytesPerConnection(ROOM);
                    case ADDRESS_BYTES -> limits.inFlightBytesPerAddress(ROOM);
                    default -> limits.inFlightBytes(ROOM);
                }).build());
            for (final int length : new int[]{SMALL, LARGE})
            {
                expect(version, option, length, cause, sheds);
            }
        }
    }

    private void expect(final int version,
        final String option,
        final int length,
        final PauseCause cause,
        final boolean sheds) throws Exception
    {
        try (WireClient client = connect(version, option); WireClient other = connect(version, option))
        {
            final byte[] occupying = Requests.queryOfLength(version, 1, ROOM - 100);
            System.arraycopy("park".getBytes(StandardCharsets.US_ASCII), 0, occupying, 13, 4);
            (cause == PauseCause.CONNECTION_BYTES ? client : other).request(occupying);
            final Exchange parked = server.engine().nextParked();
            final int pauses = server.listener().paused().size();
            final int shed = server.listener().shed().size();
            final CompletableFuture<Void> sent = send(client, Requests.queryOfLength(version, 2, length));
            if (sheds)
            {
                expectError(client, 2, OVERLOADED);
                assertEquals(cause, server.listener().shed().get(shed));
                assertEquals(pauses, server.listener().paused().size());
            }
            else
            {
                Await.until("paused", () -> server.listener().paused().size() > pauses);
                assertEquals(cause, server.listener().paused().get(pauses));
                assertEquals(shed, server.listener().shed().size());
            }
            parked.respond(VoidResult.INSTANCE);
            if (cause == PauseCause.CONNECTION_BYTES)
            {
                assertEquals(1, client.readEnvelope().streamId());
            }
            else
            {
                assertEquals(1, other.readEnvelope().streamId());
            }
            if (!sheds)
            {
                assertEquals(2, client.readEnvelope().streamId());
            }
            sent.get();
            Await.until("given back", () -> server.transport().inFlightBytes() == 0);
            assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(version, 3, length)).type());
        }
        server.awaitQuiet();
    }

    private WireClient connect(final int version, final String option) throws IOException
    {
        final WireClient client = server.connect();
        final Map<String, String> options = new LinkedHashMap<>();
        options.put("CQL_VERSION", "3.0.0");
        if (option != null)
        {
            options.put("THROW_ON_OVERLOAD", option);
        }
        client.send(Requests.startup(version, 0, options));
        assertEquals(Opcode.READY, client.readBare().type());
        client.switchTo(version, null);
        return client;
    }

    /** A large one does not fit into the sockets' buffers while nobody reads. */
    private static CompletableFuture<Void> send(final WireClient client, final byte[] request)
    {
        return CompletableFuture.runAsync(() ->
        {
            try
            {
                client.request(request);
            }
            catch (final IOException e)
            {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }
}
