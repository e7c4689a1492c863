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
package io.sluice.bench.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What each kind of client did, what came of it, and all that went wrong. Any thread. */
final class Ledger
{
    private static final int MOST_FAULTS = 100;

    private final Map<String, LongAdder> actions = new ConcurrentSkipListMap<>();
    private final Map<String, Map<String, LongAdder>> outcomes = new ConcurrentSkipListMap<>();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final Consumer<String> witness;
    private final AtomicLong faultCount = new AtomicLong();

    /** @param witness hears of the first hundred faults when they happen; from any thread */
    Ledger(final Consumer<String> witness)
    {
        this.witness = witness;
    }

    /** Makes a kind known, so that it shows if it never acts. */
    void expect(final String kind)
    {
        actions.computeIfAbsent(kind, key -> new LongAdder());
        outcomes.computeIfAbsent(kind, key -> new ConcurrentSkipListMap<>());
    }

    /** Counts something that a client did to the server. */
    void acted(final String kind)
    {
        actions.computeIfAbsent(kind, key -> new LongAdder()).increment();
    }

    /** Counts what came of it. */
    void outcome(final String kind, final String what)
    {
        outcomes.computeIfAbsent(kind, key -> new ConcurrentSkipListMap<>())
            .computeIfAbsent(what, key -> new LongAdder())
            .increment();
    }

    /** Something that must not be: the run fails. The first hundred are kept by name. */
    void fault(final String kind, final String what)
    {
        if (faultCount.incrementAndGet() <= MOST_FAULTS)
        {
            faults.add(kind + ": " + what);
            witness.accept("FAULT " + kind + ": " + what);
        }
    }

    long faultCount()
    {
        return faultCount.get();
    }

    List<String> faults()
    {
        synchronized (faults)
        {
            return List.copyOf(faults);
        }
    }

    /** By kind. */
    Map<String, Long> actions()
    {
        final Map<String, Long> counts = new TreeMap<>();
        actions.forEach((kind, count) -> counts.put(kind, count.sum()));
        return counts;
    }

    /** True if no kind is left that did nothing. */
    boolean haveAllActed()
    {
        return actions.values().stream().allMatch(count -> count.sum() > 0);
    }

    /** Of all kinds whose name starts so. */
    long actions(final String prefix)
    {
        return actions().entrySet()
            .stream()
            .filter(entry -> entry.getKey().startsWith(prefix))
            .mapToLong(Map.Entry::getValue)
            .sum();
    }

    /** Of one kind, by what came of it. */
    Map<String, Long> outcomes(final String kind)
    {
        final Map<String, Long> counts = new TreeMap<>();
        outcomes.getOrDefault(kind, Map.of()).forEach((what, count) -> counts.put(what, count.sum()));
        return counts;
    }
}
