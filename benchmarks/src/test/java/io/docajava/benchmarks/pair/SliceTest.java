/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

    @Test
    void isTwoNumbers() {
        Slice slice = Slice.parse("4000 100000");

        assertThat(slice).isEqualTo(new Slice(4000, 100000));
        assertThat(slice.nanosPerOperation()).isEqualTo(25);
    }

    @Test
    void mayBeAnError() {
        assertThatThrownBy(() -> Slice.parse("error no device copies by DMA"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The worker in C failed: no device copies by DMA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4000", "4000 100000 1", "4000 x", "0 100000", "4000 0", "-1 100000", "4000  100000"})
    void isNothingElse(String answer) {
        assertThatThrownBy(() -> Slice.parse(answer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The worker in C answered \"" + answer + "\"");
    }
}
