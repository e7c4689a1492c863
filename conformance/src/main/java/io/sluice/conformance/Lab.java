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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The server under test, and the way to it. Opens connections, remembers them so that a stuck check can be ended from
 * another thread, and keeps the keyspace that some checks need. One script at a time; {@link #closeAll} from any
 * thread.
 */
final class Lab
{
    static final String KEYSPACE = "sluice_conformance";

    private final InetSocketAddress address;
    private final int timeoutMillis;
    private final String user;
    private final String password;
    private final List<Conversation> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger keys = new AtomicInteger();
    private boolean schemaMade;
    private String schemaFault;

    /** @param user null if the server asks for no login */
    Lab(final InetSocketAddress address, final int timeoutMillis, final String user, final String password)
    {
        this.address = address;
        this.timeoutMillis = timeoutMillis;
        this.user = user;
        this.password = password;
    }

    int timeoutMillis()
    {
        return timeoutMillis;
    }

    boolean hasLogin()
    {
        return user != null;
    }

    /** SASL PLAIN. */
    byte[] loginToken()
    {
        return ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
    }

    byte[] wrongLoginToken()
    {
        return ("\0" + user + "\0not the " + password).getBytes(StandardCharsets.UTF_8);
    }

    /** A number that no other check of this run uses as a key. */
    int freshKey()
    {
        return keys.incrementAndGet();
    }

    /** A connection on which nothing has been said. */
    Conversation connect(final Profile profile, final Trace trace) throws IOException
    {
        return connect(profile, trace, 0);
    }

    /** @param receiveBuffer socket receive buffer in bytes, 0 for the system's default */
    Conversation connect(final Profile profile, final Trace trace, final int receiveBuffer) throws IOException
    {
        final Conversation conversation = new Conversation(this,
            new WireConnection(address, timeoutMillis, receiveBuffer),
            profile, trace);
        open.add(conversation);
        return conversation;
    }

    /** A connection past STARTUP and login. */
    Conversation ready(final Profile profile, final Trace trace) throws IOException
    {
        return ready(profile, trace, 0);
    }

    Conversation ready(final Profile profile, final Trace trace, final int receiveBuffer) throws IOException
    {
        final Conversation conversation = connect(profile, trace, receiveBuffer);
        conversation.handshake();
        return conversation;
    }

    /** Makes keyspace and tables on first use; a server that cannot is a fault of every check that needs them. */
    void needSchema(final Profile profile) throws IOException
    {
        if (schemaMade)
        {
            return;
        }
        if (schemaFault == null)
        {
            schemaFault = makeSchema(profile);
        }
        if (!schemaFault.isEmpty())
        {
            throw new GarbledBytes("no keyspace to work in: " + schemaFault);
        }
        schemaMade = true;
    }

    void dropSchema(final Profile profile) throws IOException
    {
        if (schemaMade)
        {
            run(profile, "DROP KEYSPACE IF EXISTS " + KEYSPACE);
        }
    }

    void closeAll()
    {
        open.forEach(Conversation::close);
        open.clear();
    }

    private String makeSchema(final Profile profile) throws IOException
    {
        final String table = "CREATE TABLE " + KEYSPACE + ".";
        final List<String> statements = List.of(
            "DROP KEYSPACE IF EXISTS " + KEYSPACE,
            "CREATE KEYSPACE " + KEYSPACE + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            table + "t (k int PRIMARY KEY, v text)",
            table + "wide (k int, c int, v text, PRIMARY KEY (k, c))",
            table + "blobs (k int PRIMARY KEY, b blob)",
            table + "counts (k int PRIMARY KEY, n counter)");
        for (final String statement : statements)
        {
            final String got = run(profile, statement);
            if (!got.startsWith("SCHEMA_CHANGE@1") && !got.startsWith("VOID@1"))
            {
                return statement + ": " + got;
            }
        }
        return "";
    }

    /** DDL may take longer than an ordinary answer. */
    private String run(final Profile profile, final String cql) throws IOException
    {
        final Trace trace = new Trace();
        try (Conversation conversation = ready(profile, trace))
        {
            conversation.say(conversation.requests().query(1, cql));
            conversation.hear(Math.max(timeoutMillis, 15_000));
        }
        return trace.text() + trace.errorTexts();
    }
}
