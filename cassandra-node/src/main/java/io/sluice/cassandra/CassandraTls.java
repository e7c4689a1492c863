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

import io.sluice.transport.TlsConfig;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions;

/**
 * How clients speak TLS, as client_encryption_options say: on the main port, and on the second one if there is one. The
 * contexts are made once for both and outlive each start of the transport. Any thread.
 */
final class CassandraTls implements AutoCloseable
{
    private final NodeTlsContexts contexts;
    private final boolean verifiesEndpoints;

    private CassandraTls(final NodeTlsContexts contexts, final boolean verifiesEndpoints)
    {
        this.contexts = contexts;
        this.verifiesEndpoints = verifiesEndpoints;
    }

    /** Loads the key files if there is a use for them. */
    static CassandraTls load()
    {
        final EncryptionOptions options = DatabaseDescriptor.getNativeProtocolEncryptionOptions();
        final boolean isUsed = options.tlsEncryptionPolicy() != EncryptionOptions.TlsEncryptionPolicy.UNENCRYPTED;
        return new CassandraTls(isUsed ? NodeTlsContexts.of(options) : null, options.require_endpoint_verification);
    }

    TlsConfig config(final EncryptionOptions.TlsEncryptionPolicy policy)
    {
        return switch (policy)
        {
            case UNENCRYPTED -> TlsConfig.off();
            case OPTIONAL -> verifying(TlsConfig.optional(contexts));
            case ENCRYPTED -> verifying(TlsConfig.required(contexts));
        };
    }

    private TlsConfig verifying(final TlsConfig config)
    {
        return verifiesEndpoints ? config.withPeerEndpointVerified() : config;
    }

    /** How often new key files came into force. */
    long reloads()
    {
        return contexts == null ? 0 : contexts.reloads();
    }

    /** How often changed key files could not be used. */
    long failedReloads()
    {
        return contexts == null ? 0 : contexts.failedReloads();
    }

    @Override
    public void close()
    {
        if (contexts != null)
        {
            contexts.close();
        }
    }
}
