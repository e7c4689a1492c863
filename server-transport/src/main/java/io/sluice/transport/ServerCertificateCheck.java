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

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Asks a server context, in memory, for the certificate that clients would see, and whether they could accept its
 * dates. That the handshake comes so far also shows that certificate and key belong together.
 */
final class ServerCertificateCheck
{
    /** Rounds of a handshake that gets nowhere. */
    private static final int MAX_ROUNDS = 64;

    private ServerCertificateCheck()
    {
    }

    /**
     * @throws SSLException if no certificate is shown
     * @throws java.security.GeneralSecurityException if one is shown whose time has not come or is over
     */
    static void check(final SslContext context) throws Exception
    {
        final Witness witness = new Witness();
        final SSLContext clients = SSLContext.getInstance("TLS");
        clients.init(null, new TrustManager[]{witness}, null);
        final SSLEngine client = clients.createSSLEngine();
        client.setUseClientMode(true);
        final SSLEngine server = context.newEngine(UnpooledByteBufAllocator.DEFAULT);
        try
        {
            client.setEnabledProtocols(common(client.getSupportedProtocols(), server.getEnabledProtocols()));
            shake(client, server, witness);
        }
        finally
        {
            ReferenceCountUtil.release(server);
        }
        if (witness.shown == null)
        {
            throw new SSLException("the handshake shows no certificate");
        }
        for (final X509Certificate certificate : witness.shown)
        {
            certificate.checkValidity();
        }
    }

    private static String[] common(final String[] supported, final String[] enabled)
    {
        final List<String> both = new ArrayList<>(List.of(enabled));
        both.retainAll(List.of(supported));
        return both.toArray(new String[0]);
    }

    /** Until the certificate was seen; a server that asks for ours may then say what it likes. */
    private static void shake(final SSLEngine client, final SSLEngine server, final Witness witness)
        throws SSLException
    {
        final int packet = Math.max(client.getSession().getPacketBufferSize(), server.getSession()
            .getPacketBufferSize());
        final ByteBuffer toServer = ByteBuffer.allocate(4 * packet);
        final ByteBuffer toClient = ByteBuffer.allocate(4 * packet);
        final ByteBuffer plain = ByteBuffer.allocate(2 * packet);
        client.beginHandshake();
        server.beginHandshake();
        for (int round = 0; round < MAX_ROUNDS && witness.shown == null; round++)
        {
            step(client, toClient, toServer, plain);
            if (witness.shown == null)
            {
                step(server, toServer, toClient, plain);
            }
        }
    }

    private static void step(final SSLEngine engine, final ByteBuffer from, final ByteBuffer to, final ByteBuffer plain)
        throws SSLException
    {
        final ByteBuffer nothing = ByteBuffer.allocate(0);
        runTasks(engine);
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP)
        {
            engine.wrap(nothing, to);
        }
        else
        {
            from.flip();
            plain.clear();
            engine.unwrap(from, plain);
            from.compact();
        }
        runTasks(engine);
    }

    private static void runTasks(final SSLEngine engine)
    {
        Runnable task = engine.getDelegatedTask();
        while (task != null)
        {
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    /** Trusts everybody and remembers whom. */
    private static final class Witness extends X509ExtendedTrustManager
    {
        private X509Certificate[] shown;

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String authType)
        {
            shown = chain;
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String authType, final Socket socket)
        {
            shown = chain;
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String authType, final SSLEngine engine)
        {
            shown = chain;
        }

        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String authType)
        {
            throw new UnsupportedOperationException("only ever a client");
        }

        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String authType, final Socket socket)
        {
            throw new UnsupportedOperationException("only ever a client");
        }

        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String authType, final SSLEngine engine)
        {
            throw new UnsupportedOperationException("only ever a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }
}
