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
package io.sluice.framing.request;

import io.sluice.framing.ProtocolVersion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How a client opens a connection. Immutable.
 *
 * @param cqlVersion which it must name, or null if it did not
 * @param compression as sent, matched without regard to case; null for none, empty is a name too
 * @param throwOnOverload true to get errors under overload instead of being read from more slowly
 * @param driverName or null
 * @param driverVersion or null
 * @param options all of them, known or not, under upper-case keys
 */
public record StartupRequest(
    String cqlVersion,
    String compression,
    boolean throwOnOverload,
    String driverName,
    String driverVersion,
    Map<String, String> options)
{

    /** Option: the version of CQL; required. */
    public static final String CQL_VERSION = "CQL_VERSION";
    /** Option: the compression of bodies or segments. */
    public static final String COMPRESSION = "COMPRESSION";
    /** Option: "1" to get errors under overload. */
    public static final String THROW_ON_OVERLOAD = "THROW_ON_OVERLOAD";
    /** Option: for operators to see. */
    public static final String DRIVER_NAME = "DRIVER_NAME";
    /** Option: for operators to see. */
    public static final String DRIVER_VERSION = "DRIVER_VERSION";

    /**
     * The message in a STARTUP body. Whether its options make sense is the handshake's business.
     *
     * @param body borrowed until return, at its start
     * @throws io.sluice.framing.ProtocolException if the body is not what it should be
     */
    @SuppressWarnings("unused")
    public static StartupRequest decode(final BodyReader body, final ProtocolVersion version)
    {
        final Map<String, String> options = new LinkedHashMap<>();
        for (final Map.Entry<String, String> entry : body.readStringMap().entrySet())
        {
            options.put(entry.getKey().toUpperCase(Locale.ROOT), entry.getValue());
        }
        return new StartupRequest(options.get(CQL_VERSION), options.get(COMPRESSION),
            "1".equals(options.get(THROW_ON_OVERLOAD)), options.get(DRIVER_NAME), options.get(DRIVER_VERSION),
            Collections.unmodifiableMap(options));
    }
}
