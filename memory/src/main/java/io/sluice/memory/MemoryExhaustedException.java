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
package io.sluice.memory;

/**
 * There is no direct memory left for a claim: shed the request or close the one connection, and go on. It has no stack
 * trace: it is an answer, not a fault, and may be given thousands of times a second just when a node has least to
 * spare.
 */
public final class MemoryExhaustedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Says how much was asked for and why it was refused. */
    public MemoryExhaustedException(final String message, final Throwable cause)
    {
        super(message, cause, false, false);
    }
}
