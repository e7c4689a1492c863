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

/**
 * Bound values: each is a {@code byte[]} of exactly its own length, owned by the request. Null is the CQL null.
 */
public final class Cells
{
    /** The value that says: leave the column as it is. Told by identity, since an empty value is something else. */
    public static final byte[] UNSET = new byte[0];

    /** No values. */
    public static final byte[][] NONE = new byte[0][];

    private Cells()
    {
    }

    /** True for the identity constant alone. */
    public static boolean isUnset(final byte[] cell)
    {
        return cell == UNSET;
    }
}
