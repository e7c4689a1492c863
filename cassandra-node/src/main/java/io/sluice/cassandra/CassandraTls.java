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
import org.apache.cassandra.security.ISslContextFactory;
import org.apache.cassandra.security.SSLFactory;
import org.apache.cassandra.transport.PipelineConfigurator;

/** How clients speak TLS, as client_encryption_options say. Has no state, any thread. */
final class CassandraTls
{
    private CassandraTls()
    {
    }

    static TlsConfig of(final EncryptionOptions.TlsEncryptionPolicy policy)
    {
        return switch (policy)
        {
            case UNENCRYPTED -> TlsConfig.off();
            case OPTIONAL -> verifying(TlsConfig.optional(CassandraTls::context));
            case ENCRYPTED -> verifying(TlsConfig.required(CassandraTls::context));
        };
    }

    private static TlsConfig verifying(final TlsConfig config)
    {
        return DatabaseDescriptor.getNativeProtocolEncryptionOptions().require_endpoint_verification
            ? config.withPeerEndpointVerified()
            : config;
    }

    /** Asked for each connection: Cassandra keeps the context until its key files have changed. */
    private static io.netty.handler.ssl.SslContext context() throws java.io.IOException
    {
        final EncryptionOptions options = DatabaseDescriptor.getNativeProtocolEncryptionOptions();
        return SSLFactory.getOrCreateSslContext(options, options.require_client_auth,
            ISslContextFactory.SocketType.SERVER, PipelineConfigurator.SSL_FACTORY_CONTEXT_DESCRIPTION);
    }
}
