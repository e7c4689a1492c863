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
package io.sluice.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A way to talk to the server: protocol version and what is agreed in STARTUP. */
record Profile(int version, Compression compression)
{
    boolean isSegmented()
    {
        return version >= 5;
    }

    boolean isLz4Segmented()
    {
        return isSegmented() && compression == Compression.LZ4;
    }

    /** For example {@code v4-snappy}. */
    String label()
    {
        return "v" + version + (compression == Compression.NONE ? "" : "-" + compression.wireName());
    }

    /** Every legal profile that the command line asks for; zero and null leave the choice open. */
    static List<Profile> select(final int version, final Compression compression)
    {
        final List<Profile> selected = new ArrayList<>();
        for (int v = 3; v <= 5; v++)
        {
            for (final Compression c : Compression.values())
            {
                final boolean legal = v < 5 || c != Compression.SNAPPY;
                if (legal && (version == 0 || version == v) && (compression == null || compression == c))
                {
                    selected.add(new Profile(v, c));
                }
            }
        }
        return selected;
    }

    static Compression compressionOf(final String name)
    {
        return Compression.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
