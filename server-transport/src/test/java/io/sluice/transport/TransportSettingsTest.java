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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.testkit.ScriptedEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransportSettingsTest
{
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-30T20:00:00Z"));
    private final AtomicLong threads = new AtomicLong(4);
    private final Map<String, String> written = new LinkedHashMap<>();
    private final Map<String, String> elsewhere = new LinkedHashMap<>();
    private final NativeTransport transport = transport();
    private final TransportSettings settings = transport.settings();

    private NativeTransport transport()
    {
        return NativeTransport.builder(new ScriptedEngine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .limits(TransportLimits.defaults().with().idleTimeout(Duration.ofSeconds(7)).build())
            .settingsFrom(SettingSource.YAML, TransportLimits.defaults())
            .setting(ExtraSetting.number("threads", "threads", 1, 64, "Threads", 4, threads::get, threads::set))
            .settingsBinding(new SettingsBinding()
            {
                @Override
                public void refresh(final TransportSettings all)
                {
                    if (!elsewhere.isEmpty())
                    {
                        final Map<String, String> changes = Map.copyOf(elsewhere);
                        elsewhere.clear();
                        all.set(changes, SettingSource.JMX, "another road");
                    }
                }

                @Override
                public void changed(final String name, final String value)
                {
                    written.put(name, value);
                }
            })
            .wallClock(now::get)
            .build();
    }

    @AfterEach
    void close()
    {
        transport.close();
    }

    private void set(final String name, final String value)
    {
        settings.set(Map.of(name, value), SettingSource.JMX, "a test");
    }

    private SettingRow row(final String name)
    {
        return settings.rows().get(name);
    }

    private static String refused(final Runnable change)
    {
        return assertThrows(IllegalArgumentException.class, change::run).getMessage();
    }

    @Test
    void everySettingSaysWhatItIs()
    {
        assertEquals(new HashSet<>(settings.names()), settings.rows().keySet());
        assertTrue(settings.names().size() >= 35, () -> settings.names().toString());
        settings.rows().values().forEach(row ->
        {
            assertFalse(row.getRange().isBlank() || row.getAbout().isBlank() || row.getValue().isBlank(),
                row::toString);
            assertFalse(row.getAbout().endsWith("."), row::toString);
            assertEquals(row.getValue().equals(row.getDefaultValue()) ? "default" : "yaml", row.getSource());
            assertEquals("", row.getChanged());
        });
    }

    @Test
    void theOperationsPageHasEachSettingAsItIs() throws IOException
    {
        final String page = Files.readString(Path.of("..", "docs", "operations.md"));
        for (final SettingRow row : settings.rows().values())
        {
            if (!"threads".equals(row.getName()))
            {
                final String line = page.lines()
                    .filter(text -> text.startsWith("| `" + row.getName() + "` |"))
                    .findAny()
                    .orElseThrow(() -> new AssertionError(row + " is not in docs/operations.md"));
                assertTrue(line.startsWith("| `" + row.getName() + "` | " + row.getUnit() + " | " + row.getRange() +
                    " | "), line);
                assertTrue(line.endsWith(" | " + row.getAbout() + " |"), line);
                final String written = line.split(" \\| ", -1)[3];
                assertTrue(written.startsWith("heap") || written.equals(row.getDefaultValue()), line);
            }
        }
    }

    @Test
    void eachCanBeSetToWhatItIsAndNotBeyondItsRange()
    {
        for (final SettingRow row : settings.rows().values())
        {
            set(row.getName(), row.getValue());
            assertTrue(refused(() -> set(row.getName(), "no such value")).startsWith(row.getName() + ": "));
            final String[] ends = row.getRange().split("\\.\\.", -1);
            if (ends.length == 2)
            {
                final String low = Long.toString(Long.parseLong(ends[0]) - 1);
                assertTrue(refused(() -> set(row.getName(), low)).contains(low + " (expected: " + ends[0]),
                    row::toString);
                final String high = ends[1].isEmpty()
                    ? "9223372036854775808"
                    : Long.toString(Long.parseLong(ends[1]) + 1);
                assertTrue(refused(() -> set(row.getName(), high)).contains("(expected: "), row::toString);
            }
            assertEquals("", row(row.getName()).getChanged(), "nothing was changed");
        }
        assertTrue(written.isEmpty(), written::toString);
    }

    @Test
    void tellsWhoChangedItAndWhen()
    {
        assertEquals("yaml", row("idleTimeout").getSource());
        assertEquals("7000", row("idleTimeout").getValue());
        set("idleTimeout", " 9_000 ");
        SettingRow row = row("idleTimeout");
        assertEquals("9000 jmx a test 2026-11-30T20:00:00Z", row.getValue() + " " + row.getSource() + " " + row
            .getChangedBy() + " " + row.getChanged());
        assertEquals(Duration.ofSeconds(9), transport.control().limits().idleTimeout());
        now.set(now.get().plusSeconds(1));
        transport.control()
            .limits(transport.control().limits().with().idleTimeout(Duration.ofSeconds(3)).build());
        row = row("idleTimeout");
        assertEquals("3000 code 2026-11-30T20:00:01Z", row.getValue() + " " + row.getSource() + " " + row
            .getChanged());
        assertEquals("0", row.getDefaultValue());
        assertEquals(Map.of("idleTimeout", "3000"), written);
    }

    @Test
    void manyAreCheckedAsASetAndNoneIsChangedIfOneIsRefused()
    {
        final TransportLimits before = transport.control().limits();
        final long all = before.inFlightBytes();
        assertTrue(refused(() -> set("inFlightBytesPerAddress", Long.toString(all + 1)))
            .startsWith("inFlightBytesPerAddress: " + (all + 1) + " (expected: at most inFlightBytes, " + all));
        assertTrue(refused(() -> settings.set(Map.of("maxConnections", "5", "maxConnectionsPerAddress", "6"),
            SettingSource.JMX, "a test")).startsWith("maxConnectionsPerAddress: 6"));
        assertTrue(refused(() -> settings.set(Map.of("maxConnections", "5", "flushGrace", "9000000"),
            SettingSource.JMX, "a test")).startsWith("flushGrace: 9000000 (expected: at most flushLongestHold"));
        assertTrue(refused(() -> settings.set(Map.of("threads", "5", "maxFrameBytes", "268435456",
            "inFlightBytes", "1000000000", "inFlightBytesPerAddress", "20000000"), SettingSource.JMX, "a test"))
            .startsWith("inFlightBytesPerAddress: 20000000 (expected: 268435456.."));
        assertTrue(refused(() -> settings.set(Map.of("maxConnections", "5", "noSuchThing", "1"), SettingSource.JMX,
            "a test")).startsWith("setting: noSuchThing (expected: one of ["));
        assertEquals(before, transport.control().limits());
        assertEquals(4, threads.get());
        assertTrue(written.isEmpty(), written::toString);
        settings.set(Map.of("maxConnections", "6", "maxConnectionsPerAddress", "6", "threads", "5",
            "overloadAction", "shed", "olderVersionsAllowed", "FALSE"), SettingSource.JMX, "a test");
        assertEquals(6, transport.control().limits().maxConnectionsPerAddress());
        assertEquals(OverloadAction.SHED, transport.control().limits().overloadAction());
        assertFalse(transport.control().olderVersionsAllowed());
        assertEquals(5, threads.get());
        assertEquals("jmx", row("threads").getSource());
        assertEquals(5, written.size());
    }

    @Test
    void theLaterChangeCountsWhateverRoadItCame()
    {
        elsewhere.put("maxConnections", "10");
        set("maxConnections", "11");
        assertEquals("11", settings.value("maxConnections"));
        assertEquals(Map.of("maxConnections", "11"), written, "only what is not known over there is written back");
        elsewhere.put("maxConnections", "12");
        assertEquals("12", settings.value("maxConnections"));
        assertEquals("another road", row("maxConnections").getChangedBy());
        threads.set(9);
        assertEquals("jmx", row("threads").getSource());
        assertEquals("9", row("threads").getValue());
    }

    @Test
    void aNameIsGivenOnce()
    {
        final NativeTransportBuilder builder = NativeTransport
            .builder(new ScriptedEngine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .setting(ExtraSetting.flag("idleTimeout", "Taken", false, () -> false, value ->
            {
            }));
        assertTrue(refused(builder::build).contains("idleTimeout"));
    }
}
