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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/**
 * What a setting of the transport is called, which values it takes, and where its value is kept. Immutable.
 *
 * @param name of the setting
 * @param unit of its value; empty for words
 * @param lowest value
 * @param highest value
 * @param words one for each value from {@code lowest} on, or null for a number
 * @param about what it does
 * @param read the value of a set of settings
 * @param write changes it in a draft
 */
record TransportSetting(
    String name,
    String unit,
    long lowest,
    long highest,
    List<String> words,
    String about,
    ToLongFunction<TransportControl> read,
    ObjLongConsumer<SettingsDraft> write)
{

    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();
    private static final long KIB = 1 << 10;
    private static final long MOST_HOLD_NANOS = Duration.ofMillis(100).toNanos();

    /** Every setting of the transport's own, in the order in which they are shown. */
    static final List<TransportSetting> ALL = List.copyOf(all());

    private static List<TransportSetting> all()
    {
        final List<TransportSetting> all = new ArrayList<>();
        sizes(all);
        connections(all);
        timeouts(all);
        sending(all);
        return all;
    }

    private static void sizes(final List<TransportSetting> all)
    {
        bytes(all, "maxFrameBytes", KIB, TransportLimits.ENVELOPE_LIMIT, TransportLimits::maxFrameBytes,
            (limits, value) -> limits.maxFrameBytes((int)value),
            "Largest envelope of versions 3 and 4; larger ones are refused");
        bytes(all, "maxMessageBytes", KIB, TransportLimits.ENVELOPE_LIMIT, TransportLimits::maxMessageBytes,
            (limits, value) -> limits.maxMessageBytes((int)value),
            "Largest envelope of version 5; larger ones are refused");
        bytes(all, "inFlightBytes", KIB, Long.MAX_VALUE, TransportLimits::inFlightBytes,
            TransportLimitsBuilder::inFlightBytes, "Requests in flight, of all clients");
        bytes(all, "inFlightBytesPerAddress", KIB, Long.MAX_VALUE, TransportLimits::inFlightBytesPerAddress,
            TransportLimitsBuilder::inFlightBytesPerAddress, "Requests in flight, of each client address");
        bytes(all, "inFlightBytesPerConnection", KIB, Long.MAX_VALUE, TransportLimits::inFlightBytesPerConnection,
            TransportLimitsBuilder::inFlightBytesPerConnection, "Requests in flight, of each connection");
        limit(all, "requestsPerConnection", "requests", 1, Integer.MAX_VALUE, TransportLimits::requestsPerConnection,
            (limits, value) -> limits.requestsPerConnection((int)value),
            "Requests in service at once, of each connection");
        limit(all, "requestsPerSecond", "requests/s", 0, Integer.MAX_VALUE, TransportLimits::requestsPerSecond,
            (limits, value) -> limits.requestsPerSecond((int)value),
            "Requests of all clients together; 0 for any number");
        all.add(new TransportSetting("overloadAction", "", 0, 1, List.of(SettingKind.words(OverloadAction.class)),
            "What becomes of a request that does not fit: its connection waits, or it is answered with OVERLOADED; a " +
                "client's THROW_ON_OVERLOAD goes first",
            control -> control.limits().overloadAction().ordinal(),
            (draft, value) -> draft.limits.overloadAction(OverloadAction.values()[(int)value])));
        bytes(all, "answerBytes", 1, Long.MAX_VALUE, TransportLimits::answerBytes, TransportLimitsBuilder::answerBytes,
            "Unread answers of all clients at which those who have many are not served");
        bytes(all, "answerBytesPerAddress", 1, Long.MAX_VALUE, TransportLimits::answerBytesPerAddress,
            TransportLimitsBuilder::answerBytesPerAddress, "The same, of each client address");
        bytes(all, "answerBytesPerConnection", 1, Long.MAX_VALUE, TransportLimits::answerBytesPerConnection,
            TransportLimitsBuilder::answerBytesPerConnection,
            "Unread answers at which a connection is not read from and not served");
        bytes(all, "answerBytesHardLimit", 1, Long.MAX_VALUE, TransportLimits::answerBytesHardLimit,
            TransportLimitsBuilder::answerBytesHardLimit, "Unread answers at which a connection is closed");
        limit(all, "consecutiveErrors", "envelopes", 0, Integer.MAX_VALUE, TransportLimits::consecutiveErrors,
            (limits, value) -> limits.consecutiveErrors((int)value),
            "Bad envelopes in a row, in one segment, that a connection survives");
    }

    private static void connections(final List<TransportSetting> all)
    {
        limit(all, "maxConnections", "connections", -1, Integer.MAX_VALUE, TransportLimits::maxConnections,
            (limits, value) -> limits.maxConnections((int)value), "Connections at once; -1 for any number");
        limit(all, "maxConnectionsPerAddress", "connections", -1, Integer.MAX_VALUE,
            TransportLimits::maxConnectionsPerAddress,
            (limits, value) -> limits.maxConnectionsPerAddress((int)value),
            "Connections at once, of each client address; -1 for any number");
        bytes(all, "preLoginMessageBytes", KIB, TransportLimits.ENVELOPE_LIMIT, TransportLimits::preLoginMessageBytes,
            (limits, value) -> limits.preLoginMessageBytes((int)value),
            "Largest envelope before a connection is ready, and largest OPTIONS and REGISTER");
        limit(all, "preLoginMessages", "envelopes", 1, Integer.MAX_VALUE, TransportLimits::preLoginMessages,
            (limits, value) -> limits.preLoginMessages((int)value),
            "Envelopes that a connection may send before it is ready");
        bytes(all, "preLoginBytes", 1 << 20, Long.MAX_VALUE, TransportLimits::preLoginBytes,
            TransportLimitsBuilder::preLoginBytes,
            "Memory of all clients that are not ready, and as much again for tokens that are being checked");
        limit(all, "loginAttempts", "logins", 1, Integer.MAX_VALUE, TransportLimits::loginAttempts,
            (limits, value) -> limits.loginAttempts((int)value), "Failed logins at which a connection is closed");
        all.add(new TransportSetting("olderVersionsAllowed", "", 0, 1, List.of(SettingKind.FLAG),
            "Whether versions 3 and 4 may be agreed on; connections that are open go on",
            control -> control.olderVersionsAllowed() ? 1 : 0,
            (draft, value) -> draft.olderVersionsAllowed = value == 1));
    }

    private static void timeouts(final List<TransportSetting> all)
    {
        timeout(all, "handshakeTimeout", TransportLimits::handshakeTimeout, TransportLimitsBuilder::handshakeTimeout,
            "From accept to ready; 0 for none");
        timeout(all, "idleTimeout", TransportLimits::idleTimeout, TransportLimitsBuilder::idleTimeout,
            "Without a byte either way and without a request in service; 0 for none");
        timeout(all, "stallTimeout", TransportLimits::stallTimeout, TransportLimitsBuilder::stallTimeout,
            "Without a byte taken while answers wait, or sent in the middle of a request; 0 for none");
        timeout(all, "requestTimeout", TransportLimits::requestTimeout, TransportLimitsBuilder::requestTimeout,
            "Age at which a request that waited for its handler is answered with OVERLOADED and not started; 0 for " +
                "none");
        timeout(all, "requestBurst", TransportLimits::requestBurst, TransportLimitsBuilder::requestBurst,
            "For how long requests below requestsPerSecond may be saved up, to be sent at once");
        timeout(all, "queueAge", TransportLimits::queueAge, TransportLimitsBuilder::queueAge,
            "Age of a connection's oldest request that waits for its handler at which no more of it are taken; 0 for " +
                "any");
        draft(all, "queueBackoffLeast", "ms", 1, YEAR_MILLIS, control -> control.limits()
            .queueBackoffLeast()
            .toMillis(), (draft, value) -> draft.limits.queueBackoffLeast(Duration.ofMillis(value)),
            "How long a connection that waits for that is left alone at first");
        draft(all, "queueBackoffMost", "ms", 1, YEAR_MILLIS, control -> control.limits().queueBackoffMost().toMillis(),
            (draft, value) -> draft.limits.queueBackoffMost(Duration.ofMillis(value)),
            "And at most, each time twice as long as before");
        timeout(all, "exchangeTimeout", TransportLimits::exchangeTimeout, TransportLimitsBuilder::exchangeTimeout,
            "Age at which a request that was not completed is failed; 0 for none");
        timeout(all, "closeTimeout", TransportLimits::closeTimeout, TransportLimitsBuilder::closeTimeout,
            "How long a connection that is being closed waits for answers in work; 0 for as long as they take");
        timeout(all, "lingerTimeout", TransportLimits::lingerTimeout, TransportLimitsBuilder::lingerTimeout,
            "How long a connection whose output is shut waits for the client to close");
    }

    private static void sending(final List<TransportSetting> all)
    {
        final String flush = "flushLongestHold";
        draft(all, flush, "ns", 0, MOST_HOLD_NANOS, control -> control.flushPolicy().longestHold().toNanos(),
            (draft, value) -> draft.longestHoldNanos = value,
            "How long an answer may wait for others at most; 0 for not at all");
        draft(all, "flushGrace", "ns", 0, MOST_HOLD_NANOS, control -> control.flushPolicy().grace().toNanos(),
            (draft, value) -> draft.graceNanos = value,
            "How long answers may wait with few requests in flight; at most " + flush);
        draft(all, "flushFree", "requests", 0, 65_535, control -> control.flushPolicy().free(),
            (draft, value) -> draft.free = (int)value, "Requests in flight that do not make answers wait longer");
        draft(all, "flushFillBytes", "bytes", 1, Integer.MAX_VALUE, control -> control.flushPolicy().fillBytes(),
            (draft, value) -> draft.fillBytes = (int)value, "Answers waiting at which they are sent");
        draft(all, "flushLargeBytes", "bytes", 1, Integer.MAX_VALUE, control -> control.flushPolicy().largeBytes(),
            (draft, value) -> draft.largeBytes = (int)value, "An answer of this size does not wait");
        draft(all, "compressionMinimumBytes", "bytes", 0, Integer.MAX_VALUE,
            control -> control.compression().minimumBytes(), (draft, value) -> draft.minimumBytes = (int)value,
            "Shorter payloads and bodies go out raw");
        draft(all, "compressionLeastSaving", "thousandths", 0, 1_000,
            control -> control.compression().leastSaving(), (draft, value) -> draft.leastSaving = (int)value,
            "Mean saving of a connection below which its payloads go out raw, but for a probe now and then");
        draft(all, "compressionProbeEvery", "payloads", 1, Integer.MAX_VALUE,
            control -> control.compression().probeEvery(), (draft, value) -> draft.probeEvery = (int)value,
            "Meanwhile one of so many is tried");
    }

    private static void bytes(final List<TransportSetting> all,
        final String name,
        final long lowest,
        final long highest,
        final ToLongFunction<TransportLimits> read,
        final ObjLongConsumer<TransportLimitsBuilder> write,
        final String about)
    {
        limit(all, name, "bytes", lowest, highest, read, write, about);
    }

    private static void limit(final List<TransportSetting> all,
        final String name,
        final String unit,
        final long lowest,
        final long highest,
        final ToLongFunction<TransportLimits> read,
        final ObjLongConsumer<TransportLimitsBuilder> write,
        final String about)
    {
        draft(all, name, unit, lowest, highest, control -> read.applyAsLong(control.limits()),
            (draft, value) -> write.accept(draft.limits, value), about);
    }

    private static void timeout(final List<TransportSetting> all,
        final String name,
        final Function<TransportLimits, Duration> read,
        final BiConsumer<TransportLimitsBuilder, Duration> write,
        final String about)
    {
        draft(all, name, "ms", 0, YEAR_MILLIS, control -> read.apply(control.limits()).toMillis(),
            (draft, value) -> write.accept(draft.limits, Duration.ofMillis(value)), about);
    }

    private static void draft(final List<TransportSetting> all,
        final String name,
        final String unit,
        final long lowest,
        final long highest,
        final ToLongFunction<TransportControl> read,
        final ObjLongConsumer<SettingsDraft> write,
        final String about)
    {
        all.add(new TransportSetting(name, unit, lowest, highest, null, about, read, write));
    }

    /** True for what {@link TransportLimits} keeps. */
    boolean isOfLimits()
    {
        return !name.startsWith("flush") && !name.startsWith("compression") && !"olderVersionsAllowed".equals(name);
    }

    /** Which values are accepted, for people. */
    String range()
    {
        return words == null
            ? lowest + ".." + (highest == Long.MAX_VALUE ? "" : Long.toString(highest))
            : String.join(", ", words);
    }

    /** The value in force, as text. */
    String value(final TransportControl control)
    {
        final long value = read.applyAsLong(control);
        return words == null ? Long.toString(value) : words.get((int)value);
    }

    /** Puts a value into a draft, if it is in range. */
    void put(final SettingsDraft draft, final String text)
    {
        write.accept(draft, words == null
            ? SettingKind.number(name, text, lowest, highest)
            : SettingKind.choice(name, text, words.toArray(String[]::new)));
    }
}
