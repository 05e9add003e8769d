/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartTest {

    @Test
    void ofRatiosHasABarWithItsValueForEachFigure() throws Exception {
        Document svg = parse(RatioChart.of(Samples.good(), 32));

        // raw with four sizes, batch, callback, jextract; and the legend of these four.
        assertThat(bars(svg)).hasSize(7 + 4);
        assertThat(texts(svg))
                .contains(
                        "Throughput of Java relative to C, DMA copies, 32 in flight",
                        "ratio, Java / C (1 = as fast as C)",
                        "bytes per copy",
                        "64 B",
                        "1 MiB",
                        "0.95",
                        "0.38");
    }

    @Test
    void ofRatiosHasBarsInProportion() throws Exception {
        List<Figure> figures =
                List.of(Samples.figure("raw", 64, 32, 100, 100, 0), Samples.figure("jni", 64, 32, 200, 100, 0));

        List<Double> heights = bars(parse(RatioChart.of(figures, 32))).stream()
                .map(bar -> Double.valueOf(bar.getAttribute("height")))
                .filter(height -> height != 12)
                .toList();

        assertThat(heights).hasSize(2);
        assertThat(heights.get(0)).isEqualTo(2 * heights.get(1));
    }

    @Test
    void ofTimesStacksWhatJavaAddsOnWhatCTakes() throws Exception {
        Document svg = parse(NanosChart.of(List.of(Samples.figure("raw", 64, 32, 150, 100, 0)), 64, 32));

        List<Element> bars = bars(svg).stream()
                .filter(bar -> !bar.getAttribute("height").equals("12.0"))
                .toList();
        assertThat(bars).hasSize(2);
        assertThat(end(bars.get(0))).isEqualTo(Double.parseDouble(bars.get(1).getAttribute("x")));
        assertThat(width(bars.get(0))).isEqualTo(2 * width(bars.get(1)));
        assertThat(texts(svg)).contains("ns per copy", "in C", "added by Java", "raw", "100.0 + 50.0 ns");
    }

    @Test
    void ofTimesShowsWhereJavaIsFaster() throws Exception {
        Document svg = parse(NanosChart.of(List.of(Samples.figure("raw", 64, 32, 90, 100, 0)), 64, 32));

        assertThat(texts(svg)).contains("100.0 - 10.0 ns");
    }

    @Test
    void isValidWithoutFigures() throws Exception {
        assertThat(texts(parse(RatioChart.of(List.of(), 32)))).contains("bytes per copy");
        assertThat(texts(parse(NanosChart.of(List.of(), 64, 32)))).contains("ns per copy");
    }

    @Test
    void hasColoursForBothKindsOfPages() {
        assertThat(RatioChart.of(Samples.good(), 32)).contains("@media (prefers-color-scheme: dark)");
    }

    @Test
    void ticksAreRound() {
        assertThat(Ticks.upTo(1).values().toArray())
                .containsExactly(new double[] {0, 0.2, 0.4, 0.6, 0.8, 1}, within(1e-9));
        assertThat(Ticks.upTo(730).last()).isEqualTo(800);
        assertThat(Ticks.upTo(730).step()).isEqualTo(100);
        assertThat(Ticks.upTo(0.05).last()).isEqualTo(0.05);
    }

    private static double end(Element bar) {
        return Double.parseDouble(bar.getAttribute("x")) + width(bar);
    }

    private static double width(Element bar) {
        return Double.parseDouble(bar.getAttribute("width"));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    }

    /** Those of the legend, too. */
    private static List<Element> bars(Document svg) {
        return elements(svg, "rect").stream()
                .filter(rect -> rect.hasAttribute("fill"))
                .toList();
    }

    private static List<String> texts(Document svg) {
        return elements(svg, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }
}
