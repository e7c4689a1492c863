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

import io.sluice.framing.request.ExecuteView;

/**
 * Answers EXECUTE requests where they are read, on the connection's event loop: for look-ups of a few microseconds
 * that need no lock, no input or output and no waiting. All other connections of the loop wait meanwhile.
 */
@FunctionalInterface
public interface InlineExecuteHandler
{
    /**
     * Answers one request, or leaves it to {@link RequestHandler#onExecute} on the request executor.
     * <p>
     * Whoever returns true has answered: else, and if this throws before, the client gets SERVER_ERROR. Whoever
     * returns false has not touched the exchange. Requests that a view cannot show are not offered here.
     *
     * @param view the request where it lies; borrowed until return, then it expires
     * @param exchange takes the answer; borrowed until return
     * @return false to decline
     */
    boolean tryExecute(ExecuteView view, InlineExchange exchange);
}
