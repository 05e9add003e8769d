/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.MmapExport;
import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code dma_file_copy_host} and {@code dma_file_copy_dpu} in two processes. */
class DmaFileCopyTest {

    private static final String FAILED = "INF Sample finished with errors";

    /** A file size that takes far longer to copy than a test takes to kill one side, and uses no disk space until then. */
    private static final long ENDLESS = 1L << 36;

    @TempDir
    private Path folder;

    private Path file;
    private Path output;
    private Path export;

    @BeforeEach
    void nameFiles() throws IOException {
        file = folder.resolve("file");
        output = Files.createDirectory(folder.resolve("dpu")).resolve("output");
        export = folder.resolve("export");
    }

    /** The line that the host prints when the DPU can start. */
    private String invitation() {
        return "Please copy " + export + " to the DPU and run there: dma_file_copy_dpu <output>";
    }

    /** Starts the host in a process of its own, which a test may suspend or end. */
    private RunningProgram startHost(String... flags) throws Exception {
        RunningProgram host = SampleProcess.onHost().start(arguments("dma_file_copy_host", file, flags));
        host.awaitOut(invitation());
        return host;
    }

    /** Starts the host in a process that other tests use, too. */
    private SharedRun beginHost(String... flags) throws Exception {
        return SampleProcess.onHost()
                .beginShared(arguments("dma_file_copy_host", file, flags))
                .awaitOut(invitation());
    }

    private SharedRun beginDpu(SampleProcess process, String... flags) throws Exception {
        return process.beginShared(arguments("dma_file_copy_dpu", output, flags));
    }

    private RunningProgram startDpu(SampleProcess process, String... flags) throws Exception {
        return process.start(arguments("dma_file_copy_dpu", output, flags));
    }

    private RunningProgram startDpu(String... flags) throws Exception {
        return startDpu(SampleProcess.onEmulator(), flags);
    }

    private Result runDpu(String... flags) throws Exception {
        return runDpu(SampleProcess.onEmulator(), flags);
    }

    private Result runDpu(SampleProcess process, String... flags) throws Exception {
        return process.runShared(arguments("dma_file_copy_dpu", output, flags));
    }

    private Result runHost(Path input, String... flags) throws Exception {
        return SampleProcess.onHost().runShared(arguments("dma_file_copy_host", input, flags));
    }

