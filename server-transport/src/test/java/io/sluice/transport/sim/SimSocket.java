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
package io.sluice.transport.sim;

/** What lies between a client and its channel: two directions, each open, ended or reset. */
final class SimSocket
{
    final ByteQueue toServer = new ByteQueue();
    final ByteQueue toClient = new ByteQueue();
    /** What the client's and the server's kernels hold of answers together, in bytes. */
    final int capacity;
    /** The client sends no more. */
    boolean clientEnded;
    /** The client has closed: what is sent to it is answered by a reset. */
    boolean clientClosed;
    /** The client is gone, and what was under way with it. */
    boolean clientReset;
    /** The server sends no more. */
    boolean serverEnded;
    /** The server has closed. */
    boolean serverClosed;
    /** The client finds a reset instead of what was under way. */
    boolean serverReset;
    SimChannel channel;

    SimSocket(final int capacity)
    {
        this.capacity = capacity;
    }

    int room()
    {
        return Math.max(0, capacity - toClient.size());
    }

    /** The client's side closes: in order, or by reset if it left answers unread. */
    void closeByClient(final boolean reset)
    {
        if (reset || !toClient.isEmpty())
        {
            clientReset = true;
            toServer.clear();
        }
        clientEnded = true;
        clientClosed = true;
        toClient.clear();
    }

    /** The server sends. */
    void answer(final byte[] bytes)
    {
        if (clientClosed)
        {
            clientReset = true;
            toServer.clear();
        }
        else
        {
            toClient.put(bytes);
        }
    }

    /** The server's side closes: what the client sent and nobody read destroys what was under way to it. */
    void closeByServer()
    {
        serverClosed = true;
        serverEnded = true;
        if (!toServer.isEmpty())
        {
            reset();
        }
    }

    private void reset()
    {
        serverReset = true;
        toServer.clear();
        toClient.clear();
    }

    /** The client sends; to a closed server that means a reset. */
    void send(final byte[] bytes, final int offset, final int length)
    {
        if (serverClosed)
        {
            reset();
        }
        else
        {
            toServer.put(bytes, offset, length);
        }
    }
}
