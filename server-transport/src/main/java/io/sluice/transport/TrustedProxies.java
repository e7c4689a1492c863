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

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * Which peers are proxies that say, by a header of the PROXY protocol (version 1 or 2), whom they speak for. Whoever
 * connects from there must begin with such a header, before TLS; from anywhere else it is no more than bad bytes.
 * Immutable.
 *
 * @param ranges where proxies are; empty for none
 * @param headerTimeout from accept to the end of the header; more than 0
 */
public record TrustedProxies(List<NetworkRange> ranges, Duration headerTimeout)
{
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Checks the timeout. */
    public TrustedProxies
    {
        ranges = List.copyOf(ranges);
        if (headerTimeout.isNegative() || headerTimeout.isZero())
        {
            throw new IllegalArgumentException("headerTimeout: " + headerTimeout + " (expected: > 0)");
        }
    }

    /** Nobody's word is taken. */
    public static TrustedProxies none()
    {
        return of();
    }

    /**
     * Proxies in these ranges, which have five seconds for their header.
     *
     * @throws IllegalArgumentException if one is no range
     */
    public static TrustedProxies of(final String... ranges)
    {
        return new TrustedProxies(List.of(ranges).stream().map(NetworkRange::of).toList(), DEFAULT_TIMEOUT);
    }

    /** The same with another deadline. */
    public TrustedProxies withHeaderTimeout(final Duration timeout)
    {
        return new TrustedProxies(ranges, timeout);
    }

    /** True if this peer is one of them. */
    boolean include(final InetAddress peer)
    {
        for (final NetworkRange range : ranges)
        {
            if (range.includes(peer))
            {
                return true;
            }
        }
        return false;
    }
}