    private String[] arguments(String sample, Path positional, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(sample, positional.toString(), "-x", export.toString()));
        arguments.addAll(List.of(flags));
        return arguments.toArray(String[]::new);
    }

    private void writeRandomFile(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(file, bytes);
    }

    private void makeEndlessFile() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(ENDLESS);
        }
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.outLog()).endsWith(FAILED);
        assertThat(result.errLog()).contains("ERR " + error);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private void assertNoOutput() throws IOException {
        try (Stream<Path> files = Files.list(output.getParent())) {
            assertThat(files).isEmpty();
        }
    }

    private void assertCopied(Result host, Result dpu) throws Exception {
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        String report = Files.size(file) + " bytes in \\d+\\.\\d{3} s, \\d+\\.\\d\\d [KMG]iB/s, SHA-256 " + digest;
        assertThat(dpu.errLog()).isEmpty();
        assertThat(dpu.outLog())
                .startsWith("INF Starting the sample", "INF Copying " + Files.size(file) + " bytes")
                .endsWith(DmaLocalCopyTest.SUCCESS);
        assertThat(dpu.outLog()).anyMatch(line -> line.matches("INF Copied " + report));
        assertThat(dpu.exitCode()).isZero();
        assertThat(host.outLog()).anyMatch(line -> line.matches("INF The DPU has copied " + report));
        assertThat(host.outLog()).endsWith(DmaLocalCopyTest.SUCCESS);
        assertThat(host.exitCode()).isZero();

        assertThat(Files.mismatch(file, output)).isEqualTo(-1);
        assertThat(export).doesNotExist();
        try (Stream<Path> files = Files.list(output.getParent())) {
            assertThat(files).containsExactly(output);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, inline",
        "1, 3, threaded",
        "4095, 1, inline",
        "4097, 1, threaded",
        "16384, 4, inline",
        "16385, 4, threaded"
    })
    void copiesFilesAroundTheSizesOfSlots(int length, String slots, String engine) throws Exception {
        writeRandomFile(length);
        try (SharedRun host = beginHost("--slot-size", "4K", "--slots", slots)) {
            Result dpu = runDpu(SampleProcess.onEmulator().with("DOCA_EMULATOR_ENGINE", engine));
            assertCopied(host.end(), dpu);
        }
    }

    @Test
    void copiesAFileThatIsLargerThanTheMemory() throws Exception {
        writeRandomFile(40 << 20);
        try (SharedRun host = beginHost("--slot-size", "50001", "--slots", "100");
                SharedRun dpu = beginDpu(SampleProcess.onEmulator().with("DOCA_EMULATOR_ENGINE", "threaded"))) {
            assertCopied(host.end(), dpu.end());
        }
    }

    @Test
    void takesFlagsFromAFile() throws Exception {
        writeRandomFile(100);
        Path parameters = Files.writeString(folder.resolve("parameters.json"), """
                {
                    "doca_program_flags": {
                        "pci-addr": "03:00.1",
                        "export-path": "%s",
                        "force": true,
                        "timeout": "60"
                    }
                }
                """.formatted(export));
        Files.writeString(output, "an old one");
        try (SharedRun host = beginHost("-p", "0b:00.4")) {
            Result dpu = SampleProcess.onEmulator()
                    .runShared("dma_file_copy_dpu", output.toString(), "-j", parameters.toString());

            assertCopied(host.end(), dpu);
        }
    }

    @Test
    void refusesToReplaceAnOutputUnlessForced() throws Exception {
        Files.writeString(output, "precious");

        assertFailed(runDpu(), output + ": it exists already, and --force replaces it");
        assertThat(output).hasContent("precious");
    }

    @Test
    void dpuFailsAtOnceWhenTheHostIsKilled() throws Exception {
        makeEndlessFile();
        try (RunningProgram host = startHost("--slot-size", "64K");
                RunningProgram dpu = startDpu("-l", "60")) {
            dpu.awaitOut("Piece 40 is written");
            host.kill();

            Result result = dpu.end();
            assertThat(result.errLog())
                    .last()
                    .asString()
                    .startsWith("ERR A copy between the host's memory and this process failed: ");
            assertThat(result.exitCode()).isEqualTo(1);
            assertNoOutput();
        }
    }

    @Test
    void dpuFailsAtOnceWhenTheHostIsKilledWhileItWaits() throws Exception {
        makeEndlessFile();
        try (RunningProgram host = startHost()) {
            host.suspend();
            try (RunningProgram dpu = startDpu("-l", "60")) {
                dpu.awaitOut("Waiting for the host");
                host.kill();

                Result result = dpu.end();
                assertThat(result.errLog())
                        .last()
                        .asString()
                        .startsWith("ERR A copy between the host's memory and this process failed: ");
                assertThat(result.exitCode()).isEqualTo(1);
                assertNoOutput();
            }
        }
    }

    @Test
    void dpuGivesUpWhenTheHostDoesNothing() throws Exception {
        makeEndlessFile();
        try (RunningProgram host = startHost()) {
            host.suspend();

            assertFailed(runDpu("--timeout", "1"), "The host has made no progress for 1 s");
            assertNoOutput();
        }
    }

    @Test
    void hostGivesUpWhenTheDpuIsKilled() throws Exception {
        makeEndlessFile();
        try (SharedRun host = beginHost("--slot-size", "64K", "--timeout", "3");
                RunningProgram dpu = startDpu("-l", "60")) {
            dpu.awaitOut("Piece 40 is written");
            dpu.kill();

            assertFailed(host.end(), "The DPU has made no progress for 3 s");
            assertThat(output).doesNotExist();
            assertThat(export).doesNotExist();
        }
    }

    private static void assertEndedBySignal(Result result) {
        assertThat(result.out()).last().asString().endsWith("Sample finished with errors");
        assertThat(result.errLog()).containsExactly("ERR A signal has ended the sample");
        // 128 plus the number of SIGTERM.
        assertThat(result.exitCode()).isEqualTo(143);
    }

    @Test
    void bothEndWhenASignalEndsTheDpu() throws Exception {
        makeEndlessFile();
        try (SharedRun host = beginHost("--slot-size", "64K");
                RunningProgram dpu = startDpu("-l", "60")) {
            dpu.awaitOut("Piece 40 is written");
            dpu.terminate();

            assertEndedBySignal(dpu.end());
            assertNoOutput();
            assertFailed(host.end(), "The DPU has given up; see the log of dma_file_copy_dpu for the reason");
        }
    }

    @Test
    void hostDeletesItsExportWhenASignalEndsIt() throws Exception {
        writeRandomFile(1);
        try (RunningProgram host = startHost()) {
            host.terminate();

            assertEndedBySignal(host.end());
            assertThat(export).doesNotExist();
        }
    }

    @Test
    void dpuRepeatsCopiesThatLackedRoom() throws Exception {
        writeRandomFile(100_000);
        String faults = "fail-task=1:AGAIN,fail-task=2:FULL,fail-task=3:NO_MEMORY,fail-task=8:AGAIN,fail-task=9:FULL";
        try (SharedRun host = beginHost("--slot-size", "4K", "--slots", "4");
                SharedRun dpu = beginDpu(SampleProcess.onEmulator().with("DOCA_EMULATOR_FAULTS", faults))) {
            // The SDK logs each failure.
            assertThat(dpu.end().outLog()).endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(host.end().outLog()).endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(Files.mismatch(file, output)).isEqualTo(-1);
        }
    }

    @Test
    void bothEndWhenACopyFails() throws Exception {
        writeRandomFile(100_000);
        try (SharedRun host = beginHost("--slot-size", "4K", "--slots", "4");
                SharedRun dpu =
                        beginDpu(SampleProcess.onEmulator().with("DOCA_EMULATOR_FAULTS", "fail-task=8:IO_FAILED"))) {
            Result failed = dpu.end();
            assertThat(failed.errLog())
                    .last()
                    .asString()
                    .startsWith("ERR A copy between the host's memory and this process failed: ")
                    .contains("IO_FAILED");
            assertThat(failed.exitCode()).isEqualTo(1);
            assertNoOutput();
            assertFailed(host.end(), "The DPU has given up; see the log of dma_file_copy_dpu for the reason");
        }
    }

    @Test
    void bothEndWhenTheOutputCannotBeWritten() throws Exception {
        makeEndlessFile();
        try (SharedRun host = beginHost();
                RunningProgram dpu = startDpu(SampleProcess.onEmulator().withFileSizeLimit(4 << 20))) {
            assertFailed(dpu.end(), output + ": it cannot be written: File too large");
            assertNoOutput();
            assertFailed(host.end(), "The DPU has given up; see the log of dma_file_copy_dpu for the reason");
        }
    }

    @Test
    void refusesASecondDpu() throws Exception {
        makeEndlessFile();
        try (RunningProgram host = startHost();
                RunningProgram first = startDpu("-l", "60")) {
            first.awaitOut("Piece 1 is written");

            assertFailed(
                    runDpu(),
                    "Another dma_file_copy_dpu has begun to copy this file, and one is possible. If that one has"
                            + " ended, dma_file_copy_host gives up after its timeout, and has to be started again");
            assertThat(first.isAlive()).isTrue();
            assertThat(host.isAlive()).isTrue();
        }
    }

    @Test
    void hostFailsWhenTheFileShrinks() throws Exception {
        writeRandomFile(100_000);
        try (SharedRun host = beginHost("--slot-size", "4K", "--slots", "2")) {
            Files.writeString(file, "short");
            Result dpu = runDpu();
            assertFailed(host.end(), "The file has become shorter than the 100000 bytes that it had at first");
            assertThat(dpu.exitCode()).isEqualTo(1);
            assertNoOutput();
        }
    }

    @Test
    void hostFailsWhenTheFileGrows() throws Exception {
        writeRandomFile(100_000);
        try (SharedRun host = beginHost("--slot-size", "4K", "--slots", "2")) {
            Files.writeString(file, "more", StandardOpenOption.APPEND);
            Result dpu = runDpu();
            assertFailed(
                    host.end(),
                    "The file has grown while it was copied: it had 100000 bytes at first, and has more now");
            assertThat(dpu.exitCode()).isEqualTo(1);
            assertNoOutput();
        }
    }

    @Test
    void hostRefusesToReplaceTheFileByItsExport() throws Exception {
        Files.writeString(file, "precious");
        Files.createLink(export, file);

        assertFailed(runHost(file), export + ": it is the file to copy, and the export would replace it");
        assertThat(file).hasContent("precious");
    }

    @Test
    void hostRefusesAFileWithoutALength() throws Exception {
        assertFailed(
                runHost(Path.of("/proc/cpuinfo")), "/proc/cpuinfo: it has no fixed length, which a file to copy needs");
        assertThat(export).doesNotExist();
    }

    @Test
    void hostKeepsRunningWhenTheOutputCannotBeCreated() throws Exception {
        writeRandomFile(5);
        try (SharedRun host = beginHost()) {
            Result refused = SampleProcess.onEmulator()
                    .runShared(arguments("dma_file_copy_dpu", Path.of("/proc/dma_file_copy_output")));
            assertFailed(refused, "/proc/dma_file_copy_output: it cannot be written: files in /proc cannot be created");

            Result dpu = runDpu();
            assertCopied(host.end(), dpu);
        }
    }

    @Test
    void hostRefusesWhatIsNoFile() throws Exception {
        assertFailed(runHost(folder), folder + ": it is no regular file");
    }

    @Test
    void hostRefusesSlotsThatItsDeviceCannotCopy() throws Exception {
        writeRandomFile(1);

        assertFailed(
                runHost(file, "--slot-size", "3M"),
                "Slots of 3145728 bytes are too large: Device 0000:0b:00.0 (mlx5_0) copies 2097152 bytes at a time");
    }

    @Test
    void dpuRefusesSlotsThatItsDeviceCannotCopy() throws Exception {
        writeRandomFile(1);
        Path topology = Files.writeString(folder.resolve("topology"), """
                [dpu mlx5_0]
                pci = 03:00.0
                dma_max_buf_size = 4096

                [host mlx5_0]
                pci = 0b:00.0
                behind = mlx5_0
                representor = pf0hpf
                """);
        try (RunningProgram host = startHost("--slot-size", "4097");
                SharedRun dpu =
                        beginDpu(SampleProcess.onEmulator().with("DOCA_EMULATOR_TOPOLOGY", topology.toString()))) {
            assertFailed(
                    dpu.end(),
                    "The host's slots have 4097 bytes, and Device 0000:03:00.0 (mlx5_0) copies 4096 at a time: give"
                            + " dma_file_copy_host a smaller --slot-size");
            assertThat(host.isAlive()).isTrue();
        }
    }

    @Test
    void dpuNamesTheHostsSampleWithoutItsExport() throws Exception {
        assertFailed(
                runDpu(),
                export + ": there is no such file or folder. Start dma_file_copy_host first, on the emulator with"
                        + " DOCA_EMULATOR_ROLE=host, and copy its export here if this is another machine");
    }

    @Test
    void dpuRefusesWhatIsNoExportOfAFile() throws Exception {
        Files.writeString(export, "garbled");
        assertFailed(
                runDpu(),
                export
                        + ": Not an export of an Mmap: it begins with other bytes; pass a bare descriptor to Mmap.fromDescriptor");

        writeRandomFile(1);
        try (RunningProgram host = startHost()) {
            MmapExport right = MmapExport.load(export);
            MmapExport.of(right.descriptor(), right.address() + 64, right.length() - 64)
                    .save(export);
            assertFailed(runDpu(), export + ": it is an export, and not one of dma_file_copy_host of this version");
            assertThat(host.isAlive()).isTrue();
        }
    }
}
