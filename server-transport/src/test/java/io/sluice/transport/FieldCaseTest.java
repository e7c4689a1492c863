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

import io.netty.handler.ssl.OpenSsl;
import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.Way;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Replays field reports in every {@link Way}; docs/field-cases.md lists them. */
abstract class FieldCaseTest extends SocketTest
{
    static final String ST5 = "0500000101000000160001000b43514c5f56455253494f4e0005332e302e30";
    static final String ST5L = "0500000101000000280002000b43514c5f56455253494f4e0005332e302e30000b434f4d5052455353494f4e00036c7a34";
    private static final Duration TLS_HANDSHAKE = Duration.ofSeconds(60);

    /** {@code -Dsluice.cases.full=true} makes each count what the report asks for, where that takes too long for CI. */
    static int count(final int full, final int otherwise)
    {
        return Boolean.getBoolean("sluice.cases.full") ? full : otherwise;
    }

    void start(final Way way) throws GeneralSecurityException, IOException
    {
        // On a busy machine a client may need longer than usual to send what nobody reads any more.
        start(way, TestServer.limits(limits -> limits.lingerTimeout(Await.HANG)));
    }

    void start(final Way way, final Consumer<NativeTransportBuilder> change)
        throws GeneralSecurityException, IOException
    {
        if (way.tls() == null)
        {
            start(change);
            return;
        }
        OpenSsl.ensureAvailability();
        server = TestServer.start(sockets, new TlsConfig(TlsConfig.Mode.REQUIRED, TestCertificate.shared()
            .server(way.tls()), TLS_HANDSHAKE, false), change);
    }

    /** Connected, nothing sent but what TLS needs. */
    WireClient connect(final Way way) throws GeneralSecurityException, IOException
    {
        return way.tls() == null
            ? server.connect()
            : WireClient.over(TestCertificate.shared().connect(server.address(), "TLSv1.3", 0));
    }

    /** With READY. */
    WireClient ready(final Way way) throws GeneralSecurityException, IOException
    {
        final WireClient client = connect(way);
        client.startUp(way.version(), way.compression());
        return client;
    }

    /** With AUTHENTICATE. */
    WireClient authenticating(final Way way) throws GeneralSecurityException, IOException
    {
        final WireClient client = connect(way);
        client.send(Requests.startup(way.version(), 1, way.compression()));
        assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
        client.switchTo(way.version(), way.compression());
        return client;
    }

    /** A client that has sent this STARTUP and read its READY. */
    WireClient started(final String startup) throws IOException
    {
        final WireClient client = server.connect();
        client.send(WireBytes.ofHex(startup));
        assertEquals(new WireEnvelope(5, 0, 1, Opcode.READY.code(), new byte[0]), client.readBare());
        client.switchTo(5, startup.equals(ST5L) ? "lz4" : null);
        return client;
    }

    /** One payload as this connection sends it: a segment, or the bytes as they are. */
    static byte[] payload(final WireClient client, final boolean selfContained, final byte... bytes)
    {
        if (client.format() == null)
        {
            return bytes;
        }
        return client.format() == SegmentFormat.LZ4
            ? Segments.lz4(selfContained, false, bytes)
            : Segments.plain(selfContained, bytes);
    }

    /** Bytes that do not compress. */
    static byte[] noise(final int bytes)
    {
        final byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }
}
