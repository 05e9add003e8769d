/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.benchmarks.pair.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void isAListOfObjects() {
        assertThat(Json.of(List.of(
                        Samples.figure("raw", 64, 32, 100, 95, 0), Samples.figure("future", 4096, 1, 300, 150, 48.5))))
                .isEqualTo("""
                        [
                          {"case": "raw", "size": 64, "depth": 32, "ratio": 0.95, "addedNanos": 5, "bytesPerOp": 0, \
                        "javaNanos": 100, "baseNanos": 95, "baseline": "C", "ratioLow": 0.95, "ratioHigh": 0.95, "pairs": 1},
                          {"case": "future", "size": 4096, "depth": 1, "ratio": 0.5, "addedNanos": 150, "bytesPerOp": 48.5, \
                        "javaNanos": 300, "baseNanos": 150, "baseline": "C", "ratioLow": 0.5, "ratioHigh": 0.5, "pairs": 1}
                        ]
                        """);
    }

    @Test
    void hasNullWhereThereIsNothing() {
        assertThat(Json.of(List.of(
                        Figure.ofPairs("device-open", null, null, List.of(new Pair(100, Double.NaN, Double.NaN))))))
                .isEqualTo("""
                        [
                          {"case": "device-open", "size": null, "depth": null, "ratio": null, "addedNanos": null, \
                        "bytesPerOp": null, "javaNanos": 100, "baseNanos": null, "baseline": null, "ratioLow": null, \
                        "ratioHigh": null, "pairs": 1}
                        ]
                        """);
    }

    @Test
    void hasNoNumberThatJsonDoesNotKnow() {
        assertThat(Json.of(List.of(Samples.figure("raw", 64, 32, 0, 95, 0)))).contains("\"ratio\": null");
    }

    @Test
    void keepsWholeNumbersWhole() {
        assertThat(Json.of(List.of(Samples.figure("raw", 64, 32, 1e10, 5e9, 0))))
                .contains("\"javaNanos\": 10000000000,");
    }

    @Test
    void escapesTexts() {
        assertThat(Json.of(List.of(Figure.ofTimes("a\"b\\c\n", "d", List.of(new Pair(1, 1, 0))))))
                .contains("\"case\": \"a\\\"b\\\\c\\u000a\"");
    }
}
