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

import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TLS context that follows its files: when they change, new connections get a new context; open ones keep theirs.
 * <p>
 * Files are often replaced in several writes, so a change is taken up only once they have stayed the same for a whole
 * interval. What cannot be loaded, or would show clients a certificate that is out of date or not of its key, does not
 * take the place of what works: the context in force stays, the log says so once for each state of the files.
 * <p>
 * Contexts are left to the garbage collector, so the factory must not make ones that have to be released by hand
 * ({@code SslProvider.OPENSSL_REFCNT}). Any thread.
 */
public final class WatchedTlsContexts implements TlsConfig.ContextSource, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(WatchedTlsContexts.class);

    private final List<Path> files;
    private final Factory factory;
    private final ScheduledExecutorService watch;
    private volatile SslContext context;
    private volatile long reloads;
    private volatile long failedReloads;
    private volatile String lastFailure;
    private List<FileState> loaded;
    private List<FileState> seen;
    private List<FileState> refused;

    /** Makes a context of what the files hold now; called on the watching thread, and once by the constructor's. */
    @FunctionalInterface
    public interface Factory
    {
        /** A new server context, which is the caller's. */
        SslContext newContext() throws Exception;
    }

    /** What tells that a file is another one; a file that is not there has a size of -1. */
    private record FileState(long size, long modifiedMillis, Object key)
    {
        static FileState of(final Path file)
        {
            try
            {
                final BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return new FileState(attributes.size(), attributes.lastModifiedTime().toMillis(), attributes.fileKey());
            }
            catch (final IOException e)
            {
                return new FileState(-1, 0, null);
            }
        }
    }

    private WatchedTlsContexts(final List<Path> files, final Factory factory, final Duration interval) throws Exception
    {
        this.files = List.copyOf(files);
        this.factory = Objects.requireNonNull(factory, "factory");
        loaded = states();
        seen = loaded;
        context = factory.newContext();
        watch = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("sluice-tls-files", true));
        watch.scheduleWithFixedDelay(this::check, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Loads the first context and watches from then on.
     *
     * @param files key and trust stores, or PEM files; symbolic links are followed anew each time
     * @param factory makes a context of them
     * @param interval between two looks, and how long files must have stayed the same; more than 0
     * @throws Exception the factory's, if there is no first context
     */
    public static WatchedTlsContexts watch(final List<Path> files, final Factory factory, final Duration interval)
        throws Exception
    {
        if (interval.isNegative() || interval.isZero())
        {
            throw new IllegalArgumentException("interval: " + interval + " (expected: > 0)");
        }
        return new WatchedTlsContexts(files, factory, interval);
    }

    /** The newest one that works. */
    @Override
    public SslContext context()
    {
        return context;
    }

    /** How often the files brought a new context. */
    public long reloads()
    {
        return reloads;
    }

    /** How often they brought none although they had changed. */
    public long failedReloads()
    {
        return failedReloads;
    }

    /** Why they brought none, or null while the files in place are those in force. */
    public String lastFailure()
    {
        return lastFailure;
    }

    private List<FileState> states()
    {
        final List<FileState> states = new ArrayList<>(files.size());
        for (final Path file : files)
        {
            states.add(FileState.of(file));
        }
        return states;
    }

    /** One look at the files. */
    synchronized void check()
    {
        final List<FileState> now = states();
        final boolean settled = now.equals(seen);
        seen = now;
        if (!settled || now.equals(refused))
        {
            return;
        }
        if (now.equals(loaded))
        {
            // Also after a bad file was taken back.
            lastFailure = null;
            refused = null;
            return;
        }
        load(now);
    }

    /** Takes up what the files hold now, changed or not: for an operator's command. */
    public synchronized void reload()
    {
        load(states());
    }

    // Only under the lock, which the unlocked readers of the counters need not take.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void load(final List<FileState> now)
    {
        try
        {
            final SslContext next = factory.newContext();
            ServerCertificateCheck.check(next);
            if (!states().equals(now))
            {
                // Changed while they were read: what was loaded may be half of each.
                return;
            }
            context = next;
            loaded = now;
            refused = null;
            lastFailure = null;
            reloads++;
            LOG.info("TLS: new connections get the certificates that were changed in {}", files);
        }
        catch (final Exception e)
        {
            refused = now;
            failedReloads++;
            lastFailure = e.toString();
            LOG.warn("TLS: {} have changed but cannot be used, the context in force stays: {}", files, lastFailure);
        }
    }

    /** Stops watching; the last context goes on to be given. */
    @Override
    public void close()
    {
        watch.shutdownNow();
    }
}
