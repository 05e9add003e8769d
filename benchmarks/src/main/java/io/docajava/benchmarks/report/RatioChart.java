/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A chart of the throughput of Java relative to C: a group of bars for each size, a bar for each API. */
public final class RatioChart {

    private static final List<String> APIS = List.of("raw", "batch", "task", "callback", "future", "jextract", "jni");
    private static final List<Integer> SIZES = List.of(64, 4096, 65536, 1 << 20);

    private static final int WIDTH = 960;
    private static final int HEIGHT = 420;
    private static final int LEFT = 64;
    private static final int TOP = 84;
    private static final int BOTTOM = HEIGHT - 56;
    private static final double GROUP = (double) (WIDTH - LEFT - 16) / SIZES.size();

    private RatioChart() {}

    /** Draws the available figures of a depth. */
    public static String of(List<Figure> figures, int depth) {
        Svg svg = new Svg(WIDTH, HEIGHT, "Throughput of Java relative to C, DMA copies, " + depth + " in flight");
        double most = SIZES.stream()
                .flatMap(size -> APIS.stream().map(api -> ratio(figures, api, size, depth)))
                .flatMap(Optional::stream)
                .mapToDouble(ratio -> ratio)
                .reduce(1, Math::max);
        Ticks ticks = Ticks.upTo(most);
        axes(svg, ticks);
        legend(svg, figures, depth);
        for (int group = 0; group < SIZES.size(); group++) {
            double left = LEFT + group * GROUP;
            svg.text(left + GROUP / 2, BOTTOM + 18, "", Svg.Anchor.MIDDLE, Numbers.size(SIZES.get(group)));
            bars(svg, figures, SIZES.get(group), depth, left, ticks);
        }
        return svg.end();
    }

    private static void axes(Svg svg, Ticks ticks) {
        ticks.values().forEach(value -> {
            svg.line(LEFT, y(value, ticks), WIDTH - 16, y(value, ticks), "grid");
            svg.text(LEFT - 6, y(value, ticks) + 4, "", Svg.Anchor.END, Numbers.format("%.1f", value));
        });
        svg.line(LEFT, y(1, ticks), WIDTH - 16, y(1, ticks), "mark");
        svg.line(LEFT, BOTTOM, WIDTH - 16, BOTTOM, "axis");
        svg.textUp(20, (TOP + BOTTOM) / 2.0, "ratio, Java / C (1 = as fast as C)");
        svg.text((LEFT + WIDTH) / 2.0, HEIGHT - 14, "", Svg.Anchor.MIDDLE, "bytes per copy");
    }

    private static void legend(Svg svg, List<Figure> figures, int depth) {
        double x = LEFT;
        for (int i = 0; i < APIS.size(); i++) {
            String api = APIS.get(i);
            if (SIZES.stream().allMatch(size -> ratio(figures, api, size, depth).isEmpty())) {
                continue;
            }
            svg.rect(x, 44, 12, 12, Svg.COLOURS[i]);
            svg.text(x + 17, 54, "", Svg.Anchor.START, APIS.get(i));
            x += 40 + 7.0 * APIS.get(i).length();
        }
    }

    private static void bars(Svg svg, List<Figure> figures, int size, int depth, double left, Ticks ticks) {
        double width = (GROUP - 16) / APIS.size();
        for (int i = 0; i < APIS.size(); i++) {
            Optional<Double> ratio = ratio(figures, APIS.get(i), size, depth);
            if (ratio.isPresent()) {
                double x = left + 8 + i * width;
                double top = y(ratio.get(), ticks);
                svg.rect(x + 1, top, width - 2, BOTTOM - top, Svg.COLOURS[i]);
                svg.text(x + width / 2, top - 4, "small", Svg.Anchor.MIDDLE, Numbers.format("%.2f", ratio.get()));
            }
        }
    }

    private static double y(double value, Ticks ticks) {
        return BOTTOM - value / ticks.last() * (BOTTOM - TOP);
    }

    private static Optional<Double> ratio(List<Figure> figures, String api, int size, int depth) {
        return figures.stream()
                .filter(figure -> figure.is(api, size, depth))
                .map(Figure::ratio)
                .filter(Objects::nonNull)
                .map(Spread::median)
                .findFirst();
    }
}
