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
package io.sluice.bench.micro;

import io.sluice.bench.RequestBytes;
import org.apache.cassandra.transport.StockBody;
import org.openjdk.jmh.annotations.Param;

/** From the body of one envelope to a request object. */
public class RequestDecodeBenchmark extends ThreeWays
{
    /** What is decoded: values by bytes each. */
    @Param({"EXECUTE_7x10", "EXECUTE_7x1000", "BATCH_10x7x10"})
    private String request;

    @Override
    Measured make(final Implementation implementation)
    {
        final byte[] envelope = switch (request)
        {
            case "EXECUTE_7x10" -> RequestBytes.execute(5, 1, 7, 10);
            case "EXECUTE_7x1000" -> RequestBytes.execute(5, 1, 7, 1000);
            case "BATCH_10x7x10" -> RequestBytes.batch(5, 1, 10, 7, 10);
            default -> throw new IllegalArgumentException("request: " + request);
        };
        return switch (implementation)
        {
            case SLUICE, BARE ->
            {
                final BodyDecoders decoders = new BodyDecoders(envelope);
                yield Measured.of(() -> seen(decoders.sluice()));
            }
            case STOCK ->
            {
                final StockBody stock = new StockBody(envelope);
                yield Measured.of(() -> seen(stock.decode()));
            }
            case NATIVE_PROTOCOL, FLOOR ->
            {
                final BodyDecoders decoders = new BodyDecoders(envelope);
                yield Measured.of(() -> seen(decoders.nativeProtocol()));
            }
        };
    }

    /** Kept where the compiler cannot leave the object out. */
    private int seen(final Object decoded)
    {
        last = decoded;
        return 1;
    }

    @SuppressWarnings("UnusedVariable")
    private Object last;
}
