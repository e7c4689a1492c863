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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One connection with its trace: what is said goes to the server, what is heard goes into the trace. Once the
 * connection
 * has ended, hearing does nothing. Confined to the thread of its check, except {@link #close}.
 */
final class Conversation implements AutoCloseable
{
    /** Streams of the two OPTIONS that show whether a connection still serves, and nothing twice. */
    static final int PROBE = 101;

    /** More answers than anything here asks for: a server that repeats itself must be stopped. */
    private static final int PATIENCE = 6;

    private final Lab lab;
    private final WireConnection wire;
    private final Profile profile;
    private final Trace trace;
    private final Requests requests;
    private Compression agreed = Compression.NONE;
    private boolean segmented;
    private boolean over;
    private Answer last;
    private int timeoutMillis;

    Conversation(final Lab lab, final WireConnection wire, final Profile profile, final Trace trace)
    {
        this.lab = lab;
        this.wire = wire;
        this.profile = profile;
        this.trace = trace;
        requests = new Requests(profile.version());
        timeoutMillis = lab.timeoutMillis();
    }

    /** Waits at least so long for each answer from here on: for servers that were given much to do. */
    Conversation patient(final int atLeastMillis)
    {
        timeoutMillis = Math.max(timeoutMillis, atLeastMillis);
        return this;
    }

    Requests requests()
    {
        return requests;
    }

    Trace trace()
    {
        return trace;
    }

    Profile profile()
    {
        return profile;
    }

    boolean isOver()
    {
        return over;
    }

    /** The answer heard last; never null. */
    Answer last()
    {
        if (last == null)
        {
            throw new GarbledBytes("no answer");
        }
        return last;
    }

    /** STARTUP, and login if the server wants one; anything else than success is a fault. */
    void handshake()
    {
        sayRaw(requests.startup(0, profile.compression()));
        agree();
        Answer answer = listen(timeoutMillis);
        if (answer != null && "AUTHENTICATE".equals(answer.name()))
        {
            switchFraming();
            if (!lab.hasLogin())
            {
                throw new GarbledBytes("the server wants a login (--user, --password)");
            }
            say(requests.authResponse(0, lab.loginToken()));
            answer = listen(timeoutMillis);
        }
        else if (answer != null && "READY".equals(answer.name()))
        {
            switchFraming();
        }
        final boolean done = answer != null && ("READY".equals(answer.name()) || "AUTH_SUCCESS".equals(answer.name()));
        if (!done)
        {
            throw new GarbledBytes("handshake: " +
                (answer == null ? wire.endingName() : answer.token(profile.version()) + " " + answer.text()));
        }
    }

    /** From here on bodies of v3 and v4 answers may be compressed. */
    void agree()
    {
        agreed = profile.isSegmented() ? Compression.NONE : profile.compression();
    }

    /** From here on a v5 connection speaks in segments both ways. */
    void switchFraming()
    {
        if (profile.isSegmented() && !segmented)
        {
            segmented = true;
            wire.switchToSegments(profile.isLz4Segmented());
        }
    }

    /** Sends each envelope as this connection carries envelopes: in a segment of its own, or with a compressed body. */
    void say(final byte[]... envelopes)
    {
        for (final byte[] envelope : envelopes)
        {
            sayRaw(wrap(envelope));
        }
    }

    /** The envelope as this connection carries it at the moment. */
    byte[] wrap(final byte[] envelope)
    {
        if (segmented)
        {
            return envelope.length <= Segments.MAX_PAYLOAD
                ? segment(envelope)
                : Segments.pieces(envelope, Segments.MAX_PAYLOAD, Segments.MAX_PAYLOAD, profile.isLz4Segmented());
        }
        return agreed == Compression.NONE ? envelope : compressBody(envelope);
    }

    /** One self-contained segment around whatever is given. */
    byte[] segment(final byte[]... envelopes)
    {
        final byte[] payload = ByteBuilder.join(envelopes);
        return profile.isLz4Segmented() ? Segments.lz4(payload, true) : Segments.plain(payload, true);
    }

    /** One non-self-contained segment. */
    byte[] piece(final byte[] payload)
    {
        return profile.isLz4Segmented() ? Segments.lz4(payload, false) : Segments.plain(payload, false);
    }

    void sayRaw(final byte[] bytes)
    {
        wire.send(bytes, 0, bytes.length);
    }

    void sayRaw(final byte[] bytes, final int from, final int to)
    {
        wire.send(bytes, from, to - from);
    }

    /** The next answer, or how the connection ended. */
    Conversation hear()
    {
        return hear(timeoutMillis);
    }

    Conversation hear(final int millis)
    {
        if (!over)
        {
            final Answer answer = listen(millis);
            trace.add(answer == null ? ended() : answer.token(profile.version()));
        }
        return this;
    }

    /** As many answers as there should be, written down in the order of their streams. */
    List<Answer> hearAll(final int count)
    {
        final List<Answer> answers = listenAll(count);
        answers.stream()
            .sorted(Comparator.comparingInt(Answer::stream))
            .forEach(answer -> trace.add(answer.token(profile.version())));
        if (answers.size() < count && !over)
        {
            trace.add(ended());
        }
        return answers;
    }

    /** So many answers in the order of their streams, not written down. */
    String heard(final int count)
    {
        final List<Answer> answers = listenAll(count);
        final String words = answers.stream()
            .sorted(Comparator.comparingInt(Answer::stream))
            .map(answer -> answer.token(profile.version()))
            .collect(Collectors.joining(" "));
        return answers.size() == count ? words : words + (words.isEmpty() ? "" : " ") + ended();
    }

    /** Everything up to the end of the connection: like answers are counted. */
    void hearAllUntilEnd(final int most)
    {
        final Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < most + PATIENCE; i++)
        {
            final Answer answer = listen(timeoutMillis);
            if (answer == null)
            {
                break;
            }
            final boolean error = answer.errorCode() >= 0;
            counts.merge(error ? answer.token(profile.version()) : answer.name(), 1, Integer::sum);
        }
        counts.entrySet()
            .stream()
            .sorted(Comparator.comparing((Map.Entry<String, Integer> e) -> e.getKey()).reversed())
            .forEach(entry -> trace.add(entry.getValue() + "x" + entry.getKey()));
        trace.add(ended());
    }

    /** As {@link #hearAll}, but writes down only what is not as it should be, and how many are. */
    void hearMany(final String name, final Collection<Integer> streams)
    {
        final List<Integer> open = new ArrayList<>(streams);
        final List<Answer> answers = listenAll(open.size());
        int right = 0;
        for (final Answer answer : answers)
        {
            if (name.equals(answer.name()) && open.remove((Integer)answer.stream()))
            {
                right++;
            }
            else
            {
                trace.add(answer.token(profile.version()));
            }
        }
        trace.add(right + "x" + name);
        if (answers.size() < streams.size() && !over)
        {
            trace.add(ended());
        }
    }

    /** Writes {@code quiet}, or what came although nothing should. */
    Conversation hearNothing(final int millis)
    {
        if (!over)
        {
            final Answer answer = listen(millis);
            if (answer != null)
            {
                trace.add(answer.token(profile.version()));
            }
            else if (wire.ending() == WireConnection.Ending.SILENT)
            {
                trace.add("quiet");
            }
            else
            {
                trace.add(ended());
            }
        }
        return this;
    }

    /** Waits for the end of the connection only. */
    Conversation hearEnd()
    {
        for (int i = 0; i < PATIENCE && !over; i++)
        {
            hear();
        }
        return this;
    }

    /** Finds out whether the connection still serves: two OPTIONS, one after the other. */
    Conversation probe()
    {
        for (int stream = PROBE; stream <= PROBE + 1 && !over; stream++)
        {
            say(requests.options(stream));
            boolean answered = false;
            for (int i = 0; i < PATIENCE && !over && !answered; i++)
            {
                hear();
                answered = !over && last != null && last.stream() == stream;
            }
        }
        return this;
    }

    /** Without a word in the trace; null if the connection ended or stayed silent. */
    Answer listen(final int millis)
    {
        final Envelope envelope = wire.receive(millis);
        if (envelope == null)
        {
            return null;
        }
        last = Answer.of(envelope, agreed);
        if (last.errorCode() >= 0)
        {
            trace.addErrorText(last.text());
        }
        return last;
    }

    int unread()
    {
        return wire.unread();
    }

    /** Shuts the output; answers may still come. */
    void finishSaying() throws IOException
    {
        wire.shutdownOutput();
    }

    /** Leaves with a reset. */
    void slam() throws IOException
    {
        wire.resetAndClose();
    }

    @Override
    public void close()
    {
        wire.close();
    }

    private List<Answer> listenAll(final int count)
    {
        final List<Answer> answers = new ArrayList<>();
        while (answers.size() < count && !over)
        {
            final Answer answer = listen(timeoutMillis);
            if (answer == null)
            {
                break;
            }
            answers.add(answer);
        }
        return answers;
    }

    private String ended()
    {
        over = true;
        final String cut = wire.unread() > 0 ? "(" + wire.unread() + "-bytes-of-an-unfinished-answer)" : "";
        return wire.ending() == null ? "more-answers-than-questions" : wire.endingName() + cut;
    }

    /** Only what is a right envelope of this version has a body to compress: anything else goes out as it was built. */
    private byte[] compressBody(final byte[] envelope)
    {
        final boolean right = envelope.length > Envelope.HEADER_LENGTH && envelope[0] == profile.version() &&
            Envelope.lengthNeeded(envelope) == envelope.length;
        if (!right)
        {
            return envelope;
        }
        final Envelope parsed = Envelope.parse(envelope, 0, envelope.length);
        return parsed.opcode() == Opcode.STARTUP
            ? envelope
            : Envelope.of(parsed.version(),
                parsed.flags() | Envelope.COMPRESSED, parsed.stream(), parsed.opcode(), agreed.compress(parsed.body()));
    }
}
