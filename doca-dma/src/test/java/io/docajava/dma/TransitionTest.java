/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.junit.DocaEmulator;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the number of native calls that copies take, which affects their speed and needs no clock. */
@Timeout(600)
@DocaEmulator
class TransitionTest {

    @Test
    void copiesTakeAsManyCallsAsTheyHaveRunsOf32AndASeriesOne(@TempDir Path folder) throws Exception {
        assertThat(new AlteredSdk(folder).run(TransitionProbe.class, "-Ddoca.transitions=count"))
                .containsExactly(
                        "many tasks: 2 to submit, 0 beside progress",
                        "many copies: 2 to submit, 0 beside progress",
                        "one task: 0 to submit, 1 beside progress",
                        "series: 1 to submit, 0 beside progress",
                        "copy of a list: 0 to submit, 1 beside progress",
                        "task with a list: 0 to submit, 1 beside progress");
    }
}
