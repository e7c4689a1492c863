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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.ValueIn;
import net.openhft.chronicle.wire.WireIn;
import org.apache.cassandra.audit.BinAuditLogger;
import org.apache.cassandra.fql.FullQueryLogger;
import org.apache.cassandra.utils.binlog.BinLog;

/** Reads Cassandra's binary logs as its tools do: a line of text for each record. Has no state, any thread. */
public final class BinaryLog
{
    private BinaryLog()
    {
    }

    /** All records so far, without their times. */
    public static List<String> read(final Path folder)
    {
        final List<String> records = new ArrayList<>();
        try (ChronicleQueue queue = SingleChronicleQueueBuilder.single(folder.toFile())
            .readOnly(true)
            .rollCycle(
                RollCycles.valueOf("HOURLY"))
            .build(); ExcerptTailer tailer = queue.createTailer())
        {
            boolean more = true;
            while (more)
            {
                more = tailer.readDocument(wire -> records.add(record(wire)));
            }
        }
        return records;
    }

    private static String record(final WireIn wire)
    {
        wire.read(BinLog.VERSION).int16();
        final String type = wire.read(BinLog.TYPE).text();
        if (BinAuditLogger.AUDITLOG_TYPE.equals(type))
        {
            return wire.read(BinAuditLogger.AUDITLOG_MESSAGE).text();
        }
        wire.read(FullQueryLogger.QUERY_START_TIME).int64();
        final StringBuilder text = new StringBuilder(type).append(" version ")
            .append(wire.read(FullQueryLogger.PROTOCOL_VERSION).int32())
            .append(" options ")
            .append(hex(wire.read(FullQueryLogger.QUERY_OPTIONS).bytes()))
            .append(" timestamp ")
            .append(wire.read(FullQueryLogger.GENERATED_TIMESTAMP).int64())
            .append(" now ")
            .append(wire.read(FullQueryLogger.GENERATED_NOW_IN_SECONDS).int64())
            .append(" keyspace ")
            .append(wire.read(FullQueryLogger.KEYSPACE).text());
        if (FullQueryLogger.SINGLE_QUERY.equals(type))
        {
            return text.append(' ').append(wire.read(FullQueryLogger.QUERY).text()).toString();
        }
        text.append(' ').append(wire.read(FullQueryLogger.BATCH_TYPE).text());
        final ValueIn queries = wire.read(FullQueryLogger.QUERIES);
        final int size = queries.int32();
        for (int i = 0; i < size; i++)
        {
            text.append("; ").append(queries.text());
        }
        values(wire.read(FullQueryLogger.VALUES), text);
        return text.toString();
    }

    private static void values(final ValueIn values, final StringBuilder text)
    {
        final int size = values.int32();
        for (int i = 0; i < size; i++)
        {
            text.append("; values");
            final int cells = values.int32();
            for (int j = 0; j < cells; j++)
            {
                text.append(' ').append(hex(values.bytes()));
            }
        }
    }

    /** Hexadecimal digits of a value, as they are in what {@link #read} returns. */
    public static String hex(final byte[] value)
    {
        return value == null ? "null" : HexFormat.of().formatHex(value);
    }
}
