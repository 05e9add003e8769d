/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {

    @TempDir
    Path folder;

    @Test
    void hasFiguresMachineAndCommands() {
        String page = ResultsPage.markdown(Samples.good(), Map.of("processor", "fast"), "scripts/benchmark --quick");

        assertThat(page)
                .contains("Written by `scripts/benchmark --quick`")
                .contains("| processor | fast |")
                .contains("| raw | 64 B | 32 | 100.0 | 95.0 | 0.95 (0.95-0.95) | 5.0 | 0 | 1 |")
                .contains("| raw 4 KiB 32 | `scripts/benchmark '^raw/4096/32$'` |")
                .contains("| startup-aot 64 B 1 | `scripts/benchmark '^startup$'` |")
                .contains("| allocated by raw, 64 B, depth 32 | 0 B per operation | 0 B | reached |")
                .contains("(ratio.svg)", "(nanos.svg)");
    }

    @Test
    void isWrittenWithItsCharts() throws IOException {
        Path made = folder.resolve("performance");

        ResultsPage.write(made, Samples.good(), Machine.describe(), "scripts/benchmark");

        try (var files = Files.list(made)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("results.md", "ratio.svg", "nanos.svg");
        }
        assertThat(made.resolve("results.md"))
                .content()
                .contains("| DOCA | emulator 3.4.0112 |")
                .contains("| processors for the JVM | ");
    }
}
