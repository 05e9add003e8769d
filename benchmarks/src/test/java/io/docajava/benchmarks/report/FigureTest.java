/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.benchmarks.pair.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void takesRatioAndDifferenceOfEachPairBeforeTheMedian() {
        // The machine is three times slower in the second pair, for both.
        Figure figure = Figure.ofPairs(
                "raw", 64, 32, List.of(new Pair(100, 90, 0), new Pair(300, 270, 0), new Pair(110, 99, 0)));

        assertThat(figure.ratio()).isEqualTo(new Spread(0.9, 0.9, 0.9, 3));
        assertThat(figure.addedNanos()).isEqualTo(new Spread(10.5, 11, 20.5, 3));
        assertThat(figure.javaNanos().median()).isEqualTo(110);
        assertThat(figure.baseline()).isEqualTo("C");
    }

    @Test
    void hasTimesAloneWithoutATwin() {
        Figure figure = Figure.ofPairs("memory-copy", 64, 32, List.of(new Pair(5, Double.NaN, 0)));

        assertThat(figure.javaNanos().median()).isEqualTo(5);
        assertThat(figure.ratio()).isNull();
        assertThat(figure.addedNanos()).isNull();
        assertThat(figure.baseNanos()).isNull();
        assertThat(figure.baseline()).isNull();
    }

    @Test
    void countsBytesAtTheMedian() {
        assertThat(Figure.ofPairs(
                                "future", 64, 32, List.of(new Pair(1, 1, 40), new Pair(1, 1, 48), new Pair(1, 1, 900)))
                        .bytesPerOp())
                .isEqualTo(48);
    }

    @Test
    void takesAFewBytesOfAWholeSliceForNone() {
        assertThat(Samples.figure("raw", 64, 32, 1, 1, 0.0004).bytesPerOp()).isZero();
        assertThat(Samples.figure("raw", 64, 32, 1, 1, 0.01).bytesPerOp()).isEqualTo(0.01);
    }

    @Test
    void knowsNoBytesWhereTheyWereNotCounted() {
        assertThat(Samples.figure("device-open", 64, 1, 1, 1, Double.NaN).bytesPerOp())
                .isNull();
    }

    @Test
    void ofTimesHasTheTimeByThatOfTheBaseline() {
        Figure figure = Figure.ofTimes("startup", "a line", List.of(new Pair(300, 200, Double.NaN)));

        assertThat(figure.ratio()).isEqualTo(new Spread(1.5, 1.5, 1.5, 1));
        assertThat(figure.addedNanos()).isEqualTo(new Spread(100, 100, 100, 1));
        assertThat(figure.baseline()).isEqualTo("a line");
    }
}
