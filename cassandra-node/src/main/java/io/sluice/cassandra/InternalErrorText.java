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

import java.util.regex.Pattern;
import org.apache.cassandra.exceptions.ExceptionCode;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.ServerError;
import org.apache.cassandra.transport.messages.ErrorMessage;

/**
 * Keeps what Java says about itself from clients. Cassandra answers what it did not foresee - a stack that overflows
 * in its parser, a paging state that somebody made up - with the exception's class and text, having logged it.
 */
final class InternalErrorText
{
    private static final String TEXT = "The request failed in the server; see its log";
    /** As {@link Throwable#toString} begins. */
    private static final Pattern JAVA = Pattern.compile("(?:[a-z_]\\w*\\.)+[A-Z][\\w$]*(?::.*)?", Pattern.DOTALL);

    private InternalErrorText()
    {
    }

    /** The same, or, for a failure told in Java's words, a new answer with a text for clients. Any thread. */
    static Message.Response hide(final Message.Response response)
    {
        if (!(response instanceof ErrorMessage failure) || failure.error.code() != ExceptionCode.SERVER_ERROR)
        {
            return response;
        }
        final String text = failure.error.getMessage();
        return text != null && !JAVA.matcher(text).matches()
            ? response
            : ErrorMessage.fromException(new ServerError(TEXT));
    }
}
