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
package io.sluice.framing;

/** The flag bits of an envelope header (native protocol, section 2.2). Bits 0xE0 are ignored. */
public final class EnvelopeFlags
{
    /** Body compressed as a whole; versions 3 and 4 only, ignored in version 5. */
    public static final int COMPRESSED = 0x01;
    /** Request: trace it. Response: starts with a tracing id. */
    public static final int TRACING = 0x02;
    /** Body starts (after tracing id and warnings) with a bytes map. From version 4. */
    public static final int CUSTOM_PAYLOAD = 0x04;
    /** Response: carries a list of warnings. From version 4. */
    public static final int WARNING = 0x08;
    /** The client knows that the version is not final. */
    public static final int USE_BETA = 0x10;

    private EnvelopeFlags()
    {
    }
}
