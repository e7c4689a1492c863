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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.BufferUnderflowException;
import java.util.List;
import org.apache.cassandra.exceptions.ExceptionCode;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.transport.ServerError;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.apache.cassandra.transport.messages.ReadyMessage;
import org.junit.jupiter.api.Test;

class InternalErrorTextTest
{
    private static ErrorMessage answer(final Throwable error)
    {
        return ErrorMessage.fromException(error, ignored -> true);
    }

    @Test
    void hidesWhatJavaSays()
    {
        for (final Throwable error : List.of(new StackOverflowError(), new NullPointerException(),
            new BufferUnderflowException(), new IllegalStateException("Cannot invoke \"java.nio.ByteBuffer.get()\""),
            new RuntimeException("two\nlines"), new RuntimeException(new java.io.EOFException()), new Inner("42")))
        {
            final ErrorMessage hidden = (ErrorMessage)InternalErrorText.hide(answer(error));
            assertEquals(ExceptionCode.SERVER_ERROR, hidden.error.code());
            assertEquals("The request failed in the server; see its log", hidden.error.getMessage());
        }
        final ErrorMessage silent = answer(new ServerError((String)null));
        assertNotSame(silent, InternalErrorText.hide(silent));
    }

    @Test
    void keepsWhatIsMeantForClients()
    {
        final ErrorMessage told = answer(new ServerError("Unexpected error: see docs, e.g. a.b.C: what it is"));
        assertSame(told, InternalErrorText.hide(told));
        final ErrorMessage invalid = answer(new InvalidRequestException("java.lang.String: no such type"));
        assertSame(invalid, InternalErrorText.hide(invalid));
        final ReadyMessage ready = new ReadyMessage();
        assertSame(ready, InternalErrorText.hide(ready));
    }

    private static final class Inner extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        Inner(final String message)
        {
            super(message);
        }
    }
}
