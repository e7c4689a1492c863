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

import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.schema.ColumnMetadata;

/**
 * How a prepared write becomes a row: for each part of the key and each column, which bound value it takes. A part is
 * given by its source: an index of the bound values, or, below 0, the complement of an index of the constants. It does
 * not refer to Cassandra's statement, which Cassandra may forget at any time to make room. Immutable, arrays included;
 * any thread.
 *
 * @param shape what kind of row it makes
 * @param columns the columns that are written, in the order of the row
 * @param types what each bound value is checked against; null for those that are checked where they are used
 * @param names of the bound values
 */
record WritePlan(
    Shape shape,
    ColumnMetadata[] columns,
    AbstractType<?>[] types,
    String[] names,
    Sources sources)
{
    /** What a statement leaves behind. */
    enum Shape
    {
        /** A row that exists by itself. */
        INSERT,
        /** Columns of a row; also what DELETE with columns makes. */
        CELLS,
        /** A deleted row. */
        DELETE_ROW,
        /** A deleted partition. */
        DELETE_PARTITION
    }

    /**
     * Where everything comes from.
     *
     * @param values for each of {@link WritePlan#columns}
     * @param timestamp {@link #ABSENT} if there is no USING TIMESTAMP
     * @param timeToLive {@link #ABSENT} if there is no USING TTL
     * @param constants literals of the statement; null is the CQL null
     */
    record Sources(
        int[] partitionKey,
        int[] clustering,
        int[] values,
        int timestamp,
        int timeToLive,
        byte[][] constants)
    {

        /** No source. */
        static final int ABSENT = Integer.MIN_VALUE;

        /** The cell of a source that is not {@link #ABSENT}. */
        byte[] cell(final int source, final byte[][] bound)
        {
            return source >= 0 ? bound[source] : constants[~source];
        }
    }
}
