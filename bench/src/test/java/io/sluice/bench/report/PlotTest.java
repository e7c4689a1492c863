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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class PlotTest
{
    private static Document parsed(final String svg) throws ParserConfigurationException, SAXException, IOException
    {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void barsStandOnTheGround() throws ParserConfigurationException, SAXException, IOException
    {
        final BarPlot plot = new BarPlot("a < b", "B & more");
        plot.add("one", "x", 10);
        plot.add("one", "y", 0);
        plot.add("two", "x", 5);
        final Document svg = parsed(plot.svg());
        assertEquals(3 + 2, svg.getElementsByTagName("rect").getLength(), "three bars, two in the legend");
    }

    @Test
    void linesHaveTheirPointsWithinThePicture() throws ParserConfigurationException, SAXException, IOException
    {
        final LinePlot plot = new LinePlot("t", "x", "y", true);
        plot.add("s", 1, 0.01, "1");
        plot.add("s", 256, 12_000, "256");
        final Document svg = parsed(plot.svg());
        assertEquals(2, svg.getElementsByTagName("circle").getLength());
        for (int i = 0; i < 2; i++)
        {
            final double y = Double.parseDouble(
                svg.getElementsByTagName("circle").item(i).getAttributes().getNamedItem("cy").getNodeValue());
            assertTrue(y >= Picture.TOP && y <= Picture.HEIGHT - Picture.BOTTOM, "y: " + y);
        }
    }

    @Test
    void marksAreRoundAndInOrder()
    {
        assertEquals(List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), new Axis(1, 100, true, 0, 1).marks());
        assertEquals(List.of(0.0, 2.0, 4.0, 6.0, 8.0, 10.0), new Axis(0, 10, false, 0, 1).marks());
    }
}
