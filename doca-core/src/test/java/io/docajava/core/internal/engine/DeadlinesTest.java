/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private static final Duration LEAST = Duration.ofSeconds(Long.MIN_VALUE);
    private static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    @Test
    void countsWhatAClockCan() {
        assertThat(Deadlines.nanos(LEAST)).isZero();
        assertThat(Deadlines.nanos(Duration.ofNanos(-1))).isZero();
        assertThat(Deadlines.nanos(Duration.ofMillis(2))).isEqualTo(2_000_000);
        assertThat(Deadlines.nanos(Duration.ofNanos(Long.MAX_VALUE).plusNanos(1)))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Deadlines.nanos(MOST)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void formatsAnyDuration() {
        assertThat(Deadlines.text(LEAST)).isEqualTo("0 ms");
        assertThat(Deadlines.text(Duration.ofSeconds(-1))).isEqualTo("0 ms");
        assertThat(Deadlines.text(Duration.ofNanos(999_999))).isEqualTo("999999 ns");
        assertThat(Deadlines.text(Duration.ofMillis(2500))).isEqualTo("2500 ms");
        assertThat(Deadlines.text(Duration.ofMinutes(1))).isEqualTo("60 s");
        assertThat(Deadlines.text(MOST)).isEqualTo("9223372036854 ms");
    }
}
