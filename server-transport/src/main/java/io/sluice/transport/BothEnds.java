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

import java.util.ArrayDeque;

/**
 * New clients that wait: the oldest and the newest have their turn alternately. With the oldest alone, a storm of
 * clients that wait for a second and then come again would never end, since each had waited for nearly that long when
 * its turn came; with the newest alone, the patient ones would wait for all others. Not thread-safe.
 *
 * @param <T> what waits
 */
final class BothEnds<T>
{
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private boolean isNewestNext = true;

    void add(final T item)
    {
        waiting.add(item);
    }

    /** Whose turn it is; null if nobody waits. */
    T next()
    {
        isNewestNext = !isNewestNext;
        return isNewestNext ? waiting.pollLast() : waiting.pollFirst();
    }

    /** Takes one back; false if it has had its turn. */
    boolean remove(final T item)
    {
        return waiting.removeLastOccurrence(item);
    }

    int size()
    {
        return waiting.size();
    }
}
