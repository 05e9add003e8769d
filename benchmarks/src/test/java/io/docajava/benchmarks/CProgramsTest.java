/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.MmapExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The other programs in C. */
@Timeout(600)
class CProgramsTest {

    @TempDir
    Path folder;

    @Test
    void firstCopyCopiesAndEnds() throws IOException, InterruptedException {
        assertThat(run("doca_bench_first_copy")).isEqualTo(new Result(0, "copied 64 bytes\n"));
    }

    @Test
    void firstCopySaysWhichDeviceThereIsNot() throws IOException, InterruptedException {
        ProcessBuilder program = EmulatorSdk.program("doca_bench_first_copy");
        program.environment().put("DOCA_BENCH_PCI", "7f:00.0");

        assertThat(Result.of(program.start())).isEqualTo(new Result(1, "error no device 7f:00.0\n"));
    }

    @Test
    void exporterWritesWhatJavaReadsAndLivesUntilTheEndOfItsInput() throws IOException, InterruptedException {
        Path file = folder.resolve("export");
        Process exporter = EmulatorSdk.program("doca_bench_exporter", "5000", file.toString(), "rw")
                .start();
        try {
            assertThat(exporter.inputReader(UTF_8).readLine()).isEqualTo("ready");

            MmapExport export = MmapExport.load(folder.resolve("export.desc"), folder.resolve("export.info"));

            assertThat(export.length()).isEqualTo(5000);
            try (var files = Files.list(folder)) {
                assertThat(files).hasSize(2);
            }
            assertThat(exporter.isAlive()).isTrue();
            exporter.outputWriter(UTF_8).close();
            assertThat(exporter.waitFor()).isZero();
        } finally {
            exporter.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, rw, 'SIZE must be a number of bytes, and is not 0'",
        "1k, rw, 'SIZE must be a number of bytes, and is not 1k'",
        "64, all, 'ACCESS must be ro or rw, and is not all'",
    })
    void exporterRefusesArguments(String size, String access, String reason) throws IOException, InterruptedException {
        Path file = folder.resolve("export");

        assertThat(run("doca_bench_exporter", size, file.toString(), access))
                .isEqualTo(new Result(1, "error " + reason + "\n"));
    }

    @Test
    void rdmaPeerIntroducesItselfAndEndsWithItsInput() throws IOException, InterruptedException {
        Result result = run("doca_bench_rdma_peer", "64", "4");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).matches("[0-9a-f]+ [0-9a-f]+ [0-9]+ 256\nerror no descriptor: \n");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, 'SIZE and COUNT must be numbers, and are not 0 and 4'",
        "64, four, 'SIZE and COUNT must be numbers, and are not 64 and four'",
    })
    void rdmaPeerRefusesArguments(String size, String count, String reason) throws IOException, InterruptedException {
        assertThat(run("doca_bench_rdma_peer", size, count)).isEqualTo(new Result(1, "error " + reason + "\n"));
    }

    private static Result run(String name, String... arguments) throws IOException, InterruptedException {
        return Result.of(EmulatorSdk.program(name, arguments).start());
    }

    private record Result(int exitCode, String output) {

        static Result of(Process process) throws IOException, InterruptedException {
            process.outputWriter(UTF_8).close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Result(process.waitFor(), output);
        }
    }
}
