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
