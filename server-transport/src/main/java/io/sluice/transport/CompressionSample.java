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

import io.sluice.framing.CompressionGate;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What compressing has saved one connection of late, and so whether the next payload or body is worth a try.
 * <p>
 * Any thread: bodies are compressed by whoever completes a request. Two that learn at once may lose one try's worth of
 * knowledge, which is only ever an estimate.
 */
final class CompressionSample implements CompressionGate
{
    private static final VarHandle MEAN_SAVING;
    private static final VarHandle RAW_IN_A_ROW;
    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            MEAN_SAVING = lookup.findVarHandle(CompressionSample.class, "meanSaving", int.class);
            RAW_IN_A_ROW = lookup.findVarHandle(CompressionSample.class, "rawInARow", int.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TransportControl control;
    @SuppressWarnings("UnusedVariable")
    private int meanSaving = CompressionPolicy.UNKNOWN_SAVING;
    @SuppressWarnings("UnusedVariable")
    private int rawInARow;

    CompressionSample(final TransportControl control)
    {
        this.control = control;
    }

    @Override
    public boolean opens(final int length)
    {
        final CompressionPolicy policy = control.compression();
        final int raw = (int)RAW_IN_A_ROW.getOpaque(this);
        if (policy.tries(length, (int)MEAN_SAVING.getOpaque(this), raw))
        {
            RAW_IN_A_ROW.setOpaque(this, 0);
            return true;
        }
        if (policy.isLongEnough(length))
        {
            RAW_IN_A_ROW.setOpaque(this, raw + 1);
        }
        return false;
    }

    @Override
    public void onTried(final int length, final int compressedLength)
    {
        MEAN_SAVING.setOpaque(this,
            CompressionPolicy.learn((int)MEAN_SAVING.getOpaque(this), length, compressedLength));
    }
}
