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

import io.sluice.transport.testkit.Await;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.hints.Hint;
import org.apache.cassandra.hints.HintsService;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.service.StorageService;

/** A second node of the ring, which gossip knows to be down, and the hints that are kept for it. */
public final class DownReplica implements AutoCloseable
{
    private final UUID hostId = UUID.randomUUID();
    private final InetAddressAndPort address;
    private int seen;

    /** @param key the partition that is this node's if there is one replica only */
    public DownReplica(final byte[] key) throws UnknownHostException
    {
        this(DatabaseDescriptor.getPartitioner().getToken(ByteBuffer.wrap(key)));
    }

    private DownReplica(final Token token) throws UnknownHostException
    {
        address = InetAddressAndPort.getByName("127.0.0.9");
        Gossiper.runInGossipStageBlocking(() ->
        {
            Gossiper.instance.initializeNodeUnsafe(address, hostId, 1);
            Gossiper.instance.markDead(address, Gossiper.instance.getEndpointStateForEndpoint(address));
        });
        final TokenMetadata ring = StorageService.instance.getTokenMetadata();
        ring.updateHostId(hostId, address);
        ring.updateNormalTokens(Set.of(token), address);
    }

    /** One that has next to nothing where there is one replica only, so that what is stored there stays in reach. */
    public static DownReplica asSecondReplica() throws UnknownHostException
    {
        final Token own = StorageService.instance.getLocalTokens().iterator().next();
        return new DownReplica(own.nextValidToken());
    }

    /** The mutations hinted since the last call, as bytes, in no order. */
    public List<String> hints() throws Exception
    {
        Await.until("hints are written", () -> StorageMetrics.totalHintsInProgress.getCount() == 0);
        HintsService.instance.flushAndFsyncBlockingly(List.of(hostId));
        final List<String> all = new ArrayList<>();
        for (final File file : DatabaseDescriptor.getHintsDirectory()
            .tryList(file -> file.name().startsWith(hostId.toString()) && file.name().endsWith(".hints")))
        {
            read(file, all);
        }
        final List<String> added = new ArrayList<>(all.subList(seen, all.size()));
        seen = all.size();
        Collections.sort(added);
        return added;
    }

    /** By Cassandra's own reader, which it keeps to itself. */
    private static void read(final File file, final List<String> hints) throws Exception
    {
        final Method open = Class.forName("org.apache.cassandra.hints.HintsReader")
            .getDeclaredMethod("open",
                File.class);
        open.setAccessible(true);
        final Field mutation = Hint.class.getDeclaredField("mutation");
        mutation.setAccessible(true);
        try (AutoCloseable reader = (AutoCloseable)open.invoke(null, file))
        {
            for (final Object page : (Iterable<?>)reader)
            {
                final Method ofPage = page.getClass().getDeclaredMethod("hintsIterator");
                ofPage.setAccessible(true);
                final Iterator<?> each = (Iterator<?>)ofPage.invoke(page);
                while (each.hasNext())
                {
                    hints.add(MutationBytes.hex((Mutation)mutation.get(each.next())));
                }
            }
        }
    }

    @Override
    public void close()
    {
        HintsService.instance.excise(hostId);
        Gossiper.runInGossipStageBlocking(() -> Gossiper.instance.unsafeAnnulEndpoint(address));
    }
}
