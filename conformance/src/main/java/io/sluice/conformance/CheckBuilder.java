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

import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Puts one check together; {@link #script} hands it over. */
final class CheckBuilder
{
    /** The connection ended, either way. */
    static final String CLOSE = "(closed|reset)";
    /** What {@link Conversation#probe} hears on a connection that serves. */
    static final String SERVES = "SUPPORTED@101 SUPPORTED@102";
    /** Both are legal after most errors. */
    static final String SERVES_OR_CLOSES = "(" + SERVES + "|" + CLOSE + ")";

    private final String id;
    private final Consumer<Check> sink;
    private String source = "";
    private String expected;
    private Pattern accepted;
    private Pattern stock;

    CheckBuilder(final String id, final Consumer<Check> sink)
    {
        this.id = id;
        this.sink = sink;
    }

    /** Where the question comes from: {@code case 11}, {@code D5}. */
    CheckBuilder from(final String origin)
    {
        source = origin;
        return this;
    }

    /**
     * @param words  for the reader
     * @param traces regular expression of the whole trace
     */
    CheckBuilder expect(final String words, final String traces)
    {
        expected = words;
        accepted = Pattern.compile(traces);
        return this;
    }

    /** Exactly one protocol error on the request's own stream; then the connection serves or closes. */
    CheckBuilder expectOneError(final int stream)
    {
        return expect("one ERROR 000a on stream " + stream + "; then serves or closes",
            "ERROR-000a@" + stream + " " + SERVES_OR_CLOSES);
    }

    /** @param traces what stock 5.0.8 is known to give instead */
    CheckBuilder stock(final String traces)
    {
        stock = Pattern.compile(traces);
        return this;
    }

    void script(final Check.Script script)
    {
        sink.accept(new Check(id, source, expected, accepted, stock, script));
    }
}
