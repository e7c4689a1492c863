package io.sluice.conformance;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts like results of a sweep, so that hundreds of them fit into one trace. */
final class Tally
{
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** A pattern that every result of a sweep matches. */
    static String each(final String pattern)
    {
        return "(\\d+x\\((" + pattern + ")\\) ?)+";
    }

    void add(final String result)
    {
        counts.merge(result, 1, Integer::sum);
    }

    /** For example {@code 19x(ROWS@1 ROWS@2) 1x(silent)}. */
    void writeTo(final Trace trace)
    {
        counts.forEach((result, count) -> trace.add(count + "x(" + result + ")"));
    }
}
