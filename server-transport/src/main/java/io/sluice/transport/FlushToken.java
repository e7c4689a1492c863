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
package io.sluice.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.sluice.memory.BufferLease;
import java.util.Arrays;

/**
 * Knows when the socket has taken everything of one flush: the promise of each of its writes, used over and over. It
 * never becomes done; it counts.
 * <p>
 * Confined to the connection's event loop.
 */
final class FlushToken extends DefaultChannelPromise
{
    private final Connection connection;
    /** In the connection's list of idle tokens. */
    FlushToken nextIdle;
    private BufferLease[] leases = new BufferLease[4];
    private int leaseCount;
    private int writesPending;
    private boolean sealed;
    private long requestBytes;
    private long answerBytes;

    FlushToken(final Channel channel, final Connection connection)
    {
        super(channel);
        this.connection = connection;
    }

    /** One more buffer of this flush, owned by the token until the socket took it. */
    void addWrite(final BufferLease lease)
    {
        if (leaseCount == leases.length)
        {
            leases = Arrays.copyOf(leases, 2 * leaseCount);
        }
        leases[leaseCount++] = lease;
        writesPending++;
    }

    /** One more answer of this flush, with what is to be given back when the socket took it. */
    void addAnswer(final long newRequestBytes, final long newAnswerBytes)
    {
        requestBytes += newRequestBytes;
        answerBytes += newAnswerBytes;
    }

    /** All writes of this flush were made; the last may be done already. */
    void seal()
    {
        sealed = true;
        completeIfDone();
    }

    private void written()
    {
        writesPending--;
        completeIfDone();
    }

    private void completeIfDone()
    {
        if (sealed && writesPending == 0)
        {
            final long releasedRequestBytes = requestBytes;
            final long releasedAnswerBytes = answerBytes;
            for (int i = 0; i < leaseCount; i++)
            {
                leases[i].close();
                leases[i] = null;
            }
            leaseCount = 0;
            requestBytes = 0;
            answerBytes = 0;
            sealed = false;
            connection.onFlushed(this, releasedRequestBytes, releasedAnswerBytes);
        }
    }

    @Override
    public boolean trySuccess()
    {
        written();
        return true;
    }

    @Override
    public boolean trySuccess(final Void result)
    {
        written();
        return true;
    }

    @Override
    public ChannelPromise setSuccess()
    {
        written();
        return this;
    }

    @Override
    public ChannelPromise setSuccess(final Void result)
    {
        written();
        return this;
    }

    @Override
    public boolean tryFailure(final Throwable cause)
    {
        written();
        connection.onWriteFailed(cause);
        return true;
    }

    @Override
    public ChannelPromise setFailure(final Throwable cause)
    {
        written();
        connection.onWriteFailed(cause);
        return this;
    }

    @Override
    public boolean setUncancellable()
    {
        return true;
    }

    @Override
    public boolean cancel(final boolean mayInterruptIfRunning)
    {
        return false;
    }
}
