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

    /** Printed by rdma_perf. */
    private static final String RDMA = """
            ---------------------------------------------------------------------
            RDMA write bandwidth
             #bytes     #iterations     BW peak[MB/sec] BW average[MB/sec]      MsgRate[Mpps]
             64         1000                     151.30             140.22           2.297354
             1024       1000                    2003.03            1980.10           2.027622
            ---------------------------------------------------------------------
            RDMA write latency, from submission to completion
             #bytes     #iterations   t_min[usec]  t_max[usec]  t_typical[usec]  t_avg[usec]  t_stdev[usec]  \
            99% percentile[usec]  99.9% percentile[usec]
             64         1000                 0.51        12.00             0.55         0.60           0.40  \
                            1.02                   11.98""";

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
        report.addTables(RDMA);
        report.write(folder);

        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| libraries | emulator |")
                .contains("| dma_local_copy | passed | 1.3 s |  |")
                .contains("| throughput | dma copy | 1000 | 2 | 32 | 2.000 | 2.0000 | 1.00 | 2.00 | 3.00 | 4.00 |")
                .contains("```text\n" + RDMA + "\n```");
        assertThat(folder.resolve("figures.csv"))
                .content()
                .endsWith("throughput,dma copy,1000,2,32,2.000,2.0000,1.00,2.00,3.00,4.00\n");
        assertThat(folder.resolve("rdma-bandwidth.csv")).content().isEqualTo("""
                operation,#bytes,#iterations,BW peak[MB/sec],BW average[MB/sec],MsgRate[Mpps]
                write,64,1000,151.30,140.22,2.297354
                write,1024,1000,2003.03,1980.10,2.027622
                """);
        assertThat(folder.resolve("rdma-latency.csv")).content().isEqualTo("""
                operation,#bytes,#iterations,t_min[usec],t_max[usec],t_typical[usec],t_avg[usec],t_stdev[usec],\
                99% percentile[usec],99.9% percentile[usec]
                write,64,1000,0.51,12.00,0.55,0.60,0.40,1.02,11.98
                """);
        assertThat(folder.resolve("report.json"))
                .content()
                .contains("\"dma_local_copy\"", "\"GB/s\" : \"2.000\"", "\"99.9% percentile[usec]\" : \"11.98\"");
        assertThat(folder.resolve("throughput.svg")).content().contains("1,000 B, threads 2, depth 32");
        assertThat(report.hasPassed()).isTrue();
    }

    @Test
    void whatAReleaseLacksIsNoFault() {
        assertThat(StepRunner.tellsOfLack("doca_rdma_export failed with DOCA_ERROR_NOT_SUPPORTED (...)"))
                .isTrue();
        assertThat(StepRunner.tellsOfLack("doca_rdma_connect is not in libdoca_rdma"))
                .isTrue();
        assertThat(StepRunner.tellsOfLack(
                        "No DOCA device with support for RDMA task event_set; this machine has mlx5_0"))
                .isTrue();
        assertThat(StepRunner.tellsOfLack("a byte differs")).isFalse();
    }

    @Test
    void aFailedStepFailsTheRun() {
        report.add(Step.skipped("conformance", "no compiler"));
        assertThat(report.hasPassed()).isTrue();

        report.add(new Step("soak", Outcome.FAILED, 1, "a byte differs"));
        assertThat(report.hasPassed()).isFalse();
    }
}
