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

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every setting that can change while the transport runs, by name: what it is, where its value comes from, and the one
 * place where it is changed by people. Several can be changed at once; they are checked as a set, and either all of
 * them come into force or none. Any thread.
 */
public final class TransportSettings
{
    private static final Logger LOG = LoggerFactory.getLogger(TransportSettings.class);

    private final TransportControl control;
    private final InstantSource clock;
    private final List<ExtraSetting> extras;
    private final SettingsBinding binding;
    private final Map<String, TransportSetting> own = new LinkedHashMap<>();
    private final Map<String, ExtraSetting> others = new LinkedHashMap<>();
    private final Map<String, String> defaults = new LinkedHashMap<>();
    /** The values that are known, so that a change shows. */
    private final Map<String, String> known = new LinkedHashMap<>();
    private final Map<String, Origin> origins = new LinkedHashMap<>();
    private boolean refreshing;

    TransportSettings(final TransportControl control, final NativeTransportBuilder builder)
    {
        this.control = control;
        this.clock = builder.wallClock;
        this.extras = List.copyOf(builder.extraSettings);
        this.binding = builder.settingsBinding;
        final TransportControl unchanged = new TransportControl(builder.defaultLimits, CompressionPolicy.defaults(),
            FlushPolicy.defaults());
        for (final TransportSetting setting : TransportSetting.ALL)
        {
            own.put(setting.name(), setting);
            begin(setting.name(), setting.value(unchanged), setting.value(control), builder.settingsSource);
        }
        for (final ExtraSetting setting : extras)
        {
            if (own.containsKey(setting.name()) || others.put(setting.name(), setting) != null)
            {
                throw new IllegalArgumentException("setting: " + setting.name() + " is there already");
            }
            begin(setting.name(), setting.defaultValue(), setting.value().get(), builder.settingsSource);
        }
        control.listener(() -> note(SettingSource.CODE, "code"));
    }

    private void begin(final String name, final String unchanged, final String value, final SettingSource source)
    {
        defaults.put(name, unchanged);
        known.put(name, value);
        origins.put(name, new Origin(value.equals(unchanged) ? SettingSource.DEFAULT : source, "", ""));
    }

    /** What these limits are as settings, values by name. */
    public static Map<String, String> valuesOf(final TransportLimits limits)
    {
        final TransportControl control = new TransportControl(limits, CompressionPolicy.defaults(),
            FlushPolicy.defaults());
        final Map<String, String> values = new LinkedHashMap<>();
        for (final TransportSetting setting : TransportSetting.ALL)
        {
            if (setting.isOfLimits())
            {
                values.put(setting.name(), setting.value(control));
            }
        }
        return values;
    }

    /** All names, in the order in which they are shown. */
    public List<String> names()
    {
        return List.copyOf(defaults.keySet());
    }

    /** All of them as they stand, by name. */
    public Map<String, SettingRow> rows()
    {
        synchronized (control)
        {
            refresh();
            final Map<String, SettingRow> rows = new LinkedHashMap<>();
            own.values()
                .forEach(setting -> rows.put(setting.name(), row(setting.name(), setting.unit(), setting.range(),
                    setting.about())));
            others.values()
                .forEach(setting -> rows.put(setting.name(), row(setting.name(), setting.unit(), setting.range(),
                    setting.about())));
            return rows;
        }
    }

    private SettingRow row(final String name, final String unit, final String range, final String about)
    {
        final Origin origin = origins.get(name);
        return new SettingRow(name, known.get(name), unit, range, defaults.get(name),
            origin.source.name().toLowerCase(Locale.ROOT), origin.changed, origin.by, about);
    }

    /**
     * The value in force.
     *
     * @throws IllegalArgumentException if there is no such setting
     */
    public String value(final String name)
    {
        synchronized (control)
        {
            refresh();
            return known.get(existing(name));
        }
    }

    /** The value in force if nobody says otherwise. */
    public String defaultValue(final String name)
    {
        return defaults.get(existing(name));
    }

