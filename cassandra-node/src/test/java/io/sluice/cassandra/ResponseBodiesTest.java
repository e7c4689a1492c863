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
package io.sluice.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.FixedBody;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.SetKeyspaceResult;
import io.sluice.framing.response.VoidResult;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;

class ResponseBodiesTest
{
    private final ResponseBodies bodies = new ResponseBodies();

    @Test
    void voidIsOneForAll()
    {
        assertSame(VoidResult.INSTANCE, bodies.of(new ResultMessage.Void()));
    }

    @Test
    void aKeyspaceIsEncodedOnce()
    {
        final ResponseBody first = bodies.of(new ResultMessage.SetKeyspace("one"));
        assertInstanceOf(FixedBody.class, first);
        assertSame(first, bodies.of(new ResultMessage.SetKeyspace("one")));
        final FixedBody longest = (FixedBody)bodies.of(new ResultMessage.SetKeyspace("k".repeat(48)));
        // Kind, length, name.
        assertEquals(4 + 2 + 48, longest.encodedLengthHint(ProtocolVersion.V5));
    }

    @Test
    void namesThatAreTooLongOrTooManyAreEncodedEachTime()
    {
        assertEquals(new SetKeyspaceResult("k".repeat(58)), bodies.of(new ResultMessage.SetKeyspace("k".repeat(58))));
        for (int i = 0; i < 256; i++)
        {
            assertInstanceOf(FixedBody.class, bodies.of(new ResultMessage.SetKeyspace("k" + i)));
        }
        assertEquals(new SetKeyspaceResult("another"), bodies.of(new ResultMessage.SetKeyspace("another")));
        assertInstanceOf(FixedBody.class, bodies.of(new ResultMessage.SetKeyspace("k255")));
    }
}
