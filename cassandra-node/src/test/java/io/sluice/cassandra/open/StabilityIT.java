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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.transport.ClientConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.exceptions.UnrecoverableIllegalStateException;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Java Error on a thread of ours reaches Cassandra's JVMStabilityInspector, which alone decides what comes of it. */
@ExtendWith(NodeExtension.class)
@NodeExtension.Warns
final class StabilityIT
{
    private static final long PATIENCE_SECONDS = 60;

    private final TestNode node;
    private final Queue<Throwable> kills = new ConcurrentLinkedQueue<>();
    private final CountDownLatch killed = new CountDownLatch(1);
    private JVMStabilityInspector.Killer before;

    StabilityIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void begin()
    {
        before = JVMStabilityInspector.replaceKiller(new JVMStabilityInspector.Killer()
        {
            @Override
            protected void killCurrentJVM(final Throwable error, final boolean quiet)
            {
                kills.add(error);
                killed.countDown();
            }
        });
    }

    @AfterEach
    void end()
    {
        JVMStabilityInspector.replaceKiller(before);
    }

    private void expectKilled() throws InterruptedException
    {
        assertTrue(killed.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "never seen");
        assertEquals(UnrecoverableIllegalStateException.class, kills.peek().getClass());
    }

    @Test
    void errorOnARequestThread() throws InterruptedException
    {
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            session.execute(
                "CREATE KEYSPACE stability WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            session.execute("CREATE TABLE stability.triggered (k int PRIMARY KEY)");
            session.execute("CREATE TRIGGER failing ON stability.triggered USING '" + FailingTrigger.class.getName() +
                "'");
            final ServerError answer = assertThrows(ServerError.class, () -> session.execute(
                "INSERT INTO stability.triggered (k) VALUES (1)"));
            expectKilled();
            assertFalse(answer.getMessage().contains("io.sluice"), answer::getMessage);
            // The inspector let it live: the same connection is served.
            assertTrue(session.execute("SELECT k FROM stability.triggered").all().isEmpty());
            session.execute("DROP KEYSPACE stability");
        }
    }

    @Test
    void errorOnALoopThread() throws InterruptedException
    {
        assumeTrue(node.transport() != null, "the node's own transport serves");
        final AtomicBoolean armed = new AtomicBoolean(true);
        try (CqlSession session = node.connect(Wire.V4_PLAIN))
        {
            for (final ClientConnection connection : node.transport().connections())
            {
                connection.channel().pipeline().addFirst(new FailingReader(armed));
            }
            try
            {
                session.execute("SELECT key FROM system.local");
            }
            catch (final DriverException e)
            {
                // It was this one's connection that failed.
            }
            expectKilled();
        }
        assertFalse(armed.get());
        try (CqlSession session = node.connect(Wire.V5_LZ4))
        {
            assertEquals(1, session.execute("SELECT key FROM system.local").all().size());
        }
    }

    /** Fails at the first bytes that come on any connection. */
    private static final class FailingReader extends ChannelInboundHandlerAdapter
    {
        private final AtomicBoolean armed;

        FailingReader(final AtomicBoolean armed)
        {
            this.armed = armed;
        }

        @Override
        public void channelRead(final ChannelHandlerContext ctx, final Object message) throws Exception
        {
            if (armed.compareAndSet(true, false))
            {
                ReferenceCountUtil.release(message);
                throw FailingTrigger.error();
            }
            super.channelRead(ctx, message);
        }
    }
}
