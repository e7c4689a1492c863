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

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.BodyCompression;
import io.sluice.framing.response.Supported;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the answer to OPTIONS says. Immutable. */
final class SupportedOptions
{
    private final Supported body;

    SupportedOptions(final String cqlVersion, final Map<String, List<String>> more)
    {
        final Map<String, List<String>> options = new LinkedHashMap<>();
        final List<String> versions = new ArrayList<>();
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            versions.add(version.text());
        }
        options.put("PROTOCOL_VERSIONS", versions);
        options.put("COMPRESSION", BodyCompression.SNAPPY.isAvailable() ? List.of("snappy", "lz4") : List.of("lz4"));
        options.put("CQL_VERSION", List.of(cqlVersion));
        options.putAll(more);
        body = new Supported(options);
    }

    Supported body()
    {
        return body;
    }
}
