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

import java.util.Objects;
import javax.management.ConstructorParameters;

/**
 * One setting as it stands at this moment; a row of {@link NativeTransportMXBean#getSettings}. Immutable.
 */
public final class SettingRow
{
    private final String name;
    private final String value;
    private final String unit;
    private final String range;
    private final String defaultValue;
    private final String source;
    private final String changed;
    private final String changedBy;
    private final String about;

    /** Each value by its name; {@code changed} and {@code changedBy} are empty if it never was. */
    @ConstructorParameters({"name", "value", "unit", "range", "defaultValue", "source", "changed", "changedBy",
        "about"})
    public SettingRow(final String name,
        final String value,
        final String unit,
        final String range,
        final String defaultValue,
        final String source,
        final String changed,
        final String changedBy,
        final String about)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.value = Objects.requireNonNull(value, "value");
        this.unit = Objects.requireNonNull(unit, "unit");
        this.range = Objects.requireNonNull(range, "range");
        this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
        this.source = Objects.requireNonNull(source, "source");
        this.changed = Objects.requireNonNull(changed, "changed");
        this.changedBy = Objects.requireNonNull(changedBy, "changedBy");
        this.about = Objects.requireNonNull(about, "about");
    }

    /** What it is set by. */
    public String getName()
    {
        return name;
    }

    /** In force now. */
    public String getValue()
    {
        return value;
    }

    /** Of the value; empty for words. */
    public String getUnit()
    {
        return unit;
    }

    /** Which values are accepted. */
    public String getRange()
    {
        return range;
    }

    /** In force if nobody says otherwise. */
    public String getDefaultValue()
    {
        return defaultValue;
    }

    /** A {@link SettingSource} in lower case. */
    public String getSource()
    {
        return source;
    }

    /** When it was last changed since the start, in UTC (ISO 8601); empty if never. */
    public String getChanged()
    {
        return changed;
    }

    /** By whom; empty if never. */
    public String getChangedBy()
    {
        return changedBy;
    }

    /** What it does. */
    public String getAbout()
    {
        return about;
    }

    @Override
    public String toString()
    {
        return name + " = " + value + (unit.isEmpty() ? "" : " " + unit) + " (" + source + ")";
    }
}
