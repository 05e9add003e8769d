/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code dma_copy_host} and {@code dma_copy_dpu} in two processes. */
class DmaRemoteCopyTest {

    private static final String MISSING =
            ": there is no such file or folder. Start dma_copy_host first, on the emulator with"
                    + " DOCA_EMULATOR_ROLE=host, and copy its export here if this is another machine";

    /** The SDK's own warning, as the text has an unaligned length. */
    private static final String UNALIGNED =
            "WRN Mmap 0x[0-9a-f]+: \\d+ bytes at 0x[0-9a-f]+ are not aligned to cache lines" + " of 64 bytes";

    private static final String HOST_WAITS = "Wait till the DPU has finished and press enter";

    @TempDir
    private Path folder;

    private Path descriptor;
    private Path bufferInfo;

    @BeforeEach
    void nameFiles() {
        descriptor = folder.resolve("descriptor");
        bufferInfo = folder.resolve("buffer-info");
    }

    private RunningProgram startHost(String text) throws Exception {
        RunningProgram host = SampleProcess.onHost()
                .start("dma_copy_host", "-p", "0b:00.0", "-t", text, "-d", descriptor(), "-b", bufferInfo());
        host.awaitOut(HOST_WAITS);
        return host;
    }

    /** Starts the host in a process that other tests use, too. */
    private SharedRun beginHost(String text) throws Exception {
        return SampleProcess.onHost()
                .beginShared("dma_copy_host", "-p", "0b:00.0", "-t", text, "-d", descriptor(), "-b", bufferInfo())
                .awaitOut(HOST_WAITS);
    }

    private Result runDpu(String... flags) throws Exception {
        return runDpu(SampleProcess.onEmulator(), flags);
    }

