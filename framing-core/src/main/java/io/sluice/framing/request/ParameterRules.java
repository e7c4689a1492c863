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

import io.sluice.framing.Consistency;
import io.sluice.framing.ProtocolException;

/** Reads the single fields of query parameters that have rules of their own. */
final class ParameterRules
{
    /** Any field behind the values. */
    static final int WITH_TAIL = QueryParameters.PAGE_SIZE | QueryParameters.PAGING_STATE |
        QueryParameters.SERIAL_CONSISTENCY | QueryParameters.TIMESTAMP | QueryParameters.KEYSPACE |
        QueryParameters.NOW_IN_SECONDS;

    private ParameterRules()
    {
    }

    /** Negative means unpaged. Zero is refused, but for a batch, which has no pages. */
    static int pageSize(final BodyReader reader, final int flags, final boolean batch)
    {
        if ((flags & QueryParameters.PAGE_SIZE) == 0)
        {
            return QueryParameters.UNPAGED;
        }
        final int pageSize = reader.readInt();
        if (pageSize == 0 && !batch)
        {
            throw ProtocolException.recoverable("The page size cannot be 0");
        }
        return pageSize <= 0 ? QueryParameters.UNPAGED : pageSize;
    }

    static Consistency serialConsistency(final BodyReader reader, final int flags)
    {
        return (flags & QueryParameters.SERIAL_CONSISTENCY) != 0 ? reader.readConsistency() : Consistency.SERIAL;
    }

    /** Negative ones pass, though the text of version 5 forbids them; the one that means none does not. */
    static long timestamp(final BodyReader reader, final int flags)
    {
        if ((flags & QueryParameters.TIMESTAMP) == 0)
        {
            return QueryParameters.NO_TIMESTAMP;
        }
        final long timestamp = reader.readLong();
        if (timestamp == Long.MIN_VALUE)
        {
            throw ProtocolException.recoverable(
                "timestamp: " + timestamp + " (expected: " + (Long.MIN_VALUE + 1) + ".." + Long.MAX_VALUE + ")");
        }
        return timestamp;
    }

    /** Unsigned. */
    static long nowInSeconds(final BodyReader reader, final int flags)
    {
        return (flags & QueryParameters.NOW_IN_SECONDS) != 0
            ? Integer.toUnsignedLong(reader.readInt())
            : QueryParameters.NO_NOW_IN_SECONDS;
    }
}
