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
package io.sluice.bench.soak;

import java.io.IOException;

/** Does the same bad thing again and again. Confined to its thread. */
final class HostileClient implements Runnable
{
    private final HostileKind kind;
    private final Soak soak;
    private final HostileContext context;

    HostileClient(final HostileKind kind, final int number, final Soak soak)
    {
        this.kind = kind;
        this.soak = soak;
        context = new HostileContext(kind.name(), number, soak);
        soak.ledger().expect(kind.name());
    }

    @Override
    public void run()
    {
        do
        {
            try
            {
                soak.ledger().outcome(kind.name(), kind.act().act(context));
            }
            catch (final IOException e)
            {
                soak.ledger().outcome(kind.name(), "broken off");
            }
            catch (final IllegalStateException e)
            {
                soak.ledger().fault(kind.name(), e.getMessage());
            }
        }
        while (!soak.stop().await(kind.pauseMillis() / 2 + context.random().nextInt(kind.pauseMillis())));
    }
}