    private Result runDpu(SampleProcess process, String... flags) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("dma_copy_dpu", "-d", descriptor(), "-b", bufferInfo()));
        arguments.addAll(List.of(flags));
        return process.runShared(arguments.toArray(String[]::new));
    }

    private String descriptor() {
        return descriptor.toString();
    }

    private String bufferInfo() {
        return bufferInfo.toString();
    }

    private static void assertCopied(String text, Result dpu) {
        assertThat(dpu.outLog())
                .containsExactly(
                        "INF Starting the sample",
                        "INF DMA context is running",
                        "INF DMA task was completed successfully",
                        "INF DMA context has been stopped",
                        "INF Remote DMA copy was done Successfully",
                        "INF Memory content: " + text,
                        "INF Host sample can be closed, DMA copy ended",
                        DmaLocalCopyTest.SUCCESS);
        assertThat(dpu.errLog()).isEmpty();
        assertThat(dpu.exitCode()).isZero();
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.outLog()).containsExactly("INF Starting the sample", "INF Sample finished with errors");
        assertThat(result.errLog()).contains("ERR " + error);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void hostSaysWhatToDoAndEndsWhenEnterIsPressed() throws Exception {
        try (RunningProgram host = startHost("some text")) {
            assertThat(Files.readString(bufferInfo)).matches("[1-9][0-9]*\n10");
            assertThat(Files.size(descriptor)).isBetween(1L, 512L);
            for (Path file : List.of(descriptor, bufferInfo)) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
            host.type("no enter yet");
            assertCopied("some text", runDpu());
            assertThat(host.isAlive()).isTrue();
            host.type("\n");

            Result result = host.end();
            assertThat(result.outLog())
                    .containsExactly(
                            "INF Starting the sample",
                            "INF Please copy " + descriptor + " and " + bufferInfo
                                    + " to the DPU and run DMA Copy DPU sample",
                            "INF " + HOST_WAITS,
                            DmaLocalCopyTest.SUCCESS);
            assertThat(result.errLog()).allMatch(line -> line.matches(UNALIGNED));
            assertThat(result.exitCode()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"inline, 0, 1, 5", "threaded, 2000, 3, 2", "threaded, 4096, 32, 32"})
    void copiesBetweenListsOfBuffers(String engine, int length, String sources, String targets) throws Exception {
        String text = "x".repeat(length);
        try (SharedRun host = beginHost(text)) {
            Result dpu = runDpu(
                    SampleProcess.onEmulator().with("DOCA_EMULATOR_ENGINE", engine), "-ns", sources, "-nd", targets);
            assertCopied(text, dpu);
            host.type("\r");

            assertThat(host.end().exitCode()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.4", "1.5", "2.2", "2.5", "3.4"})
    void copiesOnOtherReleases(String release) throws Exception {
        try (RunningProgram host = SampleProcess.onHost()
                .with("DOCA_EMULATOR_RELEASE", release)
                .start("dma_copy_host", "-p", "0b:00.0", "-t", "old text", "-d", descriptor(), "-b", bufferInfo())) {
            host.awaitOut(HOST_WAITS);
            Result dpu = SampleProcess.onEmulator()
                    .with("DOCA_EMULATOR_RELEASE", release)
                    .run("dma_copy_dpu", "-d", descriptor(), "-b", bufferInfo());
            assertThat(dpu.outLog()).as(dpu.errLog().toString()).contains("INF Memory content: old text");
            assertThat(dpu.exitCode()).isZero();
            host.type("\n");

            assertThat(host.end().exitCode()).isZero();
        }
    }

    @Test
    void hostFailsWhenItsInputEndsWithoutEnter() throws Exception {
        try (RunningProgram host = startHost("text")) {
            host.closeInput();

            Result result = host.end();
            assertThat(result.errLog())
                    .contains(
                            "ERR The input ended before enter was pressed, and the DPU may not have finished: run this in a"
                                    + " terminal, or with an input that stays open");
            assertThat(result.outLog()).last().isEqualTo("INF Sample finished with errors");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void eachNamesItsSideWhenTheDeviceIsOfTheOther() throws Exception {
        assertFailed(
                SampleProcess.onEmulator().runShared("dma_copy_host"),
                "Sample should run on the Host: No DOCA device with PCI address 0000:b1:00.0 and support for DMA copies and"
                        + " the ability to export memory over PCI; this machine has 0000:03:00.0 (mlx5_0), 0000:03:00.1"
                        + " (mlx5_1), 0000:03:00.0 (mlx5_2), 0000:03:00.1 (mlx5_3). On the emulator, the environment"
                        + " decides: DOCA_EMULATOR_ROLE=host. The sample for the side of this process is dma_copy_dpu");
        assertFailed(
                SampleProcess.onHost().runShared("dma_copy_dpu"),
                "Sample should run on the DPU: No DOCA device with PCI address 0000:03:00.0 and support for DMA copies and"
                        + " the ability to import memory over PCI; this machine has 0000:0b:00.0 (mlx5_0), 0000:0b:00.1"
                        + " (mlx5_1), 0000:0b:00.2 (mlx5_2), 0000:0b:00.3 (mlx5_3), 0000:0b:00.4 (mlx5_4). On the emulator,"
                        + " the environment decides: DOCA_EMULATOR_ROLE=dpu. The sample for the side of this process is dma_copy_host");
    }

    @Test
    void aDpuCopiesFromAHostOnItsOwnSide() throws Exception {
        try (SharedRun host = SampleProcess.onEmulator()
                .beginShared("dma_copy_host", "-p", "03:00.0", "-t", "text", "-d", descriptor(), "-b", bufferInfo())) {
            host.awaitOut(HOST_WAITS);
            assertCopied("text", runDpu());
            host.type("\n");

            assertThat(host.end().exitCode()).isZero();
        }
    }

    @Test
    void hostNamesTheDevicesWhenThereIsNoneAtTheAddress() throws Exception {
        assertFailed(
                SampleProcess.onHost().runShared("dma_copy_host"),
                "No DOCA device with PCI address 0000:b1:00.0 and support for DMA copies and the ability to export memory"
                        + " over PCI; this machine has 0000:0b:00.0 (mlx5_0), 0000:0b:00.1 (mlx5_1), 0000:0b:00.2 (mlx5_2),"
                        + " 0000:0b:00.3 (mlx5_3), 0000:0b:00.4 (mlx5_4)");
    }

    @Test
    void hostNeedsTwoFiles() throws Exception {
        Result host = SampleProcess.onHost()
                .runShared("dma_copy_host", "-p", "0b:00.0", "-d", descriptor(), "-b", descriptor());

        assertThat(host.outLog()).endsWith("INF Sample finished with errors");
        assertThat(host.errLog())
                .contains("ERR The descriptor and the buffer information need a file each: " + descriptor);
        assertThat(host.exitCode()).isEqualTo(1);
    }

    @Test
    void dpuFailsWithoutTheFiles() throws Exception {
        assertFailed(runDpu(), bufferInfo + MISSING);
        Files.writeString(bufferInfo, "4096\n10");
        assertFailed(runDpu(), descriptor + MISSING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4096;x1     | the length is "x1", and not a number of 64 bits
            4096;0      | The memory of an export has 1 to 9223372036854775807 bytes, and not 0
            4096;2097153| the host's buffer has 2097153 bytes, and the device copies 2097152 at most
            """)
    void dpuRefusesBufferInformationThatIsNone(String lines, String error) throws Exception {
        Files.writeString(descriptor, "anything");
        Files.writeString(bufferInfo, lines.replace(';', '\n'));

        assertFailed(runDpu(), bufferInfo + ": " + error);
    }

    @Test
    void dpuRefusesDescriptorsThatAreNone() throws Exception {
        Files.writeString(bufferInfo, "4096\n10");
        Files.writeString(descriptor, "not a descriptor");
        Result foreign = runDpu();
        Files.write(descriptor, new byte[70000]);
        Result oversized = runDpu();

        assertThat(foreign.errLog())
                .last()
                .asString()
                .startsWith(
                        "ERR Importing Mmap of 10 bytes imported on 0000:03:00.0 (mlx5_0): doca_mmap_create_from_export"
                                + " failed with DOCA_ERROR_INVALID_VALUE (Invalid input)");
        assertThat(foreign.exitCode()).isEqualTo(1);
        assertFailed(oversized, descriptor + ": it has more than the 65536 bytes that a descriptor has at most");
    }

    @Test
    void dpuRefusesARangeThatIsNotOfTheExport() throws Exception {
        try (SharedRun host = beginHost("some text")) {
            Files.writeString(bufferInfo, Files.readString(bufferInfo) + "0");

            Result dpu = runDpu();
            assertThat(dpu.errLog())
                    .last()
                    .asString()
                    .startsWith("ERR " + bufferInfo + ": Export of 100 bytes at 0x")
                    .contains("is not inside of the memory of its descriptor: 10 bytes at 0x");
            assertThat(dpu.exitCode()).isEqualTo(1);
            host.type("\n");
            assertThat(host.end().exitCode()).isZero();
        }
    }

    @Test
    void dpuRefusesMoreThanItsDeviceCopies() throws Exception {
        Path topology = Files.writeString(folder.resolve("topology"), """
                [dpu mlx5_0]
                pci = 03:00.0
                dma_max_buf_size = 16
                """);
        Files.writeString(descriptor, "anything");
        Files.writeString(bufferInfo, "4096\n17");

        assertFailed(
                SampleProcess.onEmulator()
                        .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                        .runShared("dma_copy_dpu", "-d", descriptor(), "-b", bufferInfo()),
                bufferInfo + ": the host's buffer has 17 bytes, and the device copies 16 at most");
        assertFailed(runDpu("-ns", "128"), "Number of buffers [129] exceeds the limit of the device [64]");
    }

    @Test
    void dpuFailsWhenTheHostHasEnded() throws Exception {
        try (RunningProgram host = startHost("some text")) {
            host.kill();

            Result dpu = runDpu();
            assertThat(dpu.outLog()).containsExactly("INF Starting the sample", "INF Sample finished with errors");
            assertThat(dpu.errLog())
                    .last()
                    .asString()
                    .matches("ERR Importing Mmap .* process \\d+, which the export is of, has ended");
            assertThat(dpu.exitCode()).isEqualTo(1);
        }
    }
}
