/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Releases with work queues, which a translation in C stands before. */
@Timeout(60)
@NeedsEmulator
class WorkQueueReleaseTest {

    @Test
    void copiesFailsRestartsWaitsAndStops() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(TestJvm.command(List.of(), WorkQueueProbe.class));
        builder.environment().put("DOCA_EMULATOR_RELEASE", "2.2");
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .containsExactly(
                        "2.2.0080 by libdocajava_pe_on_workq.so",
                        "3000 copied",
                        "failed with IO_FAILED",
                        "after a restart: 64",
                        "waited for events: true",
                        "stopped: true",
                        "doca_task_submit_ex is not in libdoca_common of the loaded DOCA 2.2.0080 (FILE); it came with"
                                + " DOCA 2.9.");
    }
}
