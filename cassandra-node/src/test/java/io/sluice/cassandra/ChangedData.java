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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogDescriptor;
import org.apache.cassandra.db.commitlog.CommitLogReadHandler;
import org.apache.cassandra.db.commitlog.CommitLogReader;
import org.apache.cassandra.io.util.File;

/** What a consumer of changed data finds of one keyspace, read as one would: by Cassandra's reader, in its folder. */
public final class ChangedData
{
    private final String keyspace;
    private int seen;

    public ChangedData(final String keyspace)
    {
        this.keyspace = keyspace;
    }

    /** The mutations since the last call, as bytes, in no order. */
    public List<String> next() throws IOException
    {
        CommitLog.instance.sync(true);
        final Collector all = new Collector(keyspace);
        for (final Path segment : files(CommitLogDescriptor::isValid))
        {
            new CommitLogReader().readCommitLogSegment(all, new File(segment), true);
        }
        final List<String> added = new ArrayList<>(all.found.subList(seen, all.found.size()));
        seen = all.found.size();
        Collections.sort(added);
        return added;
    }

    /** How many segments are offered to consumers, each with a file beside it that says how far it may be read. */
    public static int offered() throws IOException
    {
        return files(name -> name.endsWith("_cdc.idx")).size();
    }

    private static List<Path> files(final Predicate<String> chosen) throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of(DatabaseDescriptor.getCDCLogLocation())))
        {
            return files.filter(file -> chosen.test(file.getFileName().toString()))
                .sorted(Comparator
                    .comparing(Path::getFileName))
                .toList();
        }
    }

    /** Keeps what is tracked. */
    private static final class Collector implements CommitLogReadHandler
    {
        private final String keyspace;
        private final List<String> found = new ArrayList<>();

        private Collector(final String keyspace)
        {
            this.keyspace = keyspace;
        }

        @Override
        public boolean shouldSkipSegmentOnError(final CommitLogReadException exception) throws IOException
        {
            throw exception;
        }

        @Override
        public void handleUnrecoverableError(final CommitLogReadException exception) throws IOException
        {
            throw exception;
        }

        @Override
        public void handleMutation(final Mutation mutation,
            final int size,
            final int entryLocation,
            final CommitLogDescriptor segment)
        {
            if (mutation.getKeyspaceName().equals(keyspace) && mutation.trackedByCDC())
            {
                found.add(MutationBytes.hex(mutation));
            }
        }
    }
}
