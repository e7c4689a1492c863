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
import java.util.Map;

/** Groups of bars, as inline SVG. Confined to one thread. */
public final class BarPlot
{
    private static final double FILLED = 0.8;

    private final String title;
    private final String beside;
    /** By group, then by series. */
    private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
    private final List<String> series = new ArrayList<>();

    /** Without bars; {@code beside} says what their height means. */
    public BarPlot(final String title, final String beside)
    {
        this.title = title;
        this.beside = beside;
    }

    /** Adds a bar. */
    public void add(final String group, final String name, final double value)
    {
        groups.computeIfAbsent(group, key -> new LinkedHashMap<>()).put(name, value);
        if (!series.contains(name))
        {
            series.add(name);
        }
    }

    /** True without bars. */
    public boolean isEmpty()
    {
        return groups.isEmpty();
    }

    /** The picture. */
    public String svg()
    {
        final double most = groups.values()
            .stream()
            .flatMap(group -> group.values().stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(1);
        final Axis y = new Axis(0, most * 1.12, false, Picture.HEIGHT - Picture.BOTTOM, Picture.TOP);
        final Picture picture = new Picture(title, "", beside);
        picture.across(y);
        final double groupWidth = (Picture.WIDTH - Picture.LEFT - Picture.RIGHT) / groups.size();
        final double barWidth = groupWidth * FILLED / series.size();
        double left = Picture.LEFT + groupWidth * (1 - FILLED) / 2;
        for (final Map.Entry<String, Map<String, Double>> group : groups.entrySet())
        {
            for (final Map.Entry<String, Double> bar : group.getValue().entrySet())
            {
                final int index = series.indexOf(bar.getKey());
                final double x = left + index * barWidth;
                picture.add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x,
                    y.at(bar.getValue()), barWidth * 0.92, y.at(0) - y.at(bar.getValue()), Picture.colour(index));
                picture.words(x + barWidth / 2, y.at(bar.getValue()) - 3, "middle", "#1c2430",
                    Axis.text(bar.getValue()), "font-size=\"9\"");
            }
            picture.words(left + groupWidth * FILLED / 2, Picture.HEIGHT - Picture.BOTTOM + 15, "middle", "#5a6675",
                group.getKey(), "");
            left += groupWidth;
        }
        picture.legend(series);
        return picture.svg();
    }
}
