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

import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A setting that belongs to the program around the transport, its thread pools for example, shown and set with the
 * transport's own: see {@link NativeTransportBuilder#setting}. Immutable; its functions are called by any thread, one
 * at a time.
 *
 * @param name as no other setting is called
 * @param unit of the value, empty for words
 * @param range which values are accepted, for people
 * @param about what it does, in one sentence without a full stop
 * @param defaultValue in force if nobody says otherwise
 * @param value tells what is in force
 * @param check returns a value as it is to be written, or throws IllegalArgumentException
 * @param change puts a checked value into force; throws nothing
 */
public record ExtraSetting(
    String name,
    String unit,
    String range,
    String about,
    String defaultValue,
    Supplier<String> value,
    UnaryOperator<String> check,
    Consumer<String> change)
{

    /** Checks that all is there. */
    public ExtraSetting
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(range, "range");
        Objects.requireNonNull(about, "about");
        Objects.requireNonNull(defaultValue, "defaultValue");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(change, "change");
    }

    /** A whole number, from {@code lowest} to {@code highest}. */
    public static ExtraSetting number(final String name,
        final String unit,
        final long lowest,
        final long highest,
        final String about,
        final long defaultValue,
        final LongSupplier value,
        final LongConsumer change)
    {
        return new ExtraSetting(name, unit, lowest + ".." + highest, about, Long.toString(defaultValue),
            () -> Long.toString(value.getAsLong()), text -> Long.toString(SettingKind.number(name, text, lowest,
                highest)),
            text -> change.accept(Long.parseLong(text)));
    }

    /** One of these words, in upper or lower case. */
    public static ExtraSetting choice(final String name,
        final Class<? extends Enum<?>> words,
        final String about,
        final String defaultValue,
        final Supplier<String> value,
        final Consumer<String> change)
    {
        final String[] choices = SettingKind.words(words);
        return new ExtraSetting(name, "", String.join(", ", choices), about, defaultValue, value,
            text -> choices[SettingKind.choice(name, text.toUpperCase(Locale.ROOT), choices)], change);
    }

    /** True or false. */
    public static ExtraSetting flag(final String name,
        final String about,
        final boolean defaultValue,
        final Supplier<Boolean> value,
        final Consumer<Boolean> change)
    {
        return new ExtraSetting(name, "", String.join(", ", SettingKind.FLAG), about, Boolean.toString(defaultValue),
            () -> value.get().toString(), text -> SettingKind.FLAG[SettingKind.choice(name, text, SettingKind.FLAG)],
            text -> change.accept(Boolean.valueOf(text)));
    }
}
