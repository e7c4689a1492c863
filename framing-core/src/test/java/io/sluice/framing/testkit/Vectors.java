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
package io.sluice.framing.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Golden bytes from stock nodes: flat JSON objects in {@code /vectors}. */
public final class Vectors
{
    private static final Pattern OBJECT = Pattern.compile("\\{[^}]*}");
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"([^\"]*)\"|(\\w+))");

    private Vectors()
    {
    }

    /** One vector's fields, by name; numbers and booleans as text. */
    public static List<Map<String, String>> load(final String file)
    {
        final List<Map<String, String>> vectors = new ArrayList<>();
        final Matcher objects = OBJECT.matcher(read(file));
        while (objects.find())
        {
            final Map<String, String> vector = new LinkedHashMap<>();
            final Matcher fields = FIELD.matcher(objects.group());
            while (fields.find())
            {
                vector.put(fields.group(1), fields.group(2) != null ? fields.group(2) : fields.group(3));
            }
            vectors.add(vector);
        }
        return vectors;
    }

    private static String read(final String file)
    {
        try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + file))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
