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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.conformance.FakeServer.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A check that cannot fail is worthless: every one is shown a server that deserves to fail it. */
final class VerdictTest
{
    private static final int PATIENT = 5000;
    private static final List<Check> ALL = Catalogue.of(Profile.select(0, null));
    private static final List<Profile> PROFILES = List.of(new Profile(3, Compression.NONE),
        new Profile(4, Compression.LZ4), new Profile(4, Compression.SNAPPY), new Profile(5, Compression.NONE),
        new Profile(5, Compression.LZ4));

    /** No answer ever, noise, and the same error to everything: no check may be content with that. */
    @ParameterizedTest
    @EnumSource(names = {"SILENT", "SPEAKS_NOISE", "REFUSES_ALL_ON_STREAM_0"})
    void noCheckPassesAgainstAUselessServer(final Fault fault) throws IOException
    {
        // With a silent server every timeout gives the same trace: a short one only saves time.
        assertEquals(List.of(), passed(fault, 5));
    }

    @Test
    void closingAtOnceSatisfiesOnlyChecksThatAllowIt() throws IOException
    {
        assertEquals(mayBeClosedAtOnce(), passed(Fault.CLOSES_AT_ONCE, PATIENT));
    }

    @Test
    void resettingAtOnceSatisfiesNoOtherChecks() throws IOException
    {
        // The reset may come while the client still connects, which is no answer to anything.
        final List<String> passed = passed(Fault.RESETS_AT_ONCE, PATIENT);
        assertTrue(mayBeClosedAtOnce().containsAll(passed), passed::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "versions.unknown-version-0", "versions.unknown-version-66", "versions.version-1-of-9-bytes",
        "versions.version-2-of-8-bytes", "versions.version-6-with-beta-flag",
        "handshake.options-first/v4", "handshake.options-first/v5", "handshake.options-and-startup-in-one-write/v5",
        "handshake.startup/v3", "handshake.startup/v5", "handshake.startup/v5-lz4", "handshake.startup-byte-by-byte/v5",
        "handshake.startup-without-cql-version/v5", "handshake.request-behind-startup-in-one-write/v4",
        "handshake.request-behind-startup-in-one-write/v5", "handshake.half-a-segment-behind-startup/v5-lz4",
        "handshake.early-query/v4", "handshake.early-query/v5", "handshake.early-unknown-opcode/v5",
        "handshake.second-startup/v5", "golden.G1-options/v5", "golden.G2-two-queries/v5", "golden.G4-empty/v5",
        "golden.G1-header-bit/v5", "golden.G1-payload-bit/v5", "golden.W7-header-crc/v5", "golden.W8-payload-crc/v5",
        "golden.G9-two-queries/v5-lz4", "golden.G10-stored-options/v5-lz4", "golden.G11-empty/v5-lz4",
        "segments.cut-at-every-byte/v5", "segments.hundred-envelopes-in-one/v5-lz4", "segments.filled-to-131071/v5",
        "large.of-131071-bytes/v5", "large.of-1000003-bytes/v5-lz4", "large.whole-in-one-piece/v5",
        "damage.every-single-bit/v5", "opcodes.unknown/v4", "opcodes.unknown-high/v5", "opcodes.response-direction/v5",
        "closing.after-a-corrupt-header/v5", "closing.with-64-KiB-unread/v5"})
    void aRightServerPasses(final String id) throws IOException
    {
        try (FakeServer server = new FakeServer())
        {
            assertEquals(Verdict.PASS, outcome(server, id, PATIENT).verdict(), () -> id);
        }
    }

    /** One fault, one check that sees it, and whether the fault is known of stock. */
    @ParameterizedTest
    @CsvSource({
        "ANSWERS_TWICE, handshake.options-after-ready/v4, FAIL, .*SUPPORTED@101 SUPPORTED@101.*",
        "ANSWERS_TWICE, golden.G1-options/v5, FAIL, .*",
        "ANSWERS_ON_ANOTHER_STREAM, handshake.options-first/v4, FAIL, SUPPORTED@-?\\d+.*",
        "ANSWERS_IN_ANOTHER_VERSION, handshake.options-first/v4, FAIL, SUPPORTED:v3@.*",
        "ERRORS_ON_STREAM_0, handshake.early-query/v4, FAIL_AS_STOCK, ERROR-000a@0 READY@22",
        "ERRORS_ON_STREAM_0, versions.unknown-version-66, FAIL_AS_STOCK, ERROR-000a@0 lists-versions.*",
        "ERRORS_ON_STREAM_0, handshake.second-startup/v5, FAIL, ERROR-000a@0 .*",
        "ERRORS_WITH_JAVA_TEXT, handshake.early-query/v4, FAIL, ERROR-000a@21!java .*",
        "HANGS_AFTER_AN_ERROR, opcodes.unknown/v4, FAIL_AS_STOCK, .*silent.*",
        "HANGS_AFTER_AN_ERROR, handshake.second-startup/v5, FAIL, ERROR-000a@5 silent",
        "RESETS_AT_THE_END, closing.after-a-corrupt-header/v5, FAIL_AS_STOCK, ERROR-000a@0 reset",
        "FORGETS_TO_CLOSE, golden.G1-payload-bit/v5, FAIL, ERROR-000a@0 silent",
        "FORGETS_TO_CLOSE, damage.every-single-bit/v5, FAIL, .*silent.*",
        "FORGETS_BYTES_BEHIND_STARTUP, handshake.request-behind-startup-in-one-write/v5, FAIL_AS_STOCK, READY@9 silent",
        "SENDS_WRONG_CHECKSUMS, golden.G1-options/v5, FAIL, garbled.*CRC32.*",
        "SENDS_TRAILING_BYTES, handshake.options-first/v5, FAIL, garbled.*",
        "FRAMES_A_REFUSED_STARTUP, handshake.startup-without-cql-version/v5, FAIL_AS_STOCK, ERROR-000a@77 garbled.*"})
    void aFaultIsSeen(final Fault fault, final String id, final Verdict verdict, final String got) throws IOException
    {
        try (FakeServer server = new FakeServer(fault))
        {
            // Where silence is the fault, a short wait for it is enough.
            final Outcome outcome = outcome(server, id, got.contains("silent") ? 300 : PATIENT);
            assertEquals(verdict, outcome.verdict(), outcome::got);
            assertTrue(outcome.got().matches(got), outcome::got);
        }
    }

