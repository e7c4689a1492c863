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

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Why the node cannot start, as one plain sentence for the person who typed the command. Immutable. */
public final class StartupFailure extends Exception
{
    private static final long serialVersionUID = 1L;

    /** @param sentence what is wrong and what to do about it, in one line */
    public StartupFailure(final String sentence)
    {
        super(sentence);
    }

    StartupFailure(final String sentence, final Throwable cause)
    {
        super(sentence, cause);
    }

    /** The innermost reason's first line, which for Cassandra's nested exceptions is the one that says something. */
    static String reason(final Throwable failure)
    {
        Throwable innermost = failure;
        while (innermost.getCause() != null)
        {
            innermost = innermost.getCause();
        }
        if (innermost instanceof NoSuchFileException)
        {
            return "no such file or folder";
        }
        if (innermost instanceof AccessDeniedException)
        {
            return "permission denied";
        }
        if (innermost instanceof FileAlreadyExistsException)
        {
            return "a file of that name is in the way";
        }
        final String message = innermost.getMessage();
        return message == null || message.isBlank()
            ? innermost.getClass().getSimpleName()
            : message.strip().lines().findFirst().orElseThrow();
    }
}
