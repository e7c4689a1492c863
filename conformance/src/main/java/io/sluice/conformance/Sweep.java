package io.sluice.conformance;

import java.util.regex.Pattern;

/** The same question many times over, each on a connection of its own; ends at the first answer that is not accepted. */
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