    @Test
    void loginIsSkippedWithoutOne() throws IOException
    {
        try (FakeServer server = new FakeServer())
        {
            assertEquals(Verdict.SKIPPED, outcome(server, "login.right/v5", PATIENT).verdict());
        }
    }

    @Test
    void aCheckThatNeverEndsIsEndedAndFails() throws IOException
    {
        try (FakeServer server = new FakeServer())
        {
            final Lab lab = new Lab(server.address(), PATIENT, null, null);
            final CountDownLatch never = new CountDownLatch(1);
            final Check stuck = new Check("test.stuck", "", "", Pattern.compile(""), null, (l, trace) -> never.await());
            final Check next = new Check("test.next", "", "", Pattern.compile("here"), null,
                (l, trace) -> trace.add("here"));
            try (CheckRunner runner = new CheckRunner(lab, 200))
            {
                assertEquals(Verdict.FAIL, runner.run(stuck).verdict());
                assertEquals(Verdict.PASS, runner.run(next).verdict());
            }
        }
    }

    @Test
    void aBrokenScriptFailsItsCheckOnly() throws IOException
    {
        try (FakeServer server = new FakeServer())
        {
            final Check broken = new Check("test.broken", "", "", Pattern.compile(""), Pattern.compile(""),
                (lab, trace) ->
                {
                    throw new IllegalStateException("a fault of our own");
                });
            try (CheckRunner runner = new CheckRunner(new Lab(server.address(), PATIENT, null, null), PATIENT))
            {
                final Outcome outcome = runner.run(broken);
                assertEquals(Verdict.FAIL, outcome.verdict());
                assertTrue(outcome.got().contains("a fault of our own"), outcome::got);
            }
        }
    }

    @Test
    void everyProfileHasItsChecksAndEveryCheckItsWords()
    {
        final List<Profile> all = Profile.select(0, null);
        assertEquals(8, all.size());
        final List<Check> checks = ALL;
        for (final Profile profile : all)
        {
            final long count = checks.stream().filter(check -> check.id().endsWith("/" + profile.label())).count();
            assertTrue(count > 150, () -> profile.label() + " has " + count);
        }
        checks.forEach(check -> assertTrue(check.expected().length() > 3, check::id));
        final TreeSet<String> groups = checks.stream().map(Check::group).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
            "[batch, closing, damage, envelopes, events, golden, handshake, large, login, malformed, opcodes, " +
                "prefix, prepared, pressure, query, responses, segments, values, versions]",
            groups.toString());
    }

    /** Refusing before a word is said is legal where the first word is an attack or another protocol. */
    private static List<String> mayBeClosedAtOnce()
    {
        return List.of("versions.http-request", "handshake.first-message-claims-15-MiB/v3",
            "handshake.first-message-claims-15-MiB/v4-lz4", "handshake.first-message-claims-15-MiB/v5");
    }

    private static List<String> passed(final Fault fault, final int timeoutMillis) throws IOException
    {
        final List<String> passed = new ArrayList<>();
        try (FakeServer server = new FakeServer(fault);
            CheckRunner runner = new CheckRunner(new Lab(server.address(), timeoutMillis, "user", "password"), 60_000))
        {
            for (final Check check : Catalogue.of(PROFILES))
            {
                final Verdict verdict = runner.run(check).verdict();
                final boolean needsNoLogin = verdict == Verdict.SKIPPED && check.id().contains("behind-startup");
                if (!verdict.isFailure() && !needsNoLogin)
                {
                    passed.add(check.id());
                }
            }
        }
        return passed;
    }

    private static Outcome outcome(final FakeServer server, final String id, final int timeoutMillis)
    {
        final Check check = Catalogue.of(Profile.select(0, null))
            .stream()
            .filter(c -> c.id().equals(id))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no such check: " + id));
        try (CheckRunner runner = new CheckRunner(new Lab(server.address(), timeoutMillis, null, null), 60_000))
        {
            return runner.run(check);
        }
    }
}
