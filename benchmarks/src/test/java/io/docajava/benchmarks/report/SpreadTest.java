/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void isTheQuartilesWhateverTheOrder() {
        assertThat(Spread.of(DoubleStream.of(5, 1, 4, 2, 3))).isEqualTo(new Spread(2, 3, 4, 5));
    }

    @Test
    void liesBetweenTwoValuesInProportion() {
        assertThat(Spread.of(DoubleStream.of(10, 20))).isEqualTo(new Spread(12.5, 15, 17.5, 2));
    }

    @Test
    void ofOneValueIsThatValue() {
        assertThat(Spread.of(DoubleStream.of(7))).isEqualTo(new Spread(7, 7, 7, 1));
    }

    @Test
    void ignoresHowFarAwayTheLastValueIs() {
        assertThat(Spread.of(DoubleStream.of(1, 2, 3, 4, 1e9)).median()).isEqualTo(3);
    }

    @Test
    void refusesNoValues() {
        assertThatThrownBy(() -> Spread.of(DoubleStream.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no spread of no values");
    }

    @Test
    void refusesWhatIsNotANumber() {
        assertThatThrownBy(() -> Spread.of(DoubleStream.of(1, Double.NaN, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A value is not a number");
    }
}
