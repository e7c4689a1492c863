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
package io.sluice.cassandra.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Well-formed requests that Cassandra fails at in ways it did not foresee: the client hears nothing of Java's, the log
 * is not filled by it, and the connection goes on.
 */
@ExtendWith(NodeExtension.class)
@NodeExtension.Warns
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock tells all of it")
final class HostileStatementsIT
{
    private static final int SERVER_ERROR = 0;
    private static final int PROTOCOL_ERROR = 0x0A;
    private static final int PAGE_SIZE = 4;
    private static final int PAGING_STATE = 8;
    private static final int HAS_MORE_PAGES = 2;
    private static final int DEPTH = 30_000;
    private static final int REPETITIONS = 20;

    private final TestNode node;

    HostileStatementsIT(final TestNode node)
    {
        this.node = node;
    }

    private static void expectServed(final WireClient client) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.query(client.version(), 1, "SELECT key FROM system.local"));
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
    }

    /** In any words: {@link WireClient} looks for names of packages and exceptions only. */
    private static void expectError(final WireEnvelope answer, final int streamId, final int... codes)
    {
        assertEquals(streamId, answer.streamId());
        assertEquals(Opcode.ERROR, answer.type(), answer::toString);
        assertTrue(Arrays.stream(codes).anyMatch(code -> code == answer.errorCode()), answer::toString);
        assertFalse(answer.errorMessage().contains("java") || answer.errorMessage().contains("Error") ||
            answer.errorMessage().contains("cassandra."), answer::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void nestingThatOverflowsTheParsersStack(final int version) throws IOException
    {
        final Logger logger = (Logger)LoggerFactory.getLogger("io.sluice");
        final ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try (WireClient client = WireClient.ready(node.address(), version, null))
        {
            for (int i = 0; i < REPETITIONS; i++)
            {
                for (final String cql : List.of("SELECT key FROM system.local WHERE key = " + "[".repeat(DEPTH),
                    "INSERT INTO system.local (key) VALUES (" + "{".repeat(DEPTH),
                    "SELECT " + "(".repeat(DEPTH) + "key FROM system.local"))
                {
                    expectError(client.ask(Requests.query(version, 7, cql)), 7, SERVER_ERROR);
                    expectError(client.ask(Requests.prepare(version, 8, cql)), 8, SERVER_ERROR);
                }
            }
            expectServed(client);
        }
        finally
        {
            logger.detachAppender(lines);
            lines.stop();
        }
        // One a minute, and the minute may have turned once while this ran.
        final List<ILoggingEvent> loud = lines.list.stream()
            .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
            .toList();
        assertTrue(loud.size() <= 2, loud::toString);
    }

    /** Each byte of a good state turned into several others, and the state cut short anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void pagingStatesThatTheServerNeverWrote(final int version) throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), version, null))
        {
            final String cql = "SELECT * FROM system_schema.columns WHERE keyspace_name = 'system'";
            final byte[] good = stateOf(client.ask(page(version, 3, cql, null)));
            final WireEnvelope second = client.ask(page(version, 4, cql, good));
            assertEquals(Opcode.RESULT, second.type(), second::toString);
            for (int i = 0; i < good.length; i++)
            {
                for (final int value : new int[]{0, 1, 0x7F, 0x80, 0xFF, good[i] + 1})
                {
                    final byte[] bad = good.clone();
                    bad[i] = (byte)value;
                    expectPageOrError(client, cql, bad);
                }
                expectPageOrError(client, cql, Arrays.copyOf(good, i));
                expectPageOrError(client, cql, Arrays.copyOf(good, good.length + i));
            }
            expectServed(client);
        }
    }

    private static void expectPageOrError(final WireClient client, final String cql, final byte[] state)
        throws IOException
    {
        final WireEnvelope answer = client.ask(page(client.version(), 5, cql, state));
        assertEquals(5, answer.streamId());
        if (answer.type() != Opcode.RESULT)
        {
            // What is no state at all is the client's fault; what only the statement shows to be wrong fails in it.
            expectError(answer, 5, PROTOCOL_ERROR, SERVER_ERROR);
        }
    }

    private static byte[] page(final int version, final int streamId, final String cql, final byte[] state)
    {
        final WireBytes body = new WireBytes().longString(cql).u16(1);
        Requests.flags(version, body, state == null ? PAGE_SIZE : PAGE_SIZE | PAGING_STATE).i32(2);
        if (state != null)
        {
            body.value(state);
        }
        return Requests.envelope(version, 0, streamId, Opcode.QUERY.code(), body.toArray());
    }

    /** Rows begin with their kind, flags, number of columns and, if there are more pages, the state. */
    private static byte[] stateOf(final WireEnvelope rows)
    {
        assertTrue((rows.intAt(4) & HAS_MORE_PAGES) != 0, rows::toString);
        final int start = 16;
        return Arrays.copyOfRange(rows.body(), start, start + rows.intAt(12));
    }
}
