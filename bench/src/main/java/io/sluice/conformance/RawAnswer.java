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

import java.util.List;

/**
 * What a server said, taken apart to its last byte. Immutable; arrays are the reader's own.
 *
 * @param stream negative for events
 * @param name for example ROWS, VOID, PREPARED, EVENT, READY or ERROR-2500
 * @param errorCode -1 if this is no error
 * @param text an error's
 * @param rows cells by row
 * @param pagingState null if there are no more pages
 * @param preparedId of PREPARED
 * @param metadataId of PREPARED, version 5
 * @param unpreparedId of UNPREPARED
 * @param words the strings of an event or schema change, in order
 */
public record RawAnswer(
    int stream,
    String name,
    int errorCode,
    String text,
    List<List<byte[]>> rows,
    byte[] pagingState,
    byte[] preparedId,
    byte[] metadataId,
    byte[] unpreparedId,
    List<String> words)
{
    static RawAnswer of(final Answer answer)
    {
        return new RawAnswer(answer.stream(), answer.name(), answer.errorCode(), answer.text(), answer.rows(),
            answer.pagingState(), answer.preparedId(), answer.metadataId(), answer.unpreparedId(), answer.words());
    }

    /** True if it is of that name. */
    public boolean is(final String expected)
    {
        return name.equals(expected);
    }

    /** For messages: name, stream and an error's text. */
    public String describe()
    {
        return name + "@" + stream + (text.isEmpty() ? "" : " \"" + text + "\"");
    }
}
