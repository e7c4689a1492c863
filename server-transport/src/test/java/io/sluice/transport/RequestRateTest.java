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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestRateTest
{
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final TransportControl control = new TransportControl(limits(10, Duration.ofSeconds(1)),
        CompressionPolicy.defaults(), FlushPolicy.defaults());
    private long now = Long.MAX_VALUE - 500 * MILLI;
    private final RequestRate rate = new RequestRate(control, now);

    private static TransportLimits limits(final int perSecond, final Duration burst)
    {
        return TransportLimits.defaults().with().requestsPerSecond(perSecond).requestBurst(burst).build();
    }

    private int taken()
    {
        int taken = 0;
        while (rate.tryTake(control.limits(), now))
        {
            taken++;
        }
        return taken;
    }

    @Test
    void savesUpABurstAndThenGoesAtItsRate()
    {
        assertEquals(10, taken());
        now += 99 * MILLI;
        assertEquals(0, taken());
        now += MILLI;
        assertEquals(1, taken());
        // The clock's numbers pass the largest one meanwhile.
        now += 450 * MILLI;
        assertEquals(4, taken());
        now += TimeUnit.HOURS.toNanos(1);
        assertEquals(10, taken(), "no more than the burst is saved up");
    }

    @Test
    void whoeverMayWaitGetsTheNextMomentInOrder()
    {
        assertEquals(10, taken());
        assertEquals(100 * MILLI, rate.reserve(control.limits(), now));
        assertEquals(200 * MILLI, rate.reserve(control.limits(), now));
        assertFalse(rate.tryTake(control.limits(), now + 150 * MILLI), "somebody else's");
        assertEquals(150 * MILLI, rate.reserve(control.limits(), now + 150 * MILLI));
        assertTrue(rate.tryTake(control.limits(), now + 400 * MILLI));
    }

    @Test
    void withoutABurstThereIsOneAtATime()
    {
        control.limits(limits(1_000, Duration.ZERO));
        rate.settingsChanged(now);
        assertEquals(1, taken());
        now += MILLI;
        assertEquals(1, taken());
        now += 10 * MILLI;
        assertEquals(1, taken());
    }

    @Test
    void aNewRateForgetsWhatWasReservedUnderTheOldOne()
    {
        control.limits(limits(1, Duration.ZERO));
        rate.settingsChanged(now);
        for (int i = 0; i < 100; i++)
        {
            rate.reserve(control.limits(), now);
        }
        final int epoch = rate.epoch();
        control.limits(control.limits().with().idleTimeout(Duration.ofSeconds(5)).build());
        rate.settingsChanged(now);
        assertEquals(epoch, rate.epoch(), "of no concern here");
        control.limits(limits(1_000, Duration.ofSeconds(1)));
        rate.settingsChanged(now);
        assertNotEquals(epoch, rate.epoch());
        assertEquals(1_000, taken());
    }
}
