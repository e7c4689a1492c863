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

/**
 * What QUERY, EXECUTE and BATCH say beside their statements (native protocol, section 4.1.4). Arrays are owned by the
 * request and not copied. Immutable.
 */
public final class QueryParameters
{
    /** Values follow. */
    public static final int VALUES = 0x0001;
    /** The client has the result metadata already. */
    public static final int SKIP_METADATA = 0x0002;
    /** A page size follows. */
    public static final int PAGE_SIZE = 0x0004;
    /** A paging state follows. */
    public static final int PAGING_STATE = 0x0008;
    /** A serial consistency follows. */
    public static final int SERIAL_CONSISTENCY = 0x0010;
    /** A default timestamp follows. */
    public static final int TIMESTAMP = 0x0020;
    /** Each value has a name. */
    public static final int NAMES = 0x0040;
    /** A keyspace follows. */
    public static final int KEYSPACE = 0x0080;
    /** The current time follows. */
    public static final int NOW_IN_SECONDS = 0x0100;

    /** {@link #timestamp()} if the client gave none. */
    public static final long NO_TIMESTAMP = Long.MIN_VALUE;
    /** {@link #nowInSeconds()} if the client gave none. */
    public static final long NO_NOW_IN_SECONDS = Long.MIN_VALUE;
    /** {@link #pageSize()} if the client gave none or a negative one. */
    public static final int UNPAGED = -1;

    /** What few requests say, apart so that the others need not pay for it. */
    private record Rare(
        String[] names,
        byte[] pagingState,
        Consistency serialConsistency,
        String keyspace,
        long nowInSeconds)
    {

        private static final Rare NOTHING = new Rare(null, null, Consistency.SERIAL, null, NO_NOW_IN_SECONDS);

        private static Rare of(final String[] names,
            final byte[] pagingState,
            final Consistency serialConsistency,
            final String keyspace,
            final long nowInSeconds)
        {
            return names == null && pagingState == null && serialConsistency == Consistency.SERIAL &&
                keyspace == null && nowInSeconds == NO_NOW_IN_SECONDS
                    ? NOTHING
                    : new Rare(names, pagingState, serialConsistency, keyspace, nowInSeconds);
        }
    }

    private final Consistency consistency;
    private final int flags;
    private final byte[][] values;
    private final int pageSize;
    private final long timestamp;
    private final Rare rare;

    /** All fields as below. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    public QueryParameters(final Consistency consistency,
        final int flags,
        final byte[][] values,
        final String[] names,
        final int pageSize,
        final byte[] pagingState,
        final Consistency serialConsistency,
        final long timestamp,
        final String keyspace,
        final long nowInSeconds)
    {
        this.consistency = consistency;
        this.flags = flags;
        this.values = values;
        this.pageSize = pageSize;
        this.timestamp = timestamp;
        this.rare = Rare.of(names, pagingState, serialConsistency, keyspace, nowInSeconds);
    }

    /** How many replicas have to answer. */
    public Consistency consistency()
    {
        return consistency;
    }

    /** The flags as sent, unknown bits included. */
    public int flags()
    {
        return flags;
    }

    /** Cells in wire order, null and {@link Cells#UNSET} as such; never null itself. */
    public byte[][] values()
    {
        return values;
    }

    /** The name of each value, or null if values are by position. */
    public String[] names()
    {
        return rare.names;
    }

    /** True if the result metadata may be left out. */
    public boolean skipMetadata()
    {
        return (flags & SKIP_METADATA) != 0;
    }

    /** In rows; {@link #UNPAGED} or 1 and more. */
    public int pageSize()
    {
        return pageSize;
    }

    /** Where the last page ended, or null. */
    public byte[] pagingState()
    {
        return rare.pagingState;
    }

    /** SERIAL unless the client said otherwise; the node checks that it is a serial level. */
    public Consistency serialConsistency()
    {
        return rare.serialConsistency;
    }

    /** In microseconds since the epoch, or {@link #NO_TIMESTAMP}. */
    public long timestamp()
    {
        return timestamp;
    }

    /** The keyspace for this request alone, or null. */
    public String keyspace()
    {
        return rare.keyspace;
    }

    /** In seconds since the epoch, 0..4,294,967,295, or {@link #NO_NOW_IN_SECONDS}. */
    public long nowInSeconds()
    {
        return rare.nowInSeconds;
    }
}
