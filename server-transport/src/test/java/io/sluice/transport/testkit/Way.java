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
package io.sluice.transport.testkit;

import io.netty.handler.ssl.SslProvider;

/** How a client talks to the server: version, compression, and TLS with the server's engine. */
public enum Way
{
    V3(3, null, null),
    V3_LZ4(3, "lz4", null),
    V3_TLS(3, null, SslProvider.OPENSSL),
    V4(4, null, null),
    V4_LZ4(4, "lz4", null),
    V4_SNAPPY(4, "snappy", null),
    V4_SNAPPY_TLS(4, "snappy", SslProvider.JDK),
    V5(5, null, null),
    V5_LZ4(5, "lz4", null),
    V5_TLS(5, null, SslProvider.JDK),
    V5_LZ4_TLS(5, "lz4", SslProvider.OPENSSL);

    private final int version;
    private final String compression;
    private final SslProvider tls;

    Way(final int version, final String compression, final SslProvider tls)
    {
        this.version = version;
        this.compression = compression;
        this.tls = tls;
    }

    /** The protocol version. */
    public int version()
    {
        return version;
    }

    /** What STARTUP asks for, or null. */
    public String compression()
    {
        return compression;
    }

    /** The server's engine, or null without TLS. */
    public SslProvider tls()
    {
        return tls;
    }

    /** True if envelopes travel in segments. */
    public boolean inSegments()
    {
        return version >= 5;
    }
}
