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
package io.sluice.bench.soak;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Takes any certificate: a soak has no secrets, and the node under it signs its own. Stateless; any thread. */
final class TrustAll extends X509ExtendedTrustManager
{
    static SSLContext context()
    {
        try
        {
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[]{new TrustAll()}, new SecureRandom());
            return context;
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final Socket socket)
    {
        // Any.
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final Socket socket)
    {
        // Any.
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
    {
        // Any.
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
    {
        // Any.
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type)
    {
        // Any.
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type)
    {
        // Any.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers()
    {
        return new X509Certificate[0];
    }
}
