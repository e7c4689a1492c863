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
 * The same question many times over, each on a connection of its own; ends at the first answer that is not accepted.
 */
final class Sweep
{
    private final Lab lab;
    private final Profile profile;
    private final Trace trace;
    private final Pattern accepted;
    private final Tally tally = new Tally();
    private boolean over;

    Sweep(final Lab lab, final Profile profile, final Trace trace, final String accepted)
    {
        this.lab = lab;
        this.profile = profile;
        this.trace = trace;
        this.accepted = Pattern.compile(accepted);
    }

    /** One step of the sweep, on a connection past STARTUP. */
    @FunctionalInterface
    interface Step
    {
        void run(Conversation client) throws Exception;
    }

    /** @param name shown if this is where the sweep ends */
    void step(final String name, final Step step) throws Exception
    {
        if (over)
        {
            return;
        }
        final Trace own = new Trace();
        try (Conversation client = lab.ready(profile, own))
        {
            step.run(client);
        }
        catch (final GarbledBytes e)
        {
            own.add("garbled(" + e.getMessage() + ")");
        }
        over = !accepted.matcher(own.text()).matches();
        own.errorTexts().forEach(trace::addErrorText);
        tally.add(over ? name + ": " + own.text() : own.text());
    }

    void end()
    {
        tally.writeTo(trace);
    }
}
