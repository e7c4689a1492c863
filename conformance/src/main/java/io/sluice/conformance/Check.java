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
package io.sluice.conformance;

import java.util.regex.Pattern;

/**
 * One thing to find out about a server. The script writes down what it hears as words of a trace; the patterns say
 * which
 * traces a right server may give, and which one stock Cassandra 5.0.8 gives where it is wrong. Immutable.
 *
 * @param id     group, name and profile, for example {@code segments.empty/v5-lz4}
 * @param source case of the field reports or defect number, or empty
 * @param expected what a right server does, in words
 * @param accepted whole traces that pass
 * @param stock  whole traces that are known of stock 5.0.8 and wrong; null if stock is right
 * @param script the conversation
 */
record Check(String id, String source, String expected, Pattern accepted, Pattern stock, Script script)
{
    /** What is said and heard. */
    @FunctionalInterface
    interface Script
    {
        void run(Lab lab, Trace trace) throws Exception;
    }

    String group()
    {
        return id.substring(0, id.indexOf('.'));
    }

    Verdict judge(final Trace trace)
    {
        final String got = trace.text();
        if (trace.isSkipped())
        {
            return Verdict.SKIPPED;
        }
        if (accepted.matcher(got).matches())
        {
            return Verdict.PASS;
        }
        return stock != null && stock.matcher(got).matches() ? Verdict.FAIL_AS_STOCK : Verdict.FAIL;
    }
}
