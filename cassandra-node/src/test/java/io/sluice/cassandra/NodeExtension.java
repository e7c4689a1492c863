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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the JVM's one {@link TestNode} and sessions to it, and holds each class to a quiet log. */
public final class NodeExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver
{
    /** The tests of this class make the node warn on purpose. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Warns
    {
    }

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(NodeExtension.class);

    @Override
    public void beforeAll(final ExtensionContext context)
    {
        node(context);
        watch(context).take();
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        final Sessions sessions = context.getStore(NAMESPACE).remove("sessions", Sessions.class);
        if (sessions != null)
        {
            sessions.close();
        }
        final List<String> warnings = watch(context).take();
        if (!context.getRequiredTestClass().isAnnotationPresent(Warns.class))
        {
            assertEquals(List.of(), warnings, "warnings in the log");
        }
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        final Class<?> type = parameter.getParameter().getType();
        return type == TestNode.class || type == Sessions.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        return parameter.getParameter().getType() == TestNode.class ? node(context) : sessions(context);
    }

    private static TestNode node(final ExtensionContext context)
    {
        return context.getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent("node", key -> TestNode.start(),
                TestNode.class);
    }

    private static LogWatch watch(final ExtensionContext context)
    {
        return context.getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent("watch", key -> LogWatch.begin(),
                LogWatch.class);
    }

    /** Kept with the class, so that all its tests share them. */
    private static Sessions sessions(final ExtensionContext context)
    {
        ExtensionContext owner = context;
        while (owner.getParent().isPresent() && owner.getTestMethod().isPresent())
        {
            owner = owner.getParent().get();
        }
        return classContext(owner).getStore(NAMESPACE)
            .getOrComputeIfAbsent("sessions", key -> new Sessions(node(
                context)), Sessions.class);
    }

    private static ExtensionContext classContext(final ExtensionContext context)
    {
        ExtensionContext owner = context;
        while (owner.getParent().isPresent() && owner.getParent().get().getTestClass().isPresent())
        {
            owner = owner.getParent().get();
        }
        return owner;
    }
}
