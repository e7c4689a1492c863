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

import com.datastax.oss.driver.api.core.DefaultProtocolVersion;

/** What a session asks for in its STARTUP: every version and compression that the node serves. */
public enum Wire
{
    V5_PLAIN(DefaultProtocolVersion.V5, "none"),
    V5_LZ4(DefaultProtocolVersion.V5, "lz4"),
    V4_PLAIN(DefaultProtocolVersion.V4, "none"),
    V4_LZ4(DefaultProtocolVersion.V4, "lz4"),
    V4_SNAPPY(DefaultProtocolVersion.V4, "snappy"),
    V3_PLAIN(DefaultProtocolVersion.V3, "none"),
    V3_LZ4(DefaultProtocolVersion.V3, "lz4");

    private final DefaultProtocolVersion version;
    private final String compression;

    Wire(final DefaultProtocolVersion version, final String compression)
    {
        this.version = version;
        this.compression = compression;
    }

    public DefaultProtocolVersion version()
    {
        return version;
    }

    public String compression()
    {
        return compression;
    }

    public boolean atLeastV4()
    {
        return version.getCode() >= DefaultProtocolVersion.V4.getCode();
    }

    public boolean atLeastV5()
    {
        return version.getCode() >= DefaultProtocolVersion.V5.getCode();
    }

    /** A keyspace name of its own, so that the wires do not meet. */
    public String keyspace(final String prefix)
    {
        return prefix + "_" + name().toLowerCase(java.util.Locale.ROOT);
    }
}
