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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A small server that gets handshake, OPTIONS and QUERY right, and has any fault that is asked of it. Answers nothing
 * from
 * a database: every QUERY has the same row.
 */
final class FakeServer implements AutoCloseable
{
    /** What may be wrong with it. */
    enum Fault
    {
        SILENT,
        CLOSES_AT_ONCE,
        RESETS_AT_ONCE,
        SPEAKS_NOISE,
        REFUSES_ALL_ON_STREAM_0,
        ANSWERS_TWICE,
        ANSWERS_ON_ANOTHER_STREAM,
        ANSWERS_IN_ANOTHER_VERSION,
        ERRORS_ON_STREAM_0,
        ERRORS_WITH_JAVA_TEXT,
        HANGS_AFTER_AN_ERROR,
        RESETS_AT_THE_END,
        FORGETS_TO_CLOSE,
        FORGETS_BYTES_BEHIND_STARTUP,
        SENDS_WRONG_CHECKSUMS,
        SENDS_TRAILING_BYTES,
        FRAMES_A_REFUSED_STARTUP
    }

    private static final byte[] ROWS = ByteBuilder.fromHex("00000002 00000001 00000001 0006" + hex("system") + "0005" +
        hex("local") + "0003" + hex("key") + "000d 00000001 00000005" + hex("local"));

