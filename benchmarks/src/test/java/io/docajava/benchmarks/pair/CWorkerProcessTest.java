/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The worker as the profiler uses it, on the libraries that this JVM has loaded. */
@Timeout(600)
class CWorkerProcessTest {

    @Test
    void measuresForAboutAsLongAsAsked() throws IOException {
        try (CWorker worker = CWorker.start()) {
            Slice slice = worker.run("dma", 64, 32, Duration.ofMillis(5));

            assertThat(slice.operations()).isPositive();
            assertThat(slice.nanos()).isGreaterThanOrEqualTo(5_000_000);
            assertThat(worker.run("buf", 64, 1, Duration.ofMillis(1)).operations())
                    .isPositive();
        }
    }

    @Test
    void refusesAnUnknownCase() throws IOException {
        try (CWorker worker = CWorker.start()) {
            assertThatThrownBy(() -> worker.run("nothing", 64, 32, Duration.ofMillis(5)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The worker in C failed: unknown case");
        }
    }

    @Test
    void knowsTheCaseOfEachTwin() throws IOException {
        try (CWorker worker = CWorker.start()) {
            for (String name : new String[] {"dma", "dma_single", "drain", "task", "pull", "push", "import"}) {
                assertThat(worker.run(name, 64, 1, Duration.ofMillis(1)).operations())
                        .isPositive();
            }
        }
    }
}