    private String existing(final String name)
    {
        if (!defaults.containsKey(name))
        {
            throw new IllegalArgumentException("setting: " + name + " (expected: one of " + defaults.keySet() + ")");
        }
        return name;
    }

    /**
     * Changes some settings together; in force at once, for open connections too.
     *
     * @param changes values by name, as text
     * @param by whoever does it, for people
     * @throws IllegalArgumentException if one is refused, with the reason; then nothing has changed
     */
    public void set(final Map<String, String> changes, final SettingSource source, final String by)
    {
        synchronized (control)
        {
            refresh();
            final SettingsDraft draft = new SettingsDraft(control);
            final Map<ExtraSetting, String> checked = new LinkedHashMap<>();
            changes.forEach((name, text) ->
            {
                final TransportSetting setting = own.get(existing(name));
                if (setting != null)
                {
                    setting.put(draft, Objects.requireNonNull(text, name));
                }
                else
                {
                    final ExtraSetting other = others.get(name);
                    checked.put(other, other.check().apply(Objects.requireNonNull(text, name)));
                }
            });
            apply(draft, changes);
            checked.forEach((setting, text) -> setting.change().accept(text));
            note(source, by);
        }
    }

    private void apply(final SettingsDraft draft, final Map<String, String> changes)
    {
        final TransportLimits limits = draft.limits.build();
        final FlushPolicy flush = draft.flushPolicy();
        final CompressionPolicy compression = draft.compression();
        checkOrder(changes, "inFlightBytesPerAddress", limits.inFlightBytesPerAddress(), "inFlightBytes",
            limits.inFlightBytes());
        checkOrder(changes, "answerBytesPerAddress", limits.answerBytesPerAddress(), "answerBytes",
            limits.answerBytes());
        if (limits.maxConnections() >= 0)
        {
            checkOrder(changes, "maxConnectionsPerAddress", limits.maxConnectionsPerAddress(), "maxConnections",
                limits.maxConnections());
        }
        control.changeAll(limits, compression, flush, draft.olderVersionsAllowed);
    }

    /** Checked if one of the two is being changed: what was there before may be as it is. */
    private static void checkOrder(final Map<String, String> changes,
        final String smaller,
        final long value,
        final String larger,
        final long most)
    {
        if ((changes.containsKey(smaller) || changes.containsKey(larger)) && value > most)
        {
            throw new IllegalArgumentException(
                smaller + ": " + value + " (expected: at most " + larger + ", " + most + ")");
        }
    }

    /** What was changed elsewhere comes in before anything else happens. */
    public void refresh()
    {
        synchronized (control)
        {
            if (!refreshing)
            {
                refreshing = true;
                try
                {
                    binding.refresh(this);
                    note(SettingSource.JMX, "elsewhere");
                }
                finally
                {
                    refreshing = false;
                }
            }
        }
    }

    /** Marks all values that are not what they were. */
    private void note(final SettingSource source, final String by)
    {
        synchronized (control)
        {
            final List<String> changed = new ArrayList<>();
            own.forEach((name, setting) -> compare(name, setting.value(control), source, by, changed));
            others.forEach((name, setting) -> compare(name, setting.value().get(), source, by, changed));
            if (!changed.isEmpty())
            {
                LOG.info("settings changed by {}: {}", by, changed.stream().collect(Collectors.joining(", ")));
            }
        }
    }

    private void compare(final String name,
        final String value,
        final SettingSource source,
        final String by,
        final List<String> changed)
    {
        final String before = known.put(name, value);
        if (!value.equals(before))
        {
            origins.put(name, new Origin(source, clock.instant().truncatedTo(ChronoUnit.MILLIS).toString(), by));
            changed.add(name + ": " + value + " (was: " + before + ")");
            if (!refreshing)
            {
                binding.changed(name, value);
            }
        }
    }

    /** Where a value comes from. */
    private record Origin(SettingSource source, String changed, String by)
    {
    }
}
