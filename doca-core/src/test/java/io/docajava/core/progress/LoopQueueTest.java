/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.ChildJvm;
import io.docajava.testing.FullTests;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LoopQueueTest {

    /** The duration, which is longer with {@code -Pfull}. */
    private static final int MILLIS = FullTests.amount(500, 3000);

    /** Either the caller sees that the loop is idle and wakes it, or the loop sees the work. */
    @Test
    void eitherTheCallerOrTheLoopSeesTheOtherOne() throws Exception {
        List<String> output = new ChildJvm()
                .option("-XX:TieredStopAtLevel=4")
                .option("-Ddoca.test.millis=" + MILLIS)
                .run(LostWakeUps.class);
        assertThat(output)
                .singleElement()
                .asString()
                .as("rounds, lost wake-ups")
                .matches("[1-9]\\d* 0");
    }
}
