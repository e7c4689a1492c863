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
package io.sluice.transport.testkit;

import io.sluice.transport.AuthenticationFailedException;
import io.sluice.transport.Authenticator;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.SaslNegotiation;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Logs in with the token "secret", or with "step" first, which is answered by a challenge, and "secret" after it.
 * "slow" blocks its thread until {@link #goOn}, then succeeds; "bug" throws what no authenticator should. Any thread.
 */
public final class PasswordAuthenticator implements Authenticator
{
    private final CountDownLatch slow = new CountDownLatch(1);
    private final AtomicInteger checked = new AtomicInteger();
    private volatile boolean blocked;

    @Override
    public String mechanism(final ClientConnection connection)
    {
        return "demo.PasswordAuthenticator";
    }

    /** Lets what is slow end. */
    public void goOn()
    {
        slow.countDown();
    }

    /**
     * Waits until a slow one has its thread: that the server has read it does not say that it is ahead of what another
     * event loop reads.
     */
    public void awaitSlow()
    {
        Await.until("a slow login has its thread", () -> blocked);
    }

    /** Tokens that it has looked at. */
    public int checked()
    {
        return checked.get();
    }

    @Override
    public SaslNegotiation negotiate(final ClientConnection connection)
    {
        return token ->
        {
            checked.incrementAndGet();
            final String text = token == null ? "" : new String(token, StandardCharsets.UTF_8);
            return switch (text)
            {
                case "secret" -> SaslNegotiation.Step.success(null);
                case "step" -> SaslNegotiation.Step.challenge("more".getBytes(StandardCharsets.UTF_8));
                case "slow" -> succeedSlowly();
                case "bug" -> throw new IllegalStateException("secret");
                default -> throw new AuthenticationFailedException("Provided credentials are incorrect");
            };
        };
    }

    private SaslNegotiation.Step succeedSlowly()
    {
        blocked = true;
        try
        {
            slow.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return SaslNegotiation.Step.success(new byte[]{1});
    }
}
