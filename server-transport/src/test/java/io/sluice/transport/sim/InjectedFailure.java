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
package io.sluice.transport.sim;

/**
 * What the engine throws on purpose: with {@link InjectedError} the only kind of error that the transport may report as
 * the node's own.
 */
final class InjectedFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    InjectedFailure(final String message)
    {
        super(message, null, false, false);
    }

    /** Throws, for every second request a Java Error. */
    static void raise(final int nonce, final String message)
    {
        if (nonce % 2 == 0)
        {
            throw new InjectedError(message);
        }
        throw new InjectedFailure(message);
    }
}
