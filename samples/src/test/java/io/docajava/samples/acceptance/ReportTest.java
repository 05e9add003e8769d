/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.acceptance.Figure.Latency;
import io.docajava.samples.acceptance.Step.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    private Path folder;

    private final Report report = new Report(Map.of("libraries", "emulator"));

    @Test
    void latenciesAreOfTheSortedTimes() {
        Latency latency = Latency.of(
                LongStream.rangeClosed(1, 1000).map(i -> 1001000 - i * 1000).toArray());

        assertThat(latency).isEqualTo(new Latency(1, 500.5, 990, 999));
    }

    @Test
    void writesAPageATableAndAChart() throws IOException {
        report.add(new Step("dma_local_copy", Outcome.PASSED, 1.25, ""));
        report.add(new Figure("throughput", "dma copy", 1000, 2, 32, 4_000_000, 2, new Latency(1, 2, 3, 4)));
        report.addTable("RDMA write bandwidth");
        report.write(folder);

        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| libraries | emulator |")
                .contains("| dma_local_copy | passed | 1.3 s |  |")
                .contains("| throughput | dma copy | 1000 | 2 | 32 | 2.000 | 2.0000 | 1.00 | 2.00 | 3.00 | 4.00 |")
                .contains("RDMA write bandwidth");
        assertThat(folder.resolve("figures.csv"))
                .content()
                .endsWith("throughput,dma copy,1000,2,32,2.000,2.0000,1.00,2.00,3.00,4.00\n");
        assertThat(folder.resolve("report.json")).content().contains("\"dma_local_copy\"", "\"GB/s\" : \"2.000\"");
        assertThat(folder.resolve("throughput.svg")).content().contains("1,000 B, threads 2, depth 32");
        assertThat(report.hasPassed()).isTrue();
    }

    @Test
    void aFailedStepFailsTheRun() {
        report.add(Step.skipped("conformance", "no compiler"));
        assertThat(report.hasPassed()).isTrue();

        report.add(new Step("soak", Outcome.FAILED, 1, "a byte differs"));
        assertThat(report.hasPassed()).isFalse();
    }
}
