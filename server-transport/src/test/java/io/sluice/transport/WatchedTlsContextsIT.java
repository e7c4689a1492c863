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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Key files that are replaced under a running server: field case 56 and its kind. */
final class WatchedTlsContextsIT extends SocketTest
{
    /** Longer than any test: looks are made by hand. */
    private static final Duration BY_HAND = Duration.ofDays(1);
    private static final int RELOADS = Integer.getInteger("sluice.tls.reloads", 60);
    /** From here on a leak of a few KiB each shows beside what else the tests of this process do with its memory. */
    private static final int MANY_RELOADS = 5_000;
    /** In the second half of them. */
    private static final long MAX_GROWTH_KIB = 48 * 1024;

    @TempDir
    private static Path stores;
    private static Path first;
    private static Path second;
    private static Path expired;

    @TempDir
    private Path directory;
    private Path file;
    private WatchedTlsContexts contexts;

    @BeforeAll
    static void makeCertificates() throws Exception
    {
        first = make("first", 0);
        second = make("second", 0);
        expired = make("expired", -40);
    }

    private static Path make(final String name, final int startDay) throws Exception
    {
        final Path own = Files.createDirectory(stores.resolve(name));
        TestCertificate.make(own, startDay);
        return own.resolve("server.p12");
    }

    @BeforeEach
    void putFirst() throws IOException
    {
        file = directory.resolve("server.p12");
        put(Files.readAllBytes(first));
    }

    @AfterEach
    void stopWatching()
    {
        if (contexts != null)
        {
            contexts.close();
        }
    }

    /** In place, as careless tools do it. */
    private void put(final byte[] content) throws IOException
    {
        Files.write(file, content);
    }

    private void watch(final SslProvider provider, final Duration interval) throws Exception
    {
        contexts = WatchedTlsContexts.watch(List.of(file),
            () -> TestCertificate.read(file).serverContext(provider), interval);
    }

    private void look(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            contexts.check();
        }
    }

    @Test
    void filesThatStayAsTheyAreAreLeftAlone() throws Exception
    {
        watch(SslProvider.JDK, BY_HAND);
        final SslContext before = contexts.context();
        look(3);
        assertSame(before, contexts.context());
        assertEquals(0, contexts.reloads());
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void replacedFileIsTakenUpOnceItHasSettled(final SslProvider provider) throws Exception
    {
        watch(provider, BY_HAND);
        final SslContext before = contexts.context();
        put(Files.readAllBytes(second));
        look(1);
        assertSame(before, contexts.context());
        look(1);
        assertNotSame(before, contexts.context());
        assertEquals(1, contexts.reloads());
        assertNull(contexts.lastFailure());
    }

    @Test
    void fileWrittenInTwoPartsIsTakenUpWhole() throws Exception
    {
        watch(SslProvider.JDK, BY_HAND);
        final SslContext before = contexts.context();
        final byte[] content = Files.readAllBytes(second);
        put(Arrays.copyOf(content, content.length / 2));
        look(1);
        put(content);
        look(1);
        assertEquals(0, contexts.failedReloads());
        assertSame(before, contexts.context());
        look(1);
        assertNotSame(before, contexts.context());
        assertEquals(1, contexts.reloads());
    }

    @LogWatch.Warns
    @Test
    void whatCannotBeUsedLeavesTheContextInForce() throws Exception
    {
        watch(SslProvider.JDK, BY_HAND);
        final SslContext before = contexts.context();
        final byte[] whole = Files.readAllBytes(second);
        final List<byte[]> bad = List.of(Arrays.copyOf(whole, whole.length / 2), "garbage".getBytes(
            StandardCharsets.US_ASCII), new byte[0], Files.readAllBytes(expired));
        for (int i = 0; i < bad.size(); i++)
        {
            put(bad.get(i));
            look(5);
            assertSame(before, contexts.context());
            assertEquals(i + 1, contexts.failedReloads(), "once for each state of the files");
            assertNotNull(contexts.lastFailure());
        }
        Files.delete(file);
        look(5);
        assertEquals(bad.size() + 1, contexts.failedReloads());
        assertSame(before, contexts.context());
        put(whole);
        look(2);
        assertNotSame(before, contexts.context());
        assertNull(contexts.lastFailure());
    }

    @Test
    void linkThatIsTurnedToAnotherDirectoryIsAChange() throws Exception
    {
        Files.delete(file);
        final Path link = directory.resolve("current");
        Files.createSymbolicLink(link, first.getParent());
        file = link.resolve("server.p12");
        watch(SslProvider.JDK, BY_HAND);
        final SslContext before = contexts.context();
        final Path next = directory.resolve("next");
        Files.createSymbolicLink(next, second.getParent());
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
        look(2);
        assertNotSame(before, contexts.context());
    }

    @Test
    void firstContextMustBeThere() throws Exception
    {
        put(new byte[]{1, 2, 3});
        assertThrows(IOException.class, () -> watch(SslProvider.JDK, BY_HAND));
    }

    @LogWatch.Warns
    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void case56NewConnectionsSeeTheNewCertificateAndOldOnesGoOn(final SslProvider provider) throws Exception
    {
        watch(provider, Duration.ofMillis(20));
        server = TestServer.start(sockets, TlsConfig.required(contexts), builder ->
        {
        });
        final TestCertificate old = TestCertificate.read(first);
        final TestCertificate fresh = TestCertificate.read(second);
        try (WireClient before = connect(old))
        {
            before.startUp(5, "lz4");
            put("half".getBytes(StandardCharsets.US_ASCII));
            Await.until("refused", () -> contexts.failedReloads() == 1);
            connect(old).close();
            put(Files.readAllBytes(second));
            Await.until("reloaded", () -> contexts.reloads() == 1);
            assertThrows(SSLHandshakeException.class, () -> connect(old));
            try (WireClient after = connect(fresh))
            {
                after.startUp(4, null);
                expectServes(after);
            }
            expectServes(before);
        }
    }

    private WireClient connect(final TestCertificate expected) throws Exception
    {
        final SSLSocket socket = expected.connect(server.address(), "TLSv1.3", 0);
        assertEquals(expected.certificate(), socket.getSession().getPeerCertificates()[0]);
        return WireClient.over(socket);
    }

    /** 5,000 with -Dsluice.tls.reloads=5000: then also resident memory shows a leak. */
    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void contextsThatWereReplacedAreCollected(final SslProvider provider) throws Exception
    {
        watch(provider, BY_HAND);
        final List<WeakReference<SslContext>> given = new ArrayList<>();
        long halfway = 0;
        for (int i = 0; i < RELOADS; i++)
        {
            if (i == RELOADS / 2)
            {
                System.gc();
                halfway = residentKib();
            }
            given.add(new WeakReference<>(contexts.context()));
            contexts.reload();
        }
        assertEquals(RELOADS, contexts.reloads(), contexts.lastFailure());
        Await.until("collected", () ->
        {
            System.gc();
            given.removeIf(context -> context.refersTo(null));
            return given.isEmpty();
        });
        final long growth = residentKib() - halfway;
        assertTrue(RELOADS < MANY_RELOADS || growth < MAX_GROWTH_KIB, "resident memory: " + growth + " KiB more");
    }

    private static long residentKib() throws IOException
    {
        for (final String line : Files.readAllLines(Path.of("/proc/self/status")))
        {
            if (line.startsWith("VmRSS:"))
            {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("VmRSS: not there");
    }
}
