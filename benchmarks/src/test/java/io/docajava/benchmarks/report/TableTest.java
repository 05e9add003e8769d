/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.benchmarks.pair.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void alignsColumns() {
        assertThat(new Table("case", "ns")
                        .row("raw", "7.5")
                        .row("callback", "12.0")
                        .toText())
                .isEqualTo("""
                        case        ns
                        raw        7.5
                        callback  12.0
                        """);
    }

    @Test
    void isMarkdown() {
        assertThat(new Table("case", "ns").row("a|b", "7.5").toMarkdown()).isEqualTo("""
                | case | ns |
                |---|---|
                | a\\|b | 7.5 |
                """);
    }

    @Test
    void refusesARowOfAnotherWidth() {
        assertThatThrownBy(() -> new Table("case", "ns").row("raw"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A row of 1 cells in a table of 2 columns");
    }

    @Test
    void showsLongTimesInMilliseconds() {
        assertThat(Table.of(List.of(Figure.ofTimes("startup", "a line", List.of(new Pair(3e8, 2e8, Double.NaN)))))
                        .toText())
                .contains(" 300 ms ", " 200 ms ", " 100 ms ");
    }

    @Test
    void showsFigures() {
        assertThat(Table.of(List.of(
                                Samples.figure("raw", 4096, 32, 100, 95, 0),
                                Samples.figure("pull", 1 << 20, 1, 123456, 120000, 48.5),
                                Figure.ofPairs(
                                        "device-open", null, null, List.of(new Pair(5000, Double.NaN, Double.NaN)))))
                        .toText())
                .isEqualTo("""
                        case          size  depth  Java ns     C ns  ratio (quartiles)  added ns   B/op  pairs
                        raw          4 KiB     32    100.0     95.0   0.95 (0.95-0.95)       5.0      0      1
                        pull         1 MiB      1  123,456  120,000   0.97 (0.97-0.97)     3,456  48.50      1
                        device-open      -      -    5,000        -                  -         -      -      1
                        """);
    }
}
