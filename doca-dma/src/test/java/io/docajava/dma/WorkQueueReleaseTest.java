/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests releases with work queues, which a translation layer in C adapts. */
@Timeout(600)
@DocaEmulator
class WorkQueueReleaseTest {

    @ParameterizedTest
    @CsvSource({"2.2, 2.2.0080", "1.5, 1.5.0055", "1.4, 1.4.0079"})
    void copiesFailsRestartsWaitsAndStops(String release, String version, PeerJvm probe) throws Exception {
        probe.environment(EmulatorEnvironment.RELEASE, release)
                .without("logback")
                .start(WorkQueueProbe.class);

        assertThat(probe.await()).as(probe.output()).isZero();
        // Releases 1.x log to the error stream by themselves.
        assertThat(probe.output().lines().filter(line -> !line.startsWith("[")))
                .containsExactly(
                        version + " by libdocajava_pe_on_workq.so",
                        "3000 copied",
                        "failed with IO_FAILED",
                        "after a restart: 64",
                        "waited for events: true",
                        "stopped: true",
                        "doca_task_submit_ex is not in libdoca_common of the loaded DOCA " + version
                                + " (FILE); it came with DOCA 2.9.");
    }
}
