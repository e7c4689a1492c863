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
package io.sluice.framing.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.WireBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FixedBodyTest
{
    private final Encoding encoding = new Encoding();

    @ParameterizedTest
    @EnumSource
    void isWhatItsBodyEncodesTo(final ProtocolVersion version)
    {
        for (final ResponseBody body : new ResponseBody[]{VoidResult.INSTANCE, new SetKeyspaceResult("demo")})
        {
            final FixedBody fixed = FixedBody.of(body);
            final byte[] copy = new byte[fixed.envelope(version).capacity()];
            fixed.envelope(version).getBytes(0, copy);
            EnvelopeHeader.putStreamId(new UnsafeBuffer(copy), 0, -2);
            assertEquals(encoding.hex(version, -2, body), WireBytes.toHex(copy));
            assertEquals(encoding.hex(version, 7, body), encoding.hex(version, 7, fixed));
            assertEquals(Opcode.RESULT, fixed.opcode());
            assertEquals(copy.length - EnvelopeHeader.LENGTH, fixed.encodedLengthHint(version));
        }
        encoding.close();
    }

    @Test
    void knowsItself()
    {
        final FixedBody fixed = VoidResult.INSTANCE.fixed();
        assertSame(fixed, fixed.fixed());
        assertSame(fixed, VoidResult.INSTANCE.fixed());
    }

    @Test
    void refusesWhatIsLong()
    {
        FixedBody.of(new SetKeyspaceResult("k".repeat(FixedBody.MOST_BYTES - 6)));
        assertThrows(IllegalArgumentException.class,
            () -> FixedBody.of(new SetKeyspaceResult("k".repeat(FixedBody.MOST_BYTES - 5))));
    }
}
