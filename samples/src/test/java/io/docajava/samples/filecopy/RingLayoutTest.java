/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.samples.cli.SampleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingLayoutTest {

    @Test
    void dividesAFileIntoPiecesThatTakeTurnsInTheSlots() {
        RingLayout layout = new RingLayout(950, 100, 4);

        assertThat(layout.memoryLength()).isEqualTo(4096 + 400);
        assertThat(layout.pieces()).isEqualTo(10);
        assertThat(layout.offset(0)).isEqualTo(4096);
        assertThat(layout.offset(3)).isEqualTo(4096 + 300);
        assertThat(layout.offset(4)).isEqualTo(4096);
        assertThat(layout.length(8)).isEqualTo(100);
        assertThat(layout.length(9)).isEqualTo(50);
        assertThat(layout.bytes(9)).isEqualTo(900);
        assertThat(layout.bytes(10)).isEqualTo(950);
    }

    @Test
    void takesFilesOfAnySize() {
        assertThat(new RingLayout(0, 100, 4).pieces()).isZero();
        assertThat(new RingLayout(Long.MAX_VALUE, 1 << 20, 32).pieces()).isEqualTo(1L << 43);
        assertThat(new RingLayout(Long.MAX_VALUE, 1 << 20, 32).length((1L << 43) - 1))
                .isEqualTo((1 << 20) - 1);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1, 1", "1, 0, 1", "1, 1, 0", "1, 1, 1025", "1, 9223372036854775807, 1"})
    void refusesWhatCannotBe(long fileLength, long slotSize, int slots) {
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> new RingLayout(fileLength, slotSize, slots))
                .withMessage("There cannot be " + slots + " slots of " + slotSize + " bytes for a file of " + fileLength
                        + " bytes");
    }
}
