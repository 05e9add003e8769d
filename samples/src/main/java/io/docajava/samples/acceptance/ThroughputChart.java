/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.util.List;
import java.util.Locale;

/** A bar for the throughput of each measured size and number of threads. */
final class ThroughputChart {

    private static final int LEFT = 260;
    private static final int WIDTH = 540;
    private static final int ROW = 24;
    private static final int TOP = 48;

    private ThroughputChart() {}

    static String of(List<Figure> all) {
        List<Figure> figures = all.stream()
                .filter(figure -> figure.mode().equals("throughput"))
                .toList();
        double most = figures.stream().mapToDouble(Figure::gigaBytes).max().orElse(1);
        int height = TOP + figures.size() * ROW + 16;
        StringBuilder svg = new StringBuilder(String.format(Locale.ROOT, """
                <svg xmlns="http://www.w3.org/2000/svg" width="900" height="%1$d" viewBox="0 0 900 %1$d" role="img">
                <title>Throughput of DMA copies</title>
                <rect width="900" height="%1$d" fill="#ffffff"/>
                <g font-family="system-ui, sans-serif" font-size="12" fill="#1f2328">
                <text x="450" y="26" font-size="16" text-anchor="middle">Throughput of DMA copies in GB/s</text>
                """, height));
        for (int i = 0; i < figures.size(); i++) {
            Figure figure = figures.get(i);
            int y = TOP + i * ROW;
            double width = WIDTH * figure.gigaBytes() / most;
            svg.append(String.format(
                    Locale.ROOT,
                    """
                    <text x="%d" y="%d" text-anchor="end">%,d B, threads %d, depth %d</text>
                    <rect x="%d" y="%d" width="%.1f" height="16" fill="#0072b2"/>
                    <text x="%.1f" y="%d">%.3f</text>
                    """,
                    LEFT - 8,
                    y + 12,
                    figure.size(),
                    figure.threads(),
                    figure.depth(),
                    LEFT,
                    y,
                    width,
                    LEFT + width + 6,
                    y + 12,
                    figure.gigaBytes()));
        }
        return svg + "</g>\n</svg>\n";
    }
}
