/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.List;
import java.util.stream.Stream;

/** A chart of the time of a copy within a process: the time of C, and the time that Java adds, with a bar for each API. */
public final class NanosChart {

    private static final List<String> APIS = List.of("raw", "batch", "task", "callback", "future", "jni", "jextract");

    private static final int WIDTH = 960;
    private static final int LEFT = 110;
    private static final int RIGHT = 130;
    private static final int TOP = 76;
    private static final int ROW = 30;

    private NanosChart() {}

    /** Draws the available figures of a size and a depth. */
    public static String of(List<Figure> figures, int size, int depth) {
        List<Bar> bars =
                APIS.stream().flatMap(api -> bar(figures, api, size, depth)).toList();
        int bottom = TOP + Math.max(bars.size(), 1) * ROW;
        Svg svg = new Svg(
                WIDTH, bottom + 56, "Time of a DMA copy of " + Numbers.size(size) + ", " + depth + " in flight");
        Ticks ticks = Ticks.upTo(bars.stream().mapToDouble(Bar::end).reduce(1, Math::max));
        axes(svg, ticks, bottom);
        for (int i = 0; i < bars.size(); i++) {
            draw(svg, bars.get(i), TOP + i * ROW, ticks);
        }
        return svg.end();
    }

    /** The parts of a bar in nanoseconds. Each bar has its own twin in C, so the time of C differs between bars. */
    private record Bar(String api, double c, double added) {

        double end() {
            return c + Math.max(added, 0);
        }
    }

    private static Stream<Bar> bar(List<Figure> figures, String api, int size, int depth) {
        return figures.stream().filter(figure -> figure.is(api, size, depth)).flatMap(figure -> {
            Spread base = figure.baseNanos();
            Spread added = figure.addedNanos();
            return base == null || added == null
                    ? Stream.empty()
                    : Stream.of(new Bar(api, base.median(), added.median()));
        });
    }

    private static void axes(Svg svg, Ticks ticks, int bottom) {
        ticks.values().forEach(value -> {
            svg.line(x(value, ticks), TOP - 6, x(value, ticks), bottom, "grid");
            svg.text(x(value, ticks), bottom + 18, "", Svg.Anchor.MIDDLE, Numbers.format("%,.0f", value));
        });
        svg.line(LEFT, TOP - 6, LEFT, bottom, "axis");
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 42, "", Svg.Anchor.MIDDLE, "ns per copy");
        svg.rect(LEFT, 44, 12, 12, Svg.COLOURS[0]);
        svg.text(LEFT + 17, 54, "", Svg.Anchor.START, "in C");
        svg.rect(LEFT + 70, 44, 12, 12, Svg.COLOURS[3]);
        svg.text(LEFT + 87, 54, "", Svg.Anchor.START, "added by Java");
    }

    private static void draw(Svg svg, Bar bar, int top, Ticks ticks) {
        svg.text(LEFT - 8, top + 17, "", Svg.Anchor.END, bar.api());
        svg.rect(LEFT, top + 4, x(bar.c(), ticks) - LEFT, ROW - 10, Svg.COLOURS[0]);
        svg.rect(x(bar.c(), ticks), top + 4, x(bar.end(), ticks) - x(bar.c(), ticks), ROW - 10, Svg.COLOURS[3]);
        svg.text(
                x(bar.end(), ticks) + 6,
                top + 17,
                "",
                Svg.Anchor.START,
                Numbers.nanos(bar.c()) + (bar.added() < 0 ? " - " : " + ") + Numbers.nanos(Math.abs(bar.added()))
                        + " ns");
    }

    private static double x(double value, Ticks ticks) {
        return LEFT + value / ticks.last() * (WIDTH - LEFT - RIGHT);
    }
}
