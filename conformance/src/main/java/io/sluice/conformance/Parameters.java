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

/**
 * The parameters of QUERY, EXECUTE and BATCH, in the order of the protocol; any flag may be added without its field.
 */
final class Parameters
{
    static final int ONE = 0x0001;
    static final int SERIAL = 0x0008;

    static final int VALUES = 0x0001;
    static final int SKIP_METADATA = 0x0002;
    static final int PAGE_SIZE = 0x0004;
    static final int PAGING_STATE = 0x0008;
    static final int SERIAL_CONSISTENCY = 0x0010;
    static final int TIMESTAMP = 0x0020;
    static final int NAMES = 0x0040;
    static final int KEYSPACE = 0x0080;
    static final int NOW_IN_SECONDS = 0x0100;

    private int consistency = ONE;
    private int flags;
    private int claimedValues = -1;
    private final List<byte[]> values = new ArrayList<>();
    private Integer pageSize;
    private byte[] pagingState;
    private Integer serialConsistency;
    private Long timestamp;
    private String keyspace;
    private Integer nowInSeconds;

    /** {@code [value]} of the bytes given. */
    static byte[] value(final byte[] bytes)
    {
        return new ByteBuilder().bytes(bytes).toBytes();
    }

    static byte[] intValue(final int number)
    {
        return new ByteBuilder().int32(4).int32(number).toBytes();
    }

    static byte[] textValue(final String text)
    {
        return new ByteBuilder().longString(text).toBytes();
    }

    /** {@code [value]} that is a bare length, with nothing behind it. */
    static byte[] bareLength(final int length)
    {
        return new ByteBuilder().int32(length).toBytes();
    }

    static byte[] named(final String name, final byte[] value)
    {
        return new ByteBuilder().string(name).raw(value).toBytes();
    }

    Parameters consistency(final int code)
    {
        consistency = code;
        return this;
    }

    Parameters flag(final int bits)
    {
        flags |= bits;
        return this;
    }

    Parameters values(final byte[]... encoded)
    {
        values.addAll(List.of(encoded));
        return flag(VALUES);
    }

    Parameters claimValues(final int count)
    {
        claimedValues = count;
        return flag(VALUES);
    }

    Parameters pageSize(final int rows)
    {
        pageSize = rows;
        return flag(PAGE_SIZE);
    }

    Parameters pagingState(final byte[] encoded)
    {
        pagingState = encoded;
        return flag(PAGING_STATE);
    }

    Parameters serialConsistency(final int code)
    {
        serialConsistency = code;
        return flag(SERIAL_CONSISTENCY);
    }

    Parameters timestamp(final long micros)
    {
        timestamp = micros;
        return flag(TIMESTAMP);
    }

    Parameters keyspace(final String name)
    {
        keyspace = name;
        return flag(KEYSPACE);
    }

    Parameters nowInSeconds(final int seconds)
    {
        nowInSeconds = seconds;
        return flag(NOW_IN_SECONDS);
    }

    byte[] toBytes(final int version)
    {
        final ByteBuilder out = new ByteBuilder().int16(consistency);
        if (version >= 5)
        {
            out.int32(flags);
        }
        else
        {
            out.int8(flags);
        }
        if (!values.isEmpty() || claimedValues >= 0)
        {
            out.int16(claimedValues >= 0 ? claimedValues : values.size());
            values.forEach(out::raw);
        }
        if (pageSize != null)
        {
            out.int32(pageSize);
        }
        if (pagingState != null)
        {
            out.raw(pagingState);
        }
        if (serialConsistency != null)
        {
            out.int16(serialConsistency);
        }
        if (timestamp != null)
        {
            out.int64(timestamp);
        }
        if (keyspace != null)
        {
            out.string(keyspace);
        }
        if (nowInSeconds != null)
        {
            out.int32(nowInSeconds);
        }
        return out.toBytes();
    }
}
