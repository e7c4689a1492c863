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
package io.sluice.conformance;

/** Envelopes back to back: v3, v4, and v5 up to the reply to STARTUP. */
final class EnvelopeParser implements InboundParser
{
    private final ByteQueue pending = new ByteQueue();
    private int needed;

    @Override
    public void feed(final byte[] bytes, final int length)
    {
        pending.add(bytes, length);
    }

    @Override
    public Envelope next()
    {
        if (pending.length() < needed)
        {
            return null;
        }
        final byte[] all = pending.peek(0, pending.length());
        final Envelope envelope = Envelope.parse(all, 0, all.length);
        needed = envelope == null ? Envelope.lengthNeeded(all) : 0;
        if (envelope != null)
        {
            pending.remove(envelope.length());
        }
        return envelope;
    }

    @Override
    public int unread()
    {
        return pending.length();
    }

    @Override
    public byte[] takeUnread()
    {
        final byte[] unread = pending.peek(0, pending.length());
        pending.remove(unread.length);
        return unread;
    }
}
