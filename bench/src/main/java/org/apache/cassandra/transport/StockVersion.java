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
package org.apache.cassandra.transport;

import io.netty.channel.Channel;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.net.FrameEncoder;

/**
 * Where Cassandra 6.0-alpha2 differs from 5.0.8, against which this is compiled: the same class files run on both. What
 * is measured goes through constant method handles, which the compiler sees through. Stateless.
 */
final class StockVersion
{
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Method CONVERT = methodNamed(Dispatcher.FlushItemConverter.class, "toFlushItem");
    /** 5.0: (channel, request, response); 6.0: whatever was given along comes first. */
    private static final boolean SIXTH = CONVERT.getParameterCount() == 4;
    private static final MethodHandle TO_FLUSH_ITEM = toFlushItem();
    private static final MethodHandle NEW_FRAMED = newFramed();
    private static final MethodHandle RESPONSE = response();
    private static final MethodHandle ENCODE = encode();
    private static final Object CLEANUP = cleanup(framedConstructor().getParameterTypes()[4]);

    private StockVersion()
    {
    }

    private static Method methodNamed(final Class<?> type, final String name)
    {
        return Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.getName().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(type + ": no " + name));
    }

    private static MethodHandle toFlushItem()
    {
        try
        {
            final MethodHandle handle = LOOKUP.unreflect(CONVERT);
            final MethodHandle all = SIXTH ? handle : MethodHandles.dropArguments(handle, 1, Object.class);
            return all.asType(MethodType.methodType(Flusher.FlushItem.class, Dispatcher.FlushItemConverter.class,
                Object.class, Channel.class, Message.Request.class, Message.Response.class));
        }
        catch (final IllegalAccessException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** An item to flush; {@code along} is what version 6.0 gave with the request. */
    @SuppressWarnings("rawtypes")
    static Flusher.FlushItem<?> toFlushItem(final Dispatcher.FlushItemConverter converter,
        final Object along,
        final Channel channel,
        final Message.Request request,
        final Message.Response response)
    {
        try
        {
            return (Flusher.FlushItem)TO_FLUSH_ITEM.invokeExact(converter, along, channel,
                request, response);
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static Constructor<?> framedConstructor()
    {
        return Flusher.FlushItem.Framed.class.getDeclaredConstructors()[0];
    }

    private static MethodHandle newFramed()
    {
        try
        {
            return LOOKUP.unreflectConstructor(framedConstructor())
                .asType(MethodType.methodType(Flusher.FlushItem.class, Channel.class, Envelope.class, Envelope.class,
                    FrameEncoder.PayloadAllocator.class, Object.class));
        }
        catch (final IllegalAccessException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle response()
    {
        try
        {
            return LOOKUP.findGetter(Flusher.FlushItem.class, SIXTH ? "responseEnvelope" : "response", Object.class)
                .asType(MethodType.methodType(Envelope.class, Flusher.FlushItem.class));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What an item does once it is flushed; called by name. */
    @SuppressWarnings({"rawtypes", "UnusedMethod"})
    private static void free(final Flusher.FlushItem item)
    {
        try
        {
            ((Envelope)RESPONSE.invokeExact(item)).release();
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** As a Consumer, or as an interface that only 6.0 has: a lambda, which the compiler cannot make for both. */
    private static Object cleanup(final Class<?> type)
    {
        try
        {
            final Method single = Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .findFirst()
                .orElseThrow();
            final MethodType item = MethodType.methodType(void.class, Flusher.FlushItem.class);
            return LambdaMetafactory.metafactory(LOOKUP, single.getName(), MethodType.methodType(type),
                MethodType.methodType(void.class, single.getParameterTypes()),
                LOOKUP.findStatic(StockVersion.class, "free", item), item)
                .getTarget()
                .invoke();
        }
        catch (final Throwable e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** An answer to flush whose envelope is released then. */
    @SuppressWarnings("rawtypes")
    static Flusher.FlushItem<?> framed(final Channel channel,
        final Envelope answer,
        final FrameEncoder.PayloadAllocator allocator)
    {
        try
        {
            return (Flusher.FlushItem)NEW_FRAMED.invokeExact(channel, answer, (Envelope)null, allocator, CLEANUP);
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle encode()
    {
        final MethodType type = MethodType.methodType(Envelope.class, Message.class, ProtocolVersion.class, int.class);
        try
        {
            return SIXTH
                ? LOOKUP.findVirtual(Message.class, "encode",
                    MethodType.methodType(Envelope.class, ProtocolVersion.class, int.class)).asType(type)
                : LOOKUP.findStatic(StockVersion.class, "encodeFifth", type);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Called by name. */
    @SuppressWarnings("UnusedMethod")
    private static Envelope encodeFifth(final Message answer, final ProtocolVersion version, final int streamId)
    {
        answer.setStreamId(streamId);
        return answer.encode(version);
    }

    /** An answer as an envelope of its own. */
    static Envelope encoded(final Message answer, final ProtocolVersion version, final int streamId)
    {
        try
        {
            return (Envelope)ENCODE.invokeExact(answer, version, streamId);
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Without it, marking a metric fails. */
    static void initMetrics()
    {
        final Method init = methodNamed(ClientMetrics.class, "init");
        try
        {
            init.invoke(ClientMetrics.instance, init.getParameterTypes()[0] == Collection.class ? List.of() : server());
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("client metrics cannot be set up", e);
        }
    }

    /** Never started: it only has gauges asked. */
    private static Server server()
    {
        return new Server.Builder().withHost(InetAddress.getLoopbackAddress()).withPort(0).build();
    }

    /** The cells of one row, in the form in which this version's result sets have them. */
    @SuppressWarnings({"unchecked", "ByteBufferBackingArray"})
    static List<ByteBuffer> row(final byte[]... cells)
    {
        final List<Object> row = new ArrayList<>();
        for (final byte[] cell : cells)
        {
            row.add(SIXTH ? cell : ByteBuffer.wrap(cell));
        }
        return (List<ByteBuffer>)(List<?>)row;
    }
}
