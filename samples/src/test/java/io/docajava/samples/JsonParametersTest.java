/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests parameter files, {@code -j}. */
class JsonParametersTest {

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("parameters.json");
    }

    @Test
    void takesAllFlagsFromTheFile() throws Exception {
        Files.writeString(file, """
                /* As in the files that come with DOCA: with comments. */
                {
                    "doca_general_flags": {
                        // INFO
                        "log-level": 50,
                        "sdk-log-level": 40
                    },
                    "doca_program_flags": {
                        "pci-addr": "03:00.0",
                        "text": "-p @ = grüße",
                        "num-src-buf": 3,
                        "num-dst-buf": 2,
                    }
                }
                """);

        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString());

        assertThat(result.outLog()).contains("INF Memory content: -p @ = grüße").endsWith(DmaLocalCopyTest.SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void acceptsTheNamesOfFlagsInTheGuides() throws Exception {
        Files.writeString(file, """
                {"doca_program_flags": {"pci_addr": "03:00.0", "text": "--pci_addr"}}
                """);

        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString());

        assertThat(result.outLog()).contains("INF Memory content: --pci_addr").endsWith(DmaLocalCopyTest.SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void readsNumbersThatNeedNotBeGiven() throws Exception {
        Files.writeString(file, """
                {"doca_program_flags": {"device": "", "gid-index": -1}}
                """);

        Result result = SampleProcess.onEmulator().runShared("rdma_send", "-j", file.toString());

        assertThat(result.errLog()).containsExactly("ERR GID index for DOCA RDMA must be non-negative: -1");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void appliesTheLogLevelsOfTheFile() throws Exception {
        Files.writeString(file, "{\"doca_general_flags\": {\"log-level\": 40}}");

        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "--json", file.toString());

        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``                                            | it is empty
                    {                                             | it is not valid JSON: it ends too early
                    {"doca_program_flags": {"text": "a" "b"}}     | it is not valid JSON: Unexpected character ('"' (code 34)): was expecting comma to separate Object entries (line 1, column 37)
                    {} {}                                         | it is not valid JSON: more follows the closing brace
                    []                                            | the file must hold an object
                    {"doca_program_flags": 1}                     | "doca_program_flags" must hold an object
                    {"doca_dpdk_flags": {}}                       | "doca_dpdk_flags" is not known in the file; known are doca_general_flags, doca_program_flags
                    {"doca_program_flags": {"txt": "a"}}          | "txt" is not known in "doca_program_flags"; known are pci-addr, text, num-src-buf, num-dst-buf
                    {"doca_program_flags": {"log-level": 50}}     | "log-level" is not known in "doca_program_flags"; known are pci-addr, text, num-src-buf, num-dst-buf
                    {"doca_general_flags": {"json": "a"}}         | "json" is not known in "doca_general_flags"; known are log-level, sdk-log-level
                    {"doca_general_flags": {"log-level": "50"}}   | "log-level" must be an integer
                    {"doca_program_flags": {"num-src-buf": 1.5}}  | "num-src-buf" must be an integer
                    {"doca_program_flags": {"text": 1}}           | "text" must be a string
                    {"doca_program_flags": {"text": null}}        | "text" must be a string
                    {"doca_program_flags": {"num-src-buf": 0}}    | Invalid value for option '--num-src-buf': '0' is not a whole number from 1 to 2147483647
                    """)
    void refusesMistakesInOneLine(String content, String message) throws Exception {
        Files.writeString(file, content);

        assertRefused(message, SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString()));
    }

    @Test
    void takesSwitchesAsTrueOrFalse() throws Exception {
        Files.writeString(file, "{\"doca_program_flags\": {\"force\": \"yes\"}}");

        Result result = SampleProcess.onEmulator().runShared("dma_file_copy_dpu", "output", "-j", file.toString());

        assertThat(result.err())
                .containsExactly(
                        "sample dma_file_copy_dpu: " + file + ": \"force\" must be true or false (see --help)");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void refusesAFlagGivenTwiceInTheFile() throws Exception {
        Files.writeString(file, "{\"doca_program_flags\": {\"text\": \"a\", \"text\": \"b\"}}");

        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString());

        assertThat(result.err())
                .singleElement()
                .asString()
                .contains("it is not valid JSON: Duplicate key (key 'text')");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void refusesAFileThatIsNotThere() throws Exception {
        assertRefused(
                "there is no such file", SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString()));
    }

    @Test
    void refusesAFolder() throws Exception {
        Files.createDirectory(file);

        assertRefused(
                "it cannot be read: Is a directory",
                SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString()));
    }

    @Test
    void refusesOtherFlagsBesideTheFile() throws Exception {
        Files.writeString(file, "{}");

        Result result =
                SampleProcess.onEmulator().runShared("dma_local_copy", "-j", file.toString(), "-t", "a", "-l", "60");

        assertThat(result.err())
                .containsExactly("sample dma_local_copy: --json replaces all other flags; leave out --text, --log-level"
                        + " (see --help)");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    private void assertRefused(String message, Result result) {
        assertThat(result.err()).containsExactly("sample dma_local_copy: " + file + ": " + message + " (see --help)");
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(1);
    }
}
