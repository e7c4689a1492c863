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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every check there is, in the order of a connection's life. */
final class Catalogue
{
    private Catalogue()
    {
    }

    static List<Check> of(final List<Profile> profiles)
    {
        final List<Check> checks = new ArrayList<>();
        new VersionChecks(checks::add).add();
        final Set<Integer> versions = new HashSet<>();
        for (final Profile profile : profiles)
        {
            new HandshakeChecks(checks::add).add(profile, versions.add(profile.version()));
            if (profile.isSegmented())
            {
                new GoldenChecks(checks::add).add(profile);
                new SegmentChecks(checks::add).add(profile);
                new LargeEnvelopeChecks(checks::add).add(profile);
                new DamageChecks(checks::add).add(profile);
            }
            else
            {
                new EnvelopeChecks(checks::add).add(profile);
            }
            new OpcodeChecks(checks::add).add(profile);
            new QueryChecks(checks::add).add(profile);
            new ValueChecks(checks::add).add(profile);
            new PreparedChecks(checks::add).add(profile);
            new BatchChecks(checks::add).add(profile);
            new MalformedChecks(checks::add).add(profile);
            new PrefixChecks(checks::add).add(profile);
            new EventChecks(checks::add).add(profile);
            new ResponseChecks(checks::add).add(profile);
            new LoginChecks(checks::add).add(profile);
            new ClosingChecks(checks::add).add(profile);
            new PressureChecks(checks::add).add(profile);
        }
        final Set<String> ids = new LinkedHashSet<>();
        for (final Check check : checks)
        {
            if (!ids.add(check.id()))
            {
                throw new IllegalStateException("two checks of one name: " + check.id());
            }
        }
        return checks;
    }
}
