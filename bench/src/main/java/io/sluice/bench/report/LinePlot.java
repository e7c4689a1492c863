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
package io.sluice.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lines over a common axis, as inline SVG. Confined to one thread. */
public final class LinePlot
{
    /** One point; the label goes under it if its series is the first. */
    public record Point(double x, double y, String label)
    {
    }

    private final String title;
    private final String below;
    private final String beside;
    private final boolean logarithmic;
    private final Map<String, List<Point>> series = new LinkedHashMap<>();

    /**
     * Without lines.
     *
     * @param below what x means
     * @param beside what y means
     * @param logarithmic whether y is by its logarithm; x always is
     */
    public LinePlot(final String title, final String below, final String beside, final boolean logarithmic)
    {
        this.title = title;
        this.below = below;
        this.beside = beside;
        this.logarithmic = logarithmic;
    }

    /** Adds a point to a line. */
    public void add(final String name, final double x, final double y, final String label)
    {
        if (y > 0)
        {
            series.computeIfAbsent(name, key -> new ArrayList<>()).add(new Point(x, y, label));
        }
    }

    /** True without points. */
    public boolean isEmpty()
    {
        return series.isEmpty();
    }

    /** The picture. */
    public String svg()
    {
        final List<Point> all = series.values().stream().flatMap(List::stream).toList();
        final double leastX = all.stream().mapToDouble(Point::x).min().orElse(1);
        final double mostX = all.stream().mapToDouble(Point::x).max().orElse(2);
        final double leastY = all.stream().mapToDouble(Point::y).min().orElse(1);
        final double mostY = all.stream().mapToDouble(Point::y).max().orElse(2);
        final Axis x = new Axis(leastX, mostX, true, Picture.LEFT + 12, Picture.WIDTH - Picture.RIGHT - 12);
        final Axis y = new Axis(logarithmic ? leastY * 0.8 : 0, mostY * (logarithmic ? 1.25 : 1.08), logarithmic,
            Picture.HEIGHT - Picture.BOTTOM, Picture.TOP);
        final Picture picture = new Picture(title, below, beside);
        picture.across(y);
        for (final Point point : series.values().iterator().next())
        {
            picture.words(x.at(point.x()), Picture.HEIGHT - Picture.BOTTOM + 15, "middle", "#5a6675", point.label(),
                "");
        }
        int colour = 0;
        for (final List<Point> points : series.values())
        {
            draw(picture, points, x, y, Picture.colour(colour++));
        }
        picture.legend(List.copyOf(series.keySet()));
        return picture.svg();
    }

    private static void draw(final Picture picture,
        final List<Point> points,
        final Axis x,
        final Axis y,
        final String colour)
    {
        final StringBuilder path = new StringBuilder();
        for (final Point point : points)
        {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.at(point.x()), y.at(point.y())));
        }
        picture.add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, colour);
        for (final Point point : points)
        {
            picture.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s</title></circle>\n",
                x.at(point.x()), y.at(point.y()), colour, point.label(), Axis.text(point.y()));
        }
    }
}