    private final ServerSocket listener;
    private final Set<Fault> faults;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    FakeServer(final Fault... faults) throws IOException
    {
        this.faults = faults.length == 0 ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(List.of(faults));
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    InetSocketAddress address()
    {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    String hostAndPort()
    {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException
    {
        listener.close();
        for (final Socket socket : sockets)
        {
            socket.close();
        }
    }

    private static void start(final Runnable task)
    {
        final Thread thread = new Thread(task, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll()
    {
        try
        {
            while (true)
            {
                final Socket socket = listener.accept();
                sockets.add(socket);
                start(() -> new Session(socket).run());
            }
        }
        catch (final IOException e)
        {
            // The test is over.
            sockets.clear();
        }
    }

    private boolean has(final Fault fault)
    {
        return faults.contains(fault);
    }

    private static String hex(final String text)
    {
        return Segments.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** One connection. Confined to its thread. */
    private final class Session
    {
        private final Socket socket;
        private InboundParser parser = new EnvelopeParser();
        private int version = 5;
        private boolean ready;
        private boolean segmented;
        private boolean lz4;
        private boolean hung;
        private OutputStream out;

        Session(final Socket socket)
        {
            this.socket = socket;
        }

        void run()
        {
            try
            {
                socket.setTcpNoDelay(true);
                out = socket.getOutputStream();
                if (has(Fault.CLOSES_AT_ONCE) || has(Fault.RESETS_AT_ONCE))
                {
                    end(has(Fault.RESETS_AT_ONCE));
                    return;
                }
                serve(socket.getInputStream());
            }
            catch (final IOException e)
            {
                // The client has left, as some checks do.
                hung = true;
            }
        }

        private void serve(final InputStream in) throws IOException
        {
            final byte[] chunk = new byte[4096];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk))
            {
                try
                {
                    if (has(Fault.SPEAKS_NOISE))
                    {
                        out.write("!!!! no protocol at all, just noise, and plenty of it !!!!".getBytes(
                            StandardCharsets.US_ASCII));
                        continue;
                    }
                    receive(chunk, length);
                }
                catch (final GarbledBytes e)
                {
                    error(version, 0, e.getMessage());
                    if (!has(Fault.FORGETS_TO_CLOSE))
                    {
                        end(has(Fault.RESETS_AT_THE_END));
                        return;
                    }
                    hung = true;
                }
            }
            end(false);
        }

        private void receive(final byte[] chunk, final int length) throws IOException
        {
            if (hung || has(Fault.SILENT))
            {
                return;
            }
            if (!segmented && ((chunk[0] & 0x7f) > 6 || (chunk[0] & 0x7f) < 3) && parser.unread() == 0)
            {
                unsupported(chunk);
                return;
            }
            parser.feed(chunk, length);
            for (Envelope request = parser.next(); request != null && !hung; request = parser.next())
            {
                answer(request);
            }
        }

        private void unsupported(final byte[] chunk) throws IOException
        {
            final int asked = chunk[0] & 0x7f;
            final boolean old = asked == 1 || asked == 2;
            final int stream = old ? chunk[2] : (chunk[2] & 0xff) << 8 | chunk[3] & 0xff;
            error(old ? asked : 5, stream,
                "Invalid or unsupported protocol version (" + asked + "); supported versions are (3/v3, 4/v4, 5/v5)");
        }

        private void answer(final Envelope request) throws IOException
        {
            if (has(Fault.REFUSES_ALL_ON_STREAM_0))
            {
                error(request.version(), 0, "no");
            }
            else if (request.isResponse() || request.version() > 5 || ready && request.version() != version)
            {
                error(segmented ? version : Math.min(request.version(), 5), request.stream(), "no");
            }
            else if (request.opcode() == Opcode.OPTIONS)
            {
                send(request, Opcode.SUPPORTED, new ByteBuilder().int16(3)
                    .string("PROTOCOL_VERSIONS")
                    .stringList(List.of("3/v3", "4/v4", "5/v5"))
                    .string("COMPRESSION")
                    .stringList(List.of("lz4"))
                    .string("CQL_VERSION")
                    .stringList(List.of("3.4.7"))
                    .toBytes());
            }
            else if (request.opcode() == Opcode.STARTUP && !ready)
            {
                startup(request);
            }
            else if (request.opcode() == Opcode.QUERY && ready)
            {
                send(request, Opcode.RESULT, ROWS);
            }
            else
            {
                error(request.version(), request.stream(), "Unexpected message");
            }
        }

        private void startup(final Envelope request) throws IOException
        {
            final ByteParser body = new ByteParser(request.body());
            final Map<String, byte[]> options = new HashMap<>();
            final int count = body.uint16();
            for (int i = 0; i < count; i++)
            {
                options.put(body.string(), body.shortBytes());
            }
            version = request.version();
            if (!options.containsKey("CQL_VERSION"))
            {
                error(version, request.stream(), "CQL_VERSION is missing");
                segmented = version == 5 && has(Fault.FRAMES_A_REFUSED_STARTUP);
                return;
            }
            send(request, Opcode.READY, new byte[0]);
            ready = true;
            if (version == 5)
            {
                segmented = true;
                lz4 = options.containsKey("COMPRESSION");
                final byte[] behind = parser.takeUnread();
                parser = new SegmentParser(lz4);
                if (!has(Fault.FORGETS_BYTES_BEHIND_STARTUP))
                {
                    parser.feed(behind, behind.length);
                }
            }
        }

        private void error(final int inVersion, final int stream, final String text) throws IOException
        {
            final String message = has(Fault.ERRORS_WITH_JAVA_TEXT) ? "java.lang.IllegalStateException: " + text : text;
            final byte[] body = new ByteBuilder().int32(0x000a).string(message).toBytes();
            write(inVersion, has(Fault.ERRORS_ON_STREAM_0) ? 0 : stream, Opcode.ERROR, body);
            hung = hung || has(Fault.HANGS_AFTER_AN_ERROR);
        }

        private void send(final Envelope request, final int opcode, final byte[] body) throws IOException
        {
            write(request.version(), request.stream(), opcode, body);
        }

        private void write(final int inVersion, final int stream, final int opcode, final byte[] body)
            throws IOException
        {
            final byte[] sent = has(Fault.SENDS_TRAILING_BYTES) ? Arrays.copyOf(body, body.length + 2) : body;
            final byte[] envelope = Envelope.of(
                Envelope.RESPONSE | (has(Fault.ANSWERS_IN_ANOTHER_VERSION) ? inVersion ^ 7 : inVersion), 0,
                has(Fault.ANSWERS_ON_ANOTHER_STREAM) ? stream + 1 : stream, opcode, sent);
            byte[] bytes = envelope;
            if (segmented)
            {
                bytes = lz4 ? Segments.lz4(envelope, true) : Segments.plain(envelope, true);
                bytes[bytes.length - 1] ^= (byte)(has(Fault.SENDS_WRONG_CHECKSUMS) ? 1 : 0);
            }
            out.write(bytes);
            if (has(Fault.ANSWERS_TWICE))
            {
                out.write(bytes);
            }
        }

        private void end(final boolean reset) throws IOException
        {
            if (reset)
            {
                socket.setSoLinger(true, 0);
                socket.close();
                return;
            }
            // A lingering end: what the client still sends is read and dropped, so that no reset overtakes the answer.
            socket.shutdownOutput();
            socket.setSoTimeout(5000);
            final byte[] dropped = new byte[4096];
            final InputStream in = socket.getInputStream();
            int length;
            do
            {
                length = in.read(dropped);
            }
            while (length >= 0);
            socket.close();
        }
    }
}
