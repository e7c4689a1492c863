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
package io.sluice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Tells over a socket of its own what the server's JVM has used: a line for each line. One client at a time; on the
 * loopback address only.
 */
final class ServerControl implements AutoCloseable
{
    private final ServerSocket listener;

    /** Listens; 0 takes any port. */
    ServerControl(final int port) throws IOException
    {
        listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    int port()
    {
        return listener.getLocalPort();
    }

    /** What a server prints when clients can connect. */
    static String ready(final int cqlPort, final int controlPort)
    {
        return "READY cql=" + cqlPort + " control=" + controlPort;
    }

    /** Starts to answer, on a thread of its own. */
    void start()
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
                while (in.readLine() != null)
                {
                    final ServerUsage usage = ServerUsage.ofThisJvm();
                    out.println(usage.cpuNanos() + " " + usage.allocatedBytes());
                }
            }
            catch (final IOException e)
            {
                // That client is gone, or the listener is closed: the loop tells which.
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        listener.close();
    }

    /** Asks a server. Confined to one thread. */
    static final class Client implements AutoCloseable
    {
        private final Socket socket;
        private final BufferedReader in;
        private final PrintWriter out;

        Client(final int port) throws IOException
        {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
        }

        ServerUsage usage() throws IOException
        {
            out.println("usage");
            final String line = in.readLine();
            if (line == null)
            {
                throw new IOException("control: the server is gone");
            }
            final String[] numbers = line.split(" ", 2);
            return new ServerUsage(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        }

        @Override
        public void close() throws IOException
        {
            socket.close();
        }
    }
}
