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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.ServerConnection;
import org.apache.cassandra.utils.TimeUUID;

/**
 * The members of Cassandra 5.0.8 that are not public and are used all the same: all of them but those of statements
 * ({@link StatementInternals}) and of pools ({@link SharedPool}, {@link RequestRunner}), and nowhere else. A release
 * that renames one fails here, when the node starts. Immutable, any thread.
 */
final class CassandraInternals
{
    /** The pool that serves requests: the one that nodetool, JMX and system_views show. */
    static final LocalAwareExecutorPlus REQUEST_EXECUTOR;
    /** The pool that serves logins. */
    static final LocalAwareExecutorPlus AUTH_EXECUTOR;

    private static final MethodHandle APPLY_STATE_TRANSITION;
    private static final MethodHandle SET_TRACING_REQUESTED;
    private static final MethodHandle GET_TRACING_ID;
    private static final MethodHandle OPTIONS_WITH_NAMES;
    private static final VarHandle TRANSPORT_TIMEOUT;
    static
    {
        try
        {
            final MethodHandles.Lookup own = MethodHandles.lookup();
            final MethodHandles.Lookup dispatcher = MethodHandles.privateLookupIn(Dispatcher.class, own);
            REQUEST_EXECUTOR = (LocalAwareExecutorPlus)dispatcher
                .findStaticVarHandle(Dispatcher.class, "requestExecutor", LocalAwareExecutorPlus.class)
                .get();
            AUTH_EXECUTOR = (LocalAwareExecutorPlus)dispatcher
                .findStaticVarHandle(Dispatcher.class, "authExecutor", LocalAwareExecutorPlus.class)
                .get();
            APPLY_STATE_TRANSITION = MethodHandles.privateLookupIn(ServerConnection.class, own)
                .findVirtual(ServerConnection.class, "applyStateTransition",
                    MethodType.methodType(void.class, Message.Type.class, Message.Type.class));
            SET_TRACING_REQUESTED = MethodHandles.privateLookupIn(Message.Request.class, own)
                .findVirtual(Message.Request.class, "setTracingRequested", MethodType.methodType(void.class));
            GET_TRACING_ID = MethodHandles.privateLookupIn(Message.Response.class, own)
                .findVirtual(Message.Response.class, "getTracingId", MethodType.methodType(TimeUUID.class));
            TRANSPORT_TIMEOUT = MethodHandles.privateLookupIn(DatabaseDescriptor.class, own)
                .findStaticVarHandle(DatabaseDescriptor.class, "native_transport_timeout_nanos_cached", long.class);
            OPTIONS_WITH_NAMES = optionsWithNames(MethodHandles.privateLookupIn(QueryOptions.class, own));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private CassandraInternals()
    {
    }

    private static MethodHandle optionsWithNames(final MethodHandles.Lookup lookup) throws ReflectiveOperationException
    {
        final String outer = QueryOptions.class.getName();
        final Class<?> named = lookup.findClass(outer + "$OptionsWithNames");
        final Class<?> plain = lookup.findClass(outer + "$DefaultQueryOptions");
        return lookup.findConstructor(named, MethodType.methodType(void.class, plain, List.class))
            .asType(MethodType.methodType(QueryOptions.class, QueryOptions.class, List.class));
    }

    /** Cassandra keeps the first value of native_transport_timeout in nanoseconds for ever: it looks again. */
    static void forgetTransportTimeout()
    {
        TRANSPORT_TIMEOUT.setVolatile(-1L);
    }

    /** Tells a connection's stage what was asked and answered: it is shown by system_views.clients. */
    static void transition(final ServerConnection connection, final Message.Type request, final Message.Type response)
    {
        try
        {
            APPLY_STATE_TRANSITION.invokeExact(connection, request, response);
        }
        catch (final Throwable t)
        {
            throw unexpected(t);
        }
    }

    /** Has a request traced. */
    static void requestTracing(final Message.Request request)
    {
        try
        {
            SET_TRACING_REQUESTED.invokeExact(request);
        }
        catch (final Throwable t)
        {
            throw unexpected(t);
        }
    }

    /** The id of the trace that the client asked for, or null. */
    static UUID tracingId(final Message.Response response)
    {
        try
        {
            final TimeUUID id = (TimeUUID)GET_TRACING_ID.invokeExact(response);
            return id == null ? null : id.asUUID();
        }
        catch (final Throwable t)
        {
            throw unexpected(t);
        }
    }

    /**
     * Options whose values have names: Cassandra puts them into the statement's order once it has parsed it.
     *
     * @param options made by {@link QueryOptions#create}
     */
    static QueryOptions named(final QueryOptions options, final List<String> names)
    {
        try
        {
            return (QueryOptions)OPTIONS_WITH_NAMES.invokeExact(options, names);
        }
        catch (final Throwable t)
        {
            throw unexpected(t);
        }
    }

    static RuntimeException unexpected(final Throwable error)
    {
        if (error instanceof Error fatal)
        {
            throw fatal;
        }
        return error instanceof RuntimeException known ? known : new IllegalStateException(error);
    }
}
