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
package io.sluice.framing.response;

import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import java.net.InetAddress;
import java.util.Objects;

/**
 * EVENT: a node came, went or moved. Immutable.
 *
 * @param address of the node, for clients
 * @param port of the node, for clients
 */
public record TopologyChangeEvent(Change change, InetAddress address, int port) implements ResponseBody
{
    /** What happened. The name goes on the wire. */
    public enum Change
    {
        /** It joined. */
        NEW_NODE,
        /** It left. */
        REMOVED_NODE,
        /** It has other tokens. */
        MOVED_NODE
    }

    private static final int LONGEST_INET_BYTES = 21;

    /** Checks that all is there. */
    public TopologyChangeEvent
    {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(address, "address");
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.EVENT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return LengthHints.ofString(EventType.TOPOLOGY_CHANGE.name()) + LengthHints.ofString(change.name()) +
            LONGEST_INET_BYTES;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putString(EventType.TOPOLOGY_CHANGE.name());
        out.putString(change.name());
        out.putInet(address, port);
    }
}
