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
package io.sluice.cassandra;

import io.netty.handler.ssl.SslContext;
import io.sluice.transport.TlsConfig;
import io.sluice.transport.WatchedTlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.config.EncryptionOptions;
import org.apache.cassandra.security.ISslContextFactory;
import org.apache.cassandra.security.SSLFactory;
import org.apache.cassandra.transport.PipelineConfigurator;

/**
 * The TLS contexts that client_encryption_options ask for, made by whatever factory they name, and made anew within a
 * second or two after the key files have changed. {@code nodetool reloadssl}, and what else makes Cassandra forget its
 * own contexts, makes a new one at the next connection. Any thread.
 */
final class NodeTlsContexts implements TlsConfig.ContextSource, AutoCloseable
{
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final EncryptionOptions options;
    private final WatchedTlsContexts contexts;
    /** Cassandra's own, only to notice when it is forgotten. */
    private SslContext ofCassandra;

    private NodeTlsContexts(final EncryptionOptions options) throws Exception
    {
        this.options = options;
        contexts = WatchedTlsContexts.watch(files(options), () -> newContext(options), LOOK);
        ofCassandra = cached();
    }

    /**
     * @throws IllegalStateException if the key files cannot be used
     */
    static NodeTlsContexts of(final EncryptionOptions options)
    {
        try
        {
            return new NodeTlsContexts(options);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("client_encryption_options: " + e.getMessage(), e);
        }
    }

    /** A factory may have others, or none; then it is for the operator to say when they change. */
    private static List<Path> files(final EncryptionOptions options)
    {
        final List<Path> files = new ArrayList<>();
        if (options.keystore != null)
        {
            files.add(Path.of(options.keystore));
        }
        if (options.truststore != null)
        {
            files.add(Path.of(options.truststore));
        }
        return files;
    }

    private static SslContext newContext(final EncryptionOptions options) throws Exception
    {
        return options.sslContextFactoryInstance.createNettySslContext(options.require_client_auth,
            ISslContextFactory.SocketType.SERVER, SSLFactory.LoggingCipherSuiteFilter.QUIET_FILTER);
    }

    /** Made again by Cassandra if it has none; null if it cannot. */
    private SslContext cached()
    {
        try
        {
            return SSLFactory.getOrCreateSslContext(options, options.require_client_auth,
                ISslContextFactory.SocketType.SERVER, PipelineConfigurator.SSL_FACTORY_CONTEXT_DESCRIPTION);
        }
        catch (final IOException e)
        {
            // Bad files: the watch says so, and keeps what works.
            return null;
        }
    }

    @Override
    public SslContext context()
    {
        synchronized (this)
        {
            final SslContext now = cached();
            if (now != null && now != ofCassandra)
            {
                ofCassandra = now;
                contexts.reload();
            }
        }
        return contexts.context();
    }

    /** How often new key files came into force. */
    long reloads()
    {
        return contexts.reloads();
    }

    /** How often changed key files could not be used. */
    long failedReloads()
    {
        return contexts.failedReloads();
    }

    @Override
    public void close()
    {
        contexts.close();
    }
}
