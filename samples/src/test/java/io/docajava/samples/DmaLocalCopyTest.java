/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code dma_local_copy} from its command line to its exit code. */
class DmaLocalCopyTest {

    /** The last line of every successful sample. */
    static final String SUCCESS = "INF Sample finished successfully";

    static List<String> linesOfACopyOf(String text) {
        return List.of(
                "INF Starting the sample",
                "INF DMA context is running",
                "INF DMA task was completed successfully",
                "INF DMA context has been stopped",
                "INF Success, memory copied and verified as correct",
                "INF Memory content: " + text,
                SUCCESS);
    }

    private static void assertCopied(String text, Result result) {
        assertThat(result.outLog()).containsExactlyElementsOf(linesOfACopyOf(text));
        assertThat(result.errLog()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.outLog()).containsExactly("INF Starting the sample", "INF Sample finished with errors");
        assertThat(result.errLog()).containsExactly("ERR " + error);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void copiesWithoutFlags() throws Exception {
        assertCopied(
                "This is a sample piece of text", SampleProcess.onEmulator().run("dma_local_copy"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"some text", "", "-", "-t", "@/etc/hostname"})
    void copiesTheTextGiven(String text) throws Exception {
        assertCopied(text, SampleProcess.onEmulator().runShared("dma_local_copy", "-t", text));
    }

    @Test
    void copiesTextsInAnyScript() throws Exception {
        String text = "grüße, 你好, \uD83D\uDE00";

        assertCopied(text, SampleProcess.onEmulator().run("dma_local_copy", "-t", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"03:00.1", "0000:03:00.0"})
    void copiesByTheDeviceGiven(String address) throws Exception {
        assertCopied(
                "This is a sample piece of text",
                SampleProcess.onEmulator().runShared("dma_local_copy", "--pci-addr", address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.4", "1.5", "2.2"})
    void copiesOnReleasesWithWorkQueues(String release) throws Exception {
        assertCopied(
                "some text",
                SampleProcess.onEmulator()
                        .with(EmulatorEnvironment.RELEASE, release)
                        .run("dma_local_copy", "-t", "some text"));
    }

    @Test
    void copiesByADeviceOfAHost() throws Exception {
        Result result = SampleProcess.onHost().runShared("dma_local_copy", "-p", "0b:00.0", "-t", "on the host");

        assertCopied("on the host", result);
    }

    @Test
    void copiesWhenTheDeviceWorksBesideTheProgram() throws Exception {
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_ENGINE", "threaded")
                .runShared("dma_local_copy", "-ns", "4", "-nd", "3");

        assertCopied("This is a sample piece of text", result);
    }

    @ParameterizedTest
    @CsvSource({"3, 2", "2, 3", "1, 5", "7, 1", "32, 32"})
    void copiesBetweenListsOfBuffers(String sources, String targets) throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-ns", sources, "-nd", targets);

        assertCopied("This is a sample piece of text", result);
    }

    @Test
    void usesNoMoreBuffersThanThereAreBytes() throws Exception {
        Result result = SampleProcess.onEmulator()
                .runShared("dma_local_copy", "-t", "abc", "--num-src-buf", "7", "--num-dst-buf", "6");

        assertCopied("abc", result);
    }

    @Test
    void copiesTheLongestText() throws Exception {
        String text = "ü".repeat(2048);

        assertCopied(text, SampleProcess.onEmulator().runShared("dma_local_copy", "-t", text, "-ns", "3", "-nd", "5"));
    }

    @Test
    void refusesALongerText() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-t", "ü".repeat(2048) + "x");

        assertThat(result.err())
                .containsExactly("sample dma_local_copy: Invalid value for option '--text':"
                        + " it has 4097 bytes, and 4096 is the limit (see --help)");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void refusesAMalformedAddress() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-p", "03-00-0");

        assertThat(result.err())
                .containsExactly("sample dma_local_copy: Invalid value for option '--pci-addr':"
                        + " Not a PCI address: \"03-00-0\"; it is written like 03:00.0 or 0000:03:00.0 (see --help)");
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void namesTheDevicesWhenThereIsNoneAtTheAddress() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-p", "04:00.0");

        assertFailed(
                result,
                "No DOCA device with PCI address 0000:04:00.0 and support for DMA copies; this machine has"
                        + " 0000:03:00.0 (mlx5_0), 0000:03:00.1 (mlx5_1), 0000:03:00.0 (mlx5_2), 0000:03:00.1 (mlx5_3)");
    }

    @Test
    void saysThatThereAreNoDevices(@TempDir Path folder) throws Exception {
        Path topology = Files.writeString(folder.resolve("empty.topology"), "# nothing\n");

        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                .runShared("dma_local_copy");

        assertFailed(
                result,
                "No DOCA device with PCI address 0000:03:00.0 and support for DMA copies: this machine has none");
    }

    @Test
    void refusesADeviceThatDoesNotCopy(@TempDir Path folder) throws Exception {
        Path topology = Files.writeString(folder.resolve("no-dma.topology"), """
                [dpu mlx5_0]
                pci = 03:00.0
                dma = no
                """);

        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                .runShared("dma_local_copy");

        assertFailed(
                result,
                "No DOCA device with PCI address 0000:03:00.0 and support for DMA copies;"
                        + " this machine has 0000:03:00.0 (mlx5_0)");
    }

    @ParameterizedTest
    @CsvSource({"128, 1, 129", "2147483647, 2147483647, 4294967294"})
    void refusesMoreBuffersThanTheDeviceTakes(String sources, String targets, String sum) throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-ns", sources, "-nd", targets);

        assertFailed(result, "Number of buffers [" + sum + "] exceeds the limit of the device [64]");
    }

    @Test
    void warnsThatTheEmulatorStandsInForTheSdk() throws Exception {
        assumeTrue(Files.notExists(Path.of("/opt/mellanox/doca")), "no SDK is installed");

        Result result = SampleProcess.onWhatIsFound().run("dma_local_copy");

        assertThat(result.errLog())
                .containsExactly(
                        "WRN No DOCA SDK was found; the software emulator is used. Set doca.backend or DOCA_BACKEND to choose.");
        assertThat(result.outLog()).endsWith(SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void failsWhereThereAreNoLibraries(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing");
        Result result = SampleProcess.onEmulator()
                .with("DOCA_LIBRARY_PATH", missing.toString())
                .run("dma_local_copy");

        assertThat(result.err()).first().asString().contains("[ERR]").contains(missing.toString());
        assertThat(result.err()).noneMatch(line -> line.startsWith("\tat "));
        assertThat(result.outLog()).containsExactly("INF Starting the sample", "INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void refusesAReleaseThatTheEmulatorDoesNotHave() throws Exception {
        Result result =
                SampleProcess.onEmulator().with("DOCA_EMULATOR_RELEASE", "2.4").run("dma_local_copy");

        assertThat(result.errLog())
                .containsExactly("ERR The DOCA emulator cannot be used: DOCA_EMULATOR_RELEASE=2.4:"
                        + " expected one of 3.4, 3.3, 3.0, 2.5, 2.2, 1.5, 1.4");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void saysHowToGrantNativeAccess() throws Exception {
        Result result = SampleProcess.onEmulator().withoutNativeAccess().run("dma_local_copy");

        assertThat(result.err()).first().asString().contains("--enable-native-access=io.docajava.ffi");
        assertThat(result.err()).noneMatch(line -> line.startsWith("\tat "));
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"tr, TR, ''", "ar, EG, nu-arab", "hi, IN, nu-deva"})
    void saysTheSameInOtherLocales(String language, String country, String digits) throws Exception {
        Result result = SampleProcess.onEmulator()
                .withJvmFlags("-Duser.language=" + language, "-Duser.country=" + country, "-Duser.extensions=" + digits)
                .run("dma_local_copy", "-t", "TITLE title", "-ns", "2");

        assertCopied("TITLE title", result);
    }

    @Test
    void logsWarningsOnlyAtThatLevel() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-l", "40");

        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void logsNothingWhenDisabled() throws Exception {
        Result result = SampleProcess.onEmulator()
                .runShared("dma_local_copy", "-p", "04:00.0", "--log-level=10", "--sdk-log-level=10");

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void showsWhereItFailedWhenDebugging() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-p", "04:00.0", "-l", "60");

        assertThat(result.out()).anyMatch(line -> line.contains("[DBG]")).anyMatch(line -> line.startsWith("\tat "));
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void showsTheRecordsOfTheLibraries() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "--sdk-log-level", "70");

        assertThat(result.err()).anyMatch(line -> line.contains("[DOCA][INF] "));
        assertThat(result.outLog()).containsExactlyElementsOf(linesOfACopyOf("This is a sample piece of text"));
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void aLevelEndsWithItsRunInASharedProcess() throws Exception {
        // The variable makes it a process that no other test shares.
        SampleProcess process = SampleProcess.onEmulator().with("TEST", "aLevelEndsWithItsRunInASharedProcess");
        assertThat(process.runShared("dma_local_copy", "--sdk-log-level", "70").exitCode())
                .isZero();
        Result next = process.with(EmulatorEnvironment.ROLE, "host").runShared("dma_local_copy", "-p", "0b:00.0");

        assertThat(next.err()).isEmpty();
        assertThat(next.exitCode()).isZero();
    }
}
