/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.docajava.benchmarks.pair.Pair;
import io.docajava.benchmarks.report.Goal.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {

    @Test
    void areAllReachedByGoodFigures() {
        assertThat(Goal.of(Samples.good()))
                .hasSize(21)
                .extracting(Goal::verdict)
                .containsOnly(Verdict.REACHED);
    }

    @Test
    void areNotMeasuredWithoutFigures() {
        assertThat(Goal.of(List.of())).hasSize(21).extracting(Goal::verdict).containsOnly(Verdict.NOT_MEASURED);
    }

    @ParameterizedTest
    @CsvSource({
        // name, size, Java ns, C ns, bytes, how the goal begins
        "raw, 64, 106, 95, 0, 'DMA 64 B, depth 32, raw ('",
        "raw, 64, 1016, 1000, 0, 'DMA 64 B, depth 32, raw ('",
        "batch, 64, 106, 95, 0, 'DMA 64 B, depth 32, batch'",
        "raw, 4096, 520, 500, 0, 'DMA 4 KiB, depth 32, raw, throughput'",
        "raw-2.2, 64, 156, 120, 0, 'DMA 64 B, depth 32, raw: added on release 2.2'",
        "raw-2.2, 4096, 620, 580, 0, 'DMA 4 KiB, depth 32, raw on release 2.2'",
        "raw, 1048576, 104000, 100000, 0, 'DMA 1 MiB'",
        "raw, 64, 100, 95, 0.01, 'allocated by raw'",
        "callback, 64, 100, 95, 16, 'allocated by callback'",
        "loop-platform, 64, 667, 95, 0, 'ProgressLoop with futures, 4 callers (platform'",
        "loop-virtual, 64, 667, 95, 0, 'ProgressLoop with futures, 4 callers (virtual'",
        "rdma-write, 64, 1060, 950, 0, 'RDMA write 64 B'",
        "rdma-send, 65536, 10400, 10000, 0, 'RDMA send 64 KiB'",
        "rdma-write-callback, 64, 1000, 950, 24, 'allocated by rdma-write-callback'",
        "jextract, 64, 109, 95, 0, 'added cost of plain jextract + upcalls, relative to raw'"
    })
    void isNotReachedByOneBadFigure(
            String name, int size, double javaNanos, double cNanos, double bytes, String beginning) {
        List<Figure> figures = new ArrayList<>(Samples.good());
        for (int depth : new int[] {32, 256}) {
            figures.replaceAll(figure -> figure.is(name, size, depth)
                    ? Samples.figure(name, size, depth, javaNanos, cNanos, bytes)
                    : figure);
        }

        assertThat(Goal.of(figures))
                .filteredOn(goal -> goal.what().startsWith(beginning))
                .extracting(Goal::verdict)
                .containsExactly(Verdict.NOT_REACHED);
    }

    @Test
    void ofTheStartIsNotReachedByMoreThanTwice() {
        assertThat(Goal.of(List.of(Figure.ofTimes("startup-aot", "a line", List.of(new Pair(401, 200, Double.NaN))))))
                .filteredOn(goal -> goal.what().endsWith("also with one"))
                .extracting(Goal::verdict, Goal::figure)
                .containsExactly(tuple(Verdict.NOT_REACHED, "2.01 (2.01-2.01) times"));
    }

    @Test
    void againstThePeerIsReachedWhenNothingIsAdded() {
        List<Figure> figures =
                List.of(Samples.figure("raw", 64, 32, 90, 95, 0), Samples.figure("jextract", 64, 32, 96, 95, 0));

        assertThat(Goal.of(figures))
                .filteredOn(goal -> goal.what().contains("relative to raw"))
                .extracting(Goal::verdict)
                .containsExactly(Verdict.REACHED);
    }

    @Test
    void areATable() {
        assertThat(Goal.table(Goal.of(Samples.good())).toText())
                .contains(
                        "0.95 (0.95-0.95), 5.0 ns",
                        "reached",
                        "1.67 million per second",
                        "155.0 ns to 5.0 ns: 31.0 times");
    }
}
