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

/**
 * Keeps the settings of a transport in step with those of the program around it, where that has settings of its own
 * for the same things. Called by any thread, one at a time.
 */
public interface SettingsBinding
{
    /** Nothing to keep in step with. */
    SettingsBinding NONE = new SettingsBinding()
    {
    };

    /**
     * Settings are about to be read or changed: whatever was changed behind them before is to be brought in now, by
     * {@link TransportSettings#set}, so that the later change is the one that counts.
     */
    default void refresh(final TransportSettings settings)
    {
    }

    /** This value has come into force. Not called for what {@link #refresh} brings in. */
    default void changed(final String name, final String value)
    {
    }
}
