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
package io.sluice.cassandra.tlsrequired;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.protocol.internal.util.Bytes;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS or nothing: small and large values over it, and plain clients turned away. */
@ExtendWith(NodeExtension.class)
final class TlsRequiredIT
{
    private static final int[] SIZES = {0, 100, 16_383, 16_384, 16_385, 131_072, 1 << 20, 15 << 20};

    private final TestNode node;

    TlsRequiredIT(final TestNode node)
    {
        this.node = node;
    }

    @ParameterizedTest
    @EnumSource
    void carriesValuesBothWays(final Wire wire)
    {
        final String keyspace = wire.keyspace("tls");
        try (CqlSession session = node.connectTls(wire))
        {
            session.execute("CREATE KEYSPACE " + keyspace +
                " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            session.execute("CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY, b blob)");
            for (final int size : SIZES)
            {
                final byte[] value = new byte[size];
                new SplittableRandom(size).nextBytes(value);
                session.execute(session.prepare("INSERT INTO " + keyspace + ".t (k, b) VALUES (?, ?)")
                    .bind(1,
                        ByteBuffer.wrap(value)));
                assertArrayEquals(value, Bytes.getArray(session.execute("SELECT b FROM " + keyspace +
                    ".t WHERE k = 1").one().getByteBuffer(0)), () -> "size " + size);
            }
            assertEquals(wire.version(), session.getContext().getProtocolVersion());
        }
    }

    @ParameterizedTest
    @EnumSource
    void turnsPlainClientsAway(final Wire wire)
    {
        assertThrows(AllNodesFailedException.class, () -> node.connect(wire).close());
    }
}
