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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The folder that holds everything of one node, claimed for this process by a file lock that the operating system gives
 * back whenever the process ends. Any thread; owned by whoever opened it.
 */
final class DataDirectory implements AutoCloseable
{
    private static final int HOLDER_BYTES = 20;

    private final Path root;
    private final FileChannel lockFile;
    private final FileLock lock;

    private DataDirectory(final Path root, final FileChannel lockFile, final FileLock lock)
    {
        this.root = root;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Claims the folder, making it if it is missing. */
    static DataDirectory claim(final Path root) throws StartupFailure
    {
        FileChannel channel = null;
        try
        {
            Files.createDirectories(root);
            channel = FileChannel.open(root.resolve("node.lock"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            final FileLock lock = tryLock(channel);
            if (lock == null)
            {
                final String holder = read(channel);
                channel.close();
                throw new StartupFailure("the data directory " + root + " is in use by another node" +
                    (holder.isBlank() ? "" : " (process " + holder + ")") + "; give this one another --data");
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(Long.toString(ProcessHandle.current().pid())), 0);
            return new DataDirectory(root, channel, lock);
        }
        catch (final IOException e)
        {
            closeQuietly(channel);
            throw new StartupFailure("the data directory " + root + " cannot be written (" + StartupFailure.reason(
                e) + "); give another --data", e);
        }
    }

    private static FileLock tryLock(final FileChannel channel) throws IOException
    {
        try
        {
            return channel.tryLock();
        }
        catch (final OverlappingFileLockException e)
        {
            return null; // a node of this very process holds it
        }
    }

    private static String read(final FileChannel channel) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(HOLDER_BYTES);
        channel.read(bytes, 0);
        return StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
    }

    private static void closeQuietly(final FileChannel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignored)
            {
                // the failure that led here is the one to tell
            }
        }
    }

    Path root()
    {
        return root;
    }

    Path logs()
    {
        return root.resolve("logs");
    }

    Path systemLog()
    {
        return logs().resolve("system.log");
    }

    /** A folder of the given name inside, made if it is missing. */
    Path folder(final String name) throws StartupFailure
    {
        final Path folder = root.resolve(name);
        try
        {
            return Files.createDirectories(folder);
        }
        catch (final IOException e)
        {
            throw new StartupFailure("the folder " + folder + " cannot be made (" + StartupFailure.reason(e) +
                "); give another --data", e);
        }
    }

    @Override
    public void close() throws IOException
    {
        lock.release();
        lockFile.close();
    }
}
