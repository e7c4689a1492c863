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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.conformance.FakeServer.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The command as a user has it: options, output, exit status. */
final class ConformanceTest
{
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void passesWithStatus0() throws IOException
    {
        try (FakeServer server = new FakeServer())
        {
            assertEquals(0, run(server.hostAndPort(), "--only", "golden.G1-options", "--only", "handshake.startup/v4"));
            assertTrue(printed().contains("golden.G1-options/v5"), printed());
            assertTrue(printed().contains("4 checks, 4 passed, 0 failed"), printed());
        }
    }

    @Test
    void failsWithStatus1AndSaysWhatWasAccepted() throws IOException
    {
        try (FakeServer server = new FakeServer(Fault.ERRORS_WITH_JAVA_TEXT))
        {
            assertEquals(1, run(server.hostAndPort(), "--only", "handshake.early-query/v4"));
            assertTrue(printed().contains("FAIL: ERROR-000a@21!java"), printed());
            assertTrue(printed().contains("accepted: "), printed());
            assertTrue(printed().contains("java.lang.IllegalStateException"), printed());
        }
    }

    @Test
    void saysWhenAFailureIsStocks() throws IOException
    {
        try (FakeServer server = new FakeServer(Fault.ERRORS_ON_STREAM_0))
        {
            assertEquals(1, run(server.hostAndPort(), "--only", "handshake.early-query/v4"));
            assertTrue(printed().contains("FAIL as stock 5.0.8: ERROR-000a@0"), printed());
            assertTrue(printed().contains("1 failed (1 of them as stock 5.0.8 does)"), printed());
        }
    }

    @Test
    void printsTwoServersSideBySide() throws IOException
    {
        try (FakeServer left = new FakeServer(); FakeServer right = new FakeServer(Fault.ERRORS_ON_STREAM_0))
        {
            assertEquals(1, run(left.hostAndPort(), "--side-by-side", right.hostAndPort(), "--version", "4",
                "--compression", "none", "--only", "handshake.early-query/v4"));
            final String row = printed().lines()
                .filter(line -> line.startsWith("handshake.early-query"))
                .findFirst()
                .orElseThrow();
            assertTrue(row.indexOf("pass: ERROR-000a@21") < row.indexOf("FAIL as stock 5.0.8: ERROR-000a@0"), row);
            assertTrue(row.contains("pass: ERROR-000a@21"), row);
        }
    }

    @Test
    void writesJunitXml(@TempDir final Path folder) throws Exception
    {
        final Path file = folder.resolve("report.xml");
        try (FakeServer server = new FakeServer(Fault.ERRORS_WITH_JAVA_TEXT))
        {
            assertEquals(1, run(server.hostAndPort(), "--junit", file.toString(), "--only", "handshake.early-query/v4",
                "--only", "handshake.options-first/v4", "--only", "login.right/v4"));
        }
        final Element root = DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
        assertEquals("testsuites", root.getTagName());
        final Element suite = (Element)root.getElementsByTagName("testsuite").item(0);
        final int cases = suite.getElementsByTagName("testcase").getLength();
        assertEquals(Integer.toString(cases), suite.getAttribute("tests"));
        assertEquals("1", suite.getAttribute("failures"));
        assertEquals("3", suite.getAttribute("skipped"));
        assertTrue(((Element)suite.getElementsByTagName("failure").item(0)).getAttribute("message").contains("!java"));
    }

    @Test
    void listsWithoutAServer()
    {
        assertEquals(0, run("--list", "--version", "5", "--compression", "lz4"));
        assertTrue(printed().contains("golden.G9-two-queries/v5-lz4"), printed());
        assertTrue(printed().lines().noneMatch(line -> line.contains("/v4")), printed());
    }

    @Test
    void refusesANonsensicalCommandLineWithStatus2() throws IOException
    {
        assertEquals(2, run());
        assertEquals(2, run("nowhere"));
        assertEquals(2, run("127.0.0.1:99999"));
        assertEquals(2, run("127.0.0.1:1", "--version", "7"));
        assertEquals(2, run("127.0.0.1:1", "--version", "5", "--compression", "snappy"));
        assertEquals(2, run("127.0.0.1:1", "--compression", "zstd"));
        assertEquals(2, run("127.0.0.1:1", "--user", "somebody"));
        assertEquals(2, run("127.0.0.1:1", "--timeout", "0"));
        assertEquals(2, run("127.0.0.1:1", "--only", "no such check"));
        assertEquals(2, run("127.0.0.1:1", "--no-such-option"));
    }

    @Test
    void noServerIsStatus2() throws IOException
    {
        final int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = socket.getLocalPort();
        }
        assertEquals(2, run("127.0.0.1:" + port, "--only", "golden"));
    }

    private int run(final String... args)
    {
        return Conformance.execute(new PrintStream(printed, true, StandardCharsets.UTF_8), args);
    }

    private String printed()
    {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
