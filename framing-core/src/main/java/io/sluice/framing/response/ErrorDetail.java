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

import io.sluice.framing.Consistency;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolVersion;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What follows code and text in an ERROR (native protocol, section 9). Immutable. */
sealed interface ErrorDetail
{
    /** An address in a map of failures, and its reason. */
    int LONGEST_FAILURE_BYTES = 1 + 16 + Short.BYTES;
    /** A write type that takes part in the protocol's rules. */
    String CAS = "CAS";

    /** At most how many bytes {@link #encode} writes, strings taken as ASCII. */
    int lengthHint();

    /**
     * Writes the tail of this code.
     *
     * @param sent what the client is told, which for an old version may be another code than the error's own
     */
    void encode(BodyWriter out, ErrorCode sent, ProtocolVersion version);

    /** UNAVAILABLE. */
    record Unavailable(Consistency consistency, int required, int alive) implements ErrorDetail
    {
        @Override
        public int lengthHint()
        {
            return Short.BYTES + 2 * Integer.BYTES;
        }

        @Override
        public void encode(final BodyWriter out, final ErrorCode sent, final ProtocolVersion version)
        {
            out.putShort(consistency.code());
            out.putInt(required);
            out.putInt(alive);
        }
    }

    /**
     * All errors that say how many replicas answered.
     *
     * @param reasons of replicas that failed, a code each
     * @param writeType of writes
     * @param contentions of conditional writes
     * @param dataPresent of reads
     */
    record Replicas(
        Consistency consistency,
        int received,
        int blockFor,
        Map<InetAddress, Integer> reasons,
        String writeType,
        int contentions,
        boolean dataPresent) implements ErrorDetail
    {
        public Replicas
        {
            Objects.requireNonNull(consistency, "consistency");
            Objects.requireNonNull(writeType, "writeType");
            for (final Map.Entry<InetAddress, Integer> entry : reasons.entrySet())
            {
                final int reason = entry.getValue();
                if (reason < 0 || reason > 0xFFFF)
                {
                    throw new IllegalArgumentException("reason: " + reason + " (expected: 0..65535)");
                }
            }
        }

        @Override
        public int lengthHint()
        {
            return 2 * Short.BYTES + 4 * Integer.BYTES + LengthHints.ofString(writeType) +
                LONGEST_FAILURE_BYTES * reasons.size();
        }

        @Override
        public void encode(final BodyWriter out, final ErrorCode sent, final ProtocolVersion version)
        {
            out.putShort(consistency.code());
            out.putInt(received);
            out.putInt(blockFor);
            if (sent == ErrorCode.READ_FAILURE || sent == ErrorCode.WRITE_FAILURE)
            {
                putReasons(out, version);
            }
            if (sent == ErrorCode.READ_FAILURE || sent == ErrorCode.READ_TIMEOUT)
            {
                out.putByte(dataPresent ? 1 : 0);
            }
            if (sent == ErrorCode.WRITE_FAILURE || sent == ErrorCode.WRITE_TIMEOUT)
            {
                out.putString(writeType);
            }
            if (sent == ErrorCode.WRITE_TIMEOUT && CAS.equals(writeType) && version.isAtLeast(ProtocolVersion.V5))
            {
                out.putShort(Math.max(0, Math.min(contentions, 0xFFFF)));
            }
        }

        private void putReasons(final BodyWriter out, final ProtocolVersion version)
        {
            out.putInt(reasons.size());
            if (version.isAtLeast(ProtocolVersion.V5))
            {
                for (final Map.Entry<InetAddress, Integer> entry : reasons.entrySet())
                {
                    out.putInetAddress(entry.getKey());
                    out.putShort(entry.getValue());
                }
            }
        }
    }

    /** FUNCTION_FAILURE. */
    record Function(String keyspace, String name, List<String> argumentTypes) implements ErrorDetail
    {
        public Function
        {
            Objects.requireNonNull(keyspace, "keyspace");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(argumentTypes, "argumentTypes");
        }

        @Override
        public int lengthHint()
        {
            return LengthHints.ofString(keyspace) + LengthHints.ofString(name) +
                LengthHints.ofStringList(argumentTypes);
        }

        @Override
        public void encode(final BodyWriter out, final ErrorCode sent, final ProtocolVersion version)
        {
            out.putString(keyspace);
            out.putString(name);
            out.putStringList(argumentTypes);
        }
    }

    /** ALREADY_EXISTS; the table is empty if it is the keyspace that exists. */
    record Existing(String keyspace, String table) implements ErrorDetail
    {
        public Existing
        {
            Objects.requireNonNull(keyspace, "keyspace");
            Objects.requireNonNull(table, "table");
        }

        @Override
        public int lengthHint()
        {
            return LengthHints.ofString(keyspace) + LengthHints.ofString(table);
        }

        @Override
        public void encode(final BodyWriter out, final ErrorCode sent, final ProtocolVersion version)
        {
            out.putString(keyspace);
            out.putString(table);
        }
    }

    /** UNPREPARED. */
    record Unprepared(byte[] id) implements ErrorDetail
    {
        public Unprepared
        {
            Objects.requireNonNull(id, "id");
        }

        @Override
        public int lengthHint()
        {
            return Short.BYTES + id.length;
        }

        @Override
        public void encode(final BodyWriter out, final ErrorCode sent, final ProtocolVersion version)
        {
            out.putShortBytes(id);
        }
    }
}
