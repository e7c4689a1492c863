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

import io.sluice.framing.request.StatementId;
import org.apache.cassandra.utils.MD5Digest;

/**
 * Cassandra's form of a prepared statement's id and of the result metadata id that came with it last, so that a known
 * id costs no object per request, and the statement's plan. Kept as the attachment of its {@link StatementId}. Any
 * thread.
 */
final class PreparedId
{
    /** Bytes and digest belong together, hence one object. */
    private record Metadata(byte[] bytes, MD5Digest digest)
    {
    }

    private final MD5Digest digest;
    /** Written by any request thread; whichever is there is as good as another. */
    private volatile Metadata last;
    /** Written by any request thread; looked at again before it is used. */
    private volatile PlannedStatement planned;
    /** Set once the id is in the table: to be learned no more. */
    private volatile boolean known;

    private PreparedId(final MD5Digest digest)
    {
        this.digest = digest;
    }

    /** The form of this id, made at its first use. */
    static PreparedId of(final StatementId id)
    {
        final Object kept = id.attachment();
        if (kept != null)
        {
            return (PreparedId)kept;
        }
        final PreparedId made = new PreparedId(MD5Digest.wrap(id.bytes()));
        id.attachment(made);
        return made;
    }

    MD5Digest digest()
    {
        return digest;
    }

    /** The digest of these bytes; null for null. */
    MD5Digest metadata(final byte[] bytes)
    {
        if (bytes == null)
        {
            return null;
        }
        final Metadata latest = last;
        if (latest != null && latest.bytes == bytes)
        {
            return latest.digest;
        }
        final MD5Digest made = MD5Digest.wrap(bytes);
        last = new Metadata(bytes, made);
        return made;
    }

    /** True if the table of known ids has it. */
    boolean isKnown()
    {
        return known;
    }

    void markKnown()
    {
        known = true;
    }

    /** What was found out about the statement last, or null; {@link PlannedStatement#holdsFor} says if it holds. */
    PlannedStatement planned()
    {
        return planned;
    }

    void planned(final PlannedStatement latest)
    {
        planned = latest;
    }
}
