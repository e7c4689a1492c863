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
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CIDR notation and nothing else. */
final class NetworkRangeTest
{
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true", "10.0.0.0/8, 11.0.0.0, false", "10.0.0.0/8, 9.255.255.255, false",
        "192.0.2.128/25, 192.0.2.128, true", "192.0.2.128/25, 192.0.2.127, false",
        "192.0.2.6/31, 192.0.2.7, true", "192.0.2.6/31, 192.0.2.8, false",
        "192.0.2.7, 192.0.2.7, true", "192.0.2.7, 192.0.2.6, false", "192.0.2.7/32, 192.0.2.7, true",
        "0.0.0.0/0, 203.0.113.1, true", "0.0.0.0/0, ::1, false", "::/0, 10.0.0.1, false", "::/0, ::1, true",
        "2001:db8::/32, 2001:db8:ffff::1, true", "2001:db8::/32, 2001:db9::1, false", "::1, ::1, true",
        "2001:db8:0:0:8000::/65, 2001:db8::8000:0:0:1, true", "2001:db8:0:0:8000::/65, 2001:db8::7000:0:0:1, false"})
    void includesWhatBeginsWithItsBits(final String range, final String address, final boolean expected)
        throws UnknownHostException
    {
        assertEquals(expected, NetworkRange.of(range).includes(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10/8",
        "10.0.0.1/8", "0.0.0.1/0", "::1/127", "::/129", "localhost", "10.0.0.0/0x8", " 10.0.0.0/8", "10.0.0.0/8 ",
        "10.0.0.256"})
    void refusesEverythingElse(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> NetworkRange.of(text));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/8, 10.0.0.0/8", "::1, 0:0:0:0:0:0:0:1/128"})
    void showsItself(final String text, final String shown)
    {
        assertEquals(shown, NetworkRange.of(text).toString());
    }
}
