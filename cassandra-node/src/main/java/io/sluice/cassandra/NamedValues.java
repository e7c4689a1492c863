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

import io.sluice.framing.request.QueryParameters;

/** Puts values that were bound by name into the order of the statement. Has no state, any thread. */
final class NamedValues
{
    private NamedValues()
    {
    }

    /**
     * The values in the statement's order: those of the request if they have no names. Null if one is missing, or if
     * the order is not known.
     * As in Cassandra the first value of a name counts, and names that the statement does not have are nobody's.
     *
     * @param names of the statement's markers, or null
     */
    static byte[][] inOrder(final QueryParameters parameters, final String[] names)
    {
        final String[] given = parameters.names();
        if (given == null)
        {
            return parameters.values();
        }
        if (names == null)
        {
            return null;
        }
        final byte[][] ordered = new byte[names.length][];
        for (int i = 0; i < names.length; i++)
        {
            final int found = indexOf(given, names[i]);
            if (found < 0)
            {
                return null;
            }
            ordered[i] = parameters.values()[found];
        }
        return ordered;
    }

    private static int indexOf(final String[] names, final String name)
    {
        for (int i = 0; i < names.length; i++)
        {
            if (names[i].equals(name))
            {
                return i;
            }
        }
        return -1;
    }
}
