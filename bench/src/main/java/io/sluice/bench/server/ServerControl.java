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
package io.sluice.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Tells over a socket of its own what the server's JVM has used, and does what else it was given: a line for each
 * line. One client at a time; on the loopback address only.
 */
public final class ServerControl implements AutoCloseable
{
    /** Does what a line says and answers with a line. */
    public interface Command
    {
        /** What follows the command's name. */
        String run(String arguments) throws Exception;
    }

    private static final String USAGE = "usage";
    private static final String FAILED = "failed: ";

    private final ServerSocket listener;
    private final Map<String, Command> commands;

    /** Listens; 0 takes any port. */
    public ServerControl(final int port, final Map<String, Command> commands) throws IOException
    {
        this.commands = Map.copyOf(commands);
        listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    /** Where it listens. */
    public int port()
    {
        return listener.getLocalPort();
    }

    /** What a server prints when clients can connect. */
    public static String ready(final int cqlPort, final int controlPort)
    {
        return "READY cql=" + cqlPort + " control=" + controlPort;
    }

    /** Starts to answer, on a thread of its own. */
    public void start()
    {
        final Thread thread = new Thread(this::answer, "control");
        thread.setDaemon(true);
        thread.start();
    }

    private void answer()
    {
        while (!listener.isClosed())
        {
            try (Socket client = listener.accept();
                BufferedReader in = new BufferedReader(
                    new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                PrintWriter out = new PrintWriter(client.getOutputStream(), true, StandardCharsets.US_ASCII))
            {
                for (String line = in.readLine(); line != null; line = in.readLine())
                {
                    out.println(answer(line));
                }
            }
            catch (final IOException e)
            {
                // That client is gone, or the listener is closed: the loop tells which.
            }
        }
    }

    private String answer(final String line)
    {
        if (USAGE.equals(line))
        {
            final ServerUsage usage = ServerUsage.ofThisJvm();
            return usage.cpuNanos() + " " + usage.allocatedBytes();
        }
        final String[] words = line.split(" ", 2);
        final Command command = commands.get(words[0]);
        if (command == null)
        {
            return FAILED + "no such command: " + words[0];
        }
        try
        {
            return command.run(words.length > 1 ? words[1] : "");
        }
        catch (final Exception e)
        {
            return FAILED + String.valueOf(e).replace('\n', ' ');
        }
    }

    @Override
    public void close() throws IOException
    {
        listener.close();
    }

    /** Asks a server. Confined to one thread. */
    public static final class Client implements AutoCloseable
    {
        private final Socket socket;
        private final BufferedReader in;
        private final PrintWriter out;

        /** Connects. */
        public Client(final int port) throws IOException
        {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
        }

        /** What the server has used. */
        public ServerUsage usage() throws IOException
        {
            final String line = ask(USAGE);
            final String[] numbers = line.split(" ", 2);
            return new ServerUsage(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        }

        /** Has one of the server's commands done; returns what it says. */
        public String ask(final String command) throws IOException
        {
            out.println(command);
            final String line = in.readLine();
            if (line == null)
            {
                throw new IOException("control: the server is gone");
            }
            if (line.startsWith(FAILED))
            {
                throw new IOException("control: " + command + ": " + line);
            }
            return line;
        }

        @Override
        public void close() throws IOException
        {
            socket.close();
        }
    }
}
