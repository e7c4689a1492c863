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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.TestServer.Sockets;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 2 of the wire facts: what the first bytes, STARTUP and OPTIONS are answered with. */
@ParameterizedClass
@EnumSource(Sockets.class)
@ExtendWith(LogWatch.class)
final class HandshakeIT
{
    private static final int PROTOCOL_ERROR = 0x000A;
    private static final String UNSUPPORTED = "Invalid or unsupported protocol version (%d); supported versions are " +
        "(3/v3, 4/v4, 5/v5, 6/v6-beta)";

    @Parameter
    private Sockets sockets;
    private TestServer server;

    @org.junit.jupiter.api.BeforeEach
    void start()
    {
        server = TestServer.start(sockets);
    }

    @AfterEach
    void stop()
    {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 65, 66, 127})
    void unknownVersionGetsTheListOnItsStreamInVersion5(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(version, 19));
            final WireEnvelope error = client.readBare();
            assertEquals(5, error.version());
            assertEquals(19, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            assertEquals(UNSUPPORTED.formatted(version), error.errorMessage());
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void legacyVersionsGetTheirOwnHeaderForEightBytesAlone(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(new WireBytes().u8(version).u8(0).u8(9).u8(Opcode.OPTIONS.code()).i32(0).toArray());
            expectLegacyError(client, version, 9);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void legacyVersionsGetTheirOwnHeaderForMoreBytes(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            final byte[] body = new WireBytes().u16(1).string("CQL_VERSION").string("3.0.0").toArray();
            client.send(new WireBytes().u8(version).u8(0).u8(0).u8(1).i32(body.length).raw(body).toArray());
            expectLegacyError(client, version, 0);
        }
    }

    private static void expectLegacyError(final WireClient client, final int version, final int streamId)
        throws IOException
    {
        final WireEnvelope error = client.readLegacy();
        assertEquals(version, error.version());
        assertEquals(streamId, error.streamId());
        assertEquals(PROTOCOL_ERROR, error.errorCode());
        assertEquals(UNSUPPORTED.formatted(version), error.errorMessage());
        client.expectEnd();
    }

    @Test
    void version6WithoutUseBetaIsRefusedInVersion6AndTheConnectionGoesOn() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(6, 3, (String)null));
            final WireEnvelope error = client.readBare();
            assertEquals(6, error.version());
            assertEquals(0x10, error.flags());
            assertEquals(3, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            client.startUp(5, null);
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(5, 1)).type());
        }
    }

    @Test
    void version6WithUseBetaIsServed() throws IOException
    {
        try (WireClient client = server.connect())
        {
            final byte[] startup = Requests.startup(6, 3, (String)null);
            startup[1] = 0x10;
            client.send(startup);
            assertEquals(new WireEnvelope(6, 0x10, 3, Opcode.READY.code(), new byte[0]), client.readBare());
            client.switchTo(6, null);
            final byte[] query = Requests.query(6, 4, "void");
            query[1] = 0x10;
            final WireEnvelope answer = client.ask(query);
            assertEquals(Opcode.RESULT, answer.type());
            assertEquals(0x10, answer.flags());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void earlyRequestGetsAnErrorOnItsStreamAndTheEnd(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.query(version, 21, "void"));
            final WireEnvelope error = client.readBare();
            assertEquals(version, error.version());
            assertEquals(21, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            assertEquals("Unexpected message QUERY, expecting STARTUP or OPTIONS", error.errorMessage());
            client.expectEnd();
            assertEquals(0, server.engine().served());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void optionsAreAnsweredBeforeStartupAnyNumberOfTimesAndInAnyVersion(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            for (final int asked : new int[]{version, 3, 4, 5, version})
            {
                client.send(Requests.options(asked, 32_767));
                final WireEnvelope supported = client.readBare();
                assertEquals(Opcode.SUPPORTED, supported.type());
                assertEquals(asked, supported.version());
                assertEquals(32_767, supported.streamId());
            }
            client.startUp(version, null);
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(version, 32_767)).type());
        }
    }

    @Test
    void supportedIsWhatWasCapturedFromAStockNode() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(4, 3));
            final byte[] body = new WireBytes().u16(3)
                .string("PROTOCOL_VERSIONS")
                .u16(4)
                .string("3/v3")
                .string("4/v4")
                .string("5/v5")
                .string("6/v6-beta")
                .string("COMPRESSION")
                .u16(2)
                .string("snappy")
                .string("lz4")
                .string("CQL_VERSION")
                .u16(1)
                .string("3.4.7")
                .toArray();
            final WireEnvelope supported = client.readBare();
            assertArrayEquals(body, supported.body());
            assertEquals(new WireEnvelope(4, 0, 3, Opcode.SUPPORTED.code(), body), supported);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void optionsAndStartupInOneWriteAreBothAnswered(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(version, 1), Requests.startup(version, 2, (String)null));
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            assertEquals(new WireEnvelope(version, 0, 2, Opcode.READY.code(), new byte[0]), client.readBare());
            client.switchTo(version, null);
            assertEquals(Opcode.RESULT, client.ask(Requests.query(version, 3, "void")).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void startupByteByByteIsUnderstood(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            for (final byte part : Requests.startup(version, 2, (String)null))
            {
                client.send(new byte[]{part});
            }
            assertEquals(Opcode.READY, client.readBare().type());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3,77,CQL_VERSION,'',Missing value CQL_VERSION in STARTUP message",
        "4,77,CQL_VERSION,2.0.0,CQL version 2.0.0 is not supported (expected: 3.0.0 or later)",
        "5,77,CQL_VERSION,2.0.0,CQL version 2.0.0 is not supported (expected: 3.0.0 or later)",
        "5,77,CQL_VERSION,nonsense,CQL version nonsense is not supported (expected: 3.0.0 or later)",
        "4,78,COMPRESSION,zstd,Unknown compression algorithm: zstd",
        "5,78,COMPRESSION,zstd,Unknown compression algorithm: zstd",
        "5,78,COMPRESSION,snappy,Unknown compression algorithm: snappy",
        "5,78,COMPRESSION,'',Unknown compression algorithm: ",
        "4,78,COMPRESSION,'',Unknown compression algorithm: "})
    void refusedStartupIsAnsweredBareOnItsStreamAndTheNextOneWorks(final int version,
        final int streamId,
        final String key,
        final String value,
        final String message) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(version, streamId, key.equals("COMPRESSION")
                ? Map.of("CQL_VERSION", "3.0.0", key, value)
                : value.isEmpty() ? Map.of() : Map.of(key, value)));
            final WireEnvelope error = client.readBare();
            assertEquals(version, error.version());
            assertEquals(0, error.flags());
            assertEquals(streamId, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            assertEquals(message, error.errorMessage().stripTrailing() + (message.endsWith(" ") ? " " : ""));
            // Unframed still, whatever was wrong.
            client.startUp(version, null);
            assertEquals(Opcode.RESULT, client.ask(Requests.query(version, 3, "void")).type());
        }
    }

    @ParameterizedTest
    @CsvSource({"3,lz4", "3,snappy", "4,lz4", "4,snappy", "5,lz4"})
    void compressionIsNegotiatedInAnyCase(final int version, final String compression) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(version, 2, Map.of("cql_version", "3.0.0", "Compression", compression
                .toUpperCase(java.util.Locale.ROOT))));
            client.switchTo(version, compression);
            assertEquals(Opcode.READY, client.readBare().type());
            final WireEnvelope rows = client.ask(Requests.query(version, 5, "rows 100000"));
            assertEquals(Opcode.RESULT, rows.type());
            assertTrue(rows.body().length > 100_000);
        }
    }

    @Test
    void allOptionsOfStartupAreKept() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(5, 2, Map.of("CQL_VERSION", "3.0.0", "driver_name", "Wire", "DRIVER_VERSION",
                "1", "anything", "at all")));
            assertEquals(Opcode.READY, client.readBare().type());
            final ClientConnection connection = server.transport().connections().iterator().next();
            assertEquals("Wire", connection.driverName());
            assertEquals("1", connection.driverVersion());
            assertEquals("at all", connection.startupOptions().get("ANYTHING"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void secondStartupGetsAnErrorOnItsStreamAndTheConnectionGoesOn(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            final WireEnvelope error = client.ask(Requests.startup(version, 5, (String)null));
            assertEquals(5, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            assertTrue(error.errorMessage().startsWith("Unexpected message STARTUP"), error.errorMessage());
            assertEquals(Opcode.RESULT, client.ask(Requests.query(version, 6, "void")).type());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void segmentsBehindAGoodStartupInTheSameWriteAreRead(final boolean lz4) throws IOException
    {
        try (WireClient client = server.connect())
        {
            final byte[] query = Requests.query(5, 9, "rows 1000");
            client.send(Requests.startup(5, 2, lz4 ? "lz4" : null), lz4
                ? Segments.lz4(true, false, query)
                : Segments.plain(true, query));
            client.switchTo(5, lz4 ? "lz4" : null);
            assertEquals(new WireEnvelope(5, 0, 2, Opcode.READY.code(), new byte[0]), client.readBare());
            final WireEnvelope answer = client.readEnvelope();
            assertEquals(9, answer.streamId());
            assertEquals(Opcode.RESULT, answer.type());
        }
    }

    @Test
    void cutSegmentBehindAGoodStartupIsRead() throws IOException
    {
        try (WireClient client = server.connect())
        {
            final byte[] all = WireBytes.concat(Requests.startup(5, 2, (String)null), Segments.plain(true, Requests
                .query(5, 9, "void")));
            client.send(java.util.Arrays.copyOf(all, all.length - 20));
            client.switchTo(5, null);
            assertEquals(Opcode.READY, client.readBare().type());
            client.send(java.util.Arrays.copyOfRange(all, all.length - 20, all.length));
            assertEquals(9, client.readEnvelope().streamId());
        }
    }

    @Test
    void bareEnvelopesBehindARefusedStartupInTheSameWriteAreRead() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(5, 2, "zstd"), Requests.options(5, 3), Requests.startup(5, 4, (String)null),
                Segments.plain(true, Requests.query(5, 9, "void")));
            assertEquals(2, client.readBare().streamId());
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            assertEquals(new WireEnvelope(5, 0, 4, Opcode.READY.code(), new byte[0]), client.readBare());
            client.switchTo(5, null);
            assertEquals(9, client.readEnvelope().streamId());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void requestsBehindStartupInTheSameWriteAreServed(final int version) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(version, 2, (String)null), Requests.query(version, 9, "void"));
            assertEquals(2, client.readBare().streamId());
            assertEquals(9, client.readBare().streamId());
        }
    }

    @Test
    void startupThatClaimsMoreEntriesThanItHasIsRefused() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.envelope(5, 0, 8, Opcode.STARTUP.code(), new WireBytes().u16(65_535).toArray()));
            final WireEnvelope error = client.readBare();
            assertEquals(8, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            client.startUp(5, null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n"})
    void otherProtocolsGetTheVersionErrorAndTheEnd(final String greeting) throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(greeting.getBytes(StandardCharsets.US_ASCII));
            assertEquals(PROTOCOL_ERROR, client.readBare().errorCode());
            client.expectEnd();
            assertEquals(1, server.listener().protocolErrors());
        }
    }

    @Test
    void responsesFromAClientAreRefusedOnTheirStream() throws IOException
    {
        try (WireClient client = server.connect())
        {
            client.send(Requests.envelope(0x84, 0, 11, Opcode.OPTIONS.code()));
            final WireEnvelope error = client.readBare();
            assertEquals(11, error.streamId());
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            client.startUp(4, null);
        }
    }

    @Test
    void oldVersionsCanBeSwitchedOff() throws IOException
    {
        server.transport().control().olderVersionsAllowed(false);
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(4, 2, (String)null));
            final WireEnvelope error = client.readBare();
            assertEquals(PROTOCOL_ERROR, error.errorCode());
            assertEquals(2, error.streamId());
            client.startUp(5, null);
        }
    }

    @Test
    void anythingButStartupAndOptionsIsUnexpectedBeforeReady() throws IOException
    {
        for (int opcode = 0; opcode <= 0xFF; opcode++)
        {
            if (opcode == Opcode.STARTUP.code() || opcode == Opcode.OPTIONS.code())
            {
                continue;
            }
            try (WireClient client = server.connect())
            {
                client.send(Requests.envelope(4, 0, 12, opcode));
                final WireEnvelope error = client.readBare();
                assertEquals(12, error.streamId(), "opcode " + opcode);
                assertEquals(PROTOCOL_ERROR, error.errorCode(), "opcode " + opcode);
            }
        }
    }
}
