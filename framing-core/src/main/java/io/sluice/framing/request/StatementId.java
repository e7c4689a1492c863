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
package io.sluice.framing.request;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The id of a prepared statement. Where ids are interned, one object stands for all requests that carry the same bytes,
 * and the node may keep its own form of the id with it.
 * <p>
 * Immutable but for the attachment, which any thread may set: all of them to equal objects.
 */
public final class StatementId
{
    private final byte[] bytes;
    private final int hash;
    private volatile Object attachment;

    /** Takes the array over: it must not change from now on. */
    public StatementId(final byte[] bytes)
    {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /** As on the wire; borrowed, not to be changed. */
    public byte[] bytes()
    {
        return bytes;
    }

    /** The node's form of this id, or null. */
    public Object attachment()
    {
        return attachment;
    }

    /** Keeps the node's form of this id. */
    public void attachment(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    @Override
    public boolean equals(final Object other)
    {
        return this == other || other instanceof StatementId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public String toString()
    {
        return HexFormat.of().formatHex(bytes);
    }
}
