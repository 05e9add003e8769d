/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the common parts of all samples: help, versions, errors on the command line, log levels, native access. */
class LauncherTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "-h", "--help"})
    void listsTheSamples(String argument) throws Exception {
        Result result = argument.isEmpty()
                ? SampleProcess.onEmulator().run()
                : SampleProcess.onEmulator().runShared(argument);

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("Usage: sample [-h] <sample>").contains("Samples:");
        assertThat(result.out())
                .filteredOn(line -> line.matches("  [a-z_]+  .*"))
                .extracting(line -> line.strip().replaceFirst(" .*", ""))
                .containsExactly(
                        "dma_local_copy",
                        "dma_copy_host",
                        "dma_copy_dpu",
                        "dma_file_copy_host",
                        "dma_file_copy_dpu",
                        "pe_polling",
                        "pe_event",
                        "pe_multi_context",
                        "pe_reactive",
                        "pe_task_resubmit",
                        "pe_task_error",
                        "pe_async_stop",
                        "graph",
                        "sync_event_local_pci",
                        "sync_event_remote_pci",
                        "rdma_send",
                        "rdma_receive",
                        "rdma_send_immediate",
                        "rdma_receive_immediate",
                        "rdma_read_requester",
                        "rdma_read_responder",
                        "rdma_write_requester",
                        "rdma_write_responder",
                        "rdma_write_immediate_requester",
                        "rdma_write_immediate_responder",
                        "rdma_sync_event_requester",
                        "rdma_sync_event_responder",
                        "rdma_multi_conn_send",
                        "rdma_multi_conn_receive",
                        "rdma_atomic",
                        "rdma_perf",
                        "doctor",
                        "acceptance");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void listsTheFlagsOfASample(String argument) throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", argument);

        assertThat(result.err()).isEmpty();
        assertThat(String.join("\n", result.out()))
                .startsWith("Usage: sample dma_local_copy ")
                .contains("-p, --pci-addr=<address>", "by default 03:00.0")
                .contains("-t, --text=<text>", "-ns, --num-src-buf=<number>", "-nd, --num-dst-buf=<number>")
                .contains("-h, --help", "-v, --version", "-j, --json=<file>")
                .contains("-l, --log-level=<level>", "by default 50")
                .contains("--sdk-log-level=<level>", "by default 40");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void listsTheFlagsOfAllProgramsAndOfTheSampleUnderTwoHeadings() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("rdma_receive", "-h");

        String help = String.join("\n", result.out());
        assertThat(help)
                .containsSubsequence(
                        "\n\nDOCA Flags:\n",
                        "-h, --help",
                        "--json=<file>",
                        "\n\nProgram Flags:\n",
                        "--device=<IB device name>",
                        "--remote-resource-descriptor-path")
                .doesNotContain("--mmap-descriptor-path");
        assertThat(help.split("--help", -1)).hasSize(2);
    }

    /** The command lines of the guides and of earlier releases. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dma_local_copy --pci_addr 03:00.0 -t --pci_addr",
                "dma_local_copy --pci_addr=03:00.0 --text=--pci_addr",
            })
    void acceptsTheNamesOfFlagsInTheGuides(String arguments) throws Exception {
        Result result = SampleProcess.onEmulator().runShared(arguments.split(" "));

        assertThat(result.errLog()).isEmpty();
        assertThat(result.outLog()).contains("INF Memory content: --pci_addr").endsWith(DmaLocalCopyTest.SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void acceptsTheNamesOfEarlierReleases() throws Exception {
        Result readResponder =
                SampleProcess.onEmulator().runShared("rdma_read_responder", "--mmap-descriptor-path", "a", "-g", "-1");
        assertThat(readResponder.errLog()).containsExactly("ERR GID index for DOCA RDMA must be non-negative: -1");

        Result event = SampleProcess.onEmulator()
                .runShared("sync_event_host", "--dev-pci-addr", "03:00.0", "--qdepth", "2", "--async");
        assertThat(event.errLog())
                .containsExactly("ERR On the DPU, --rep-pci is needed: the PCI address of the host's device");

        Result other = SampleProcess.onHost()
                .runShared("sync_event_dpu", "--dev-pci-addr", "0b:00.0", "--rep-pci-addr", "0b:00.0");
        assertThat(other.errLog()).singleElement().asString().startsWith("ERR --rep-pci is for the DPU, and ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-v", "--version"})
    void namesTheVersionsOfProgramAndLibraries(String argument) throws Exception {
        Result result = SampleProcess.onEmulator().runShared("dma_local_copy", argument);

        assertThat(result.out()).hasSize(2);
        assertThat(result.out().get(0)).matches("doca-java version: \\d+\\.\\d+\\.\\d+\\S*");
        assertThat(result.out().get(1)).matches("DOCA runtime version: \\d+\\.\\d+\\.\\d+\\S* \\(emulator\\)");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void namesItsOwnVersionWhereThereAreNoLibraries(@TempDir Path folder) throws Exception {
        Result result = SampleProcess.onEmulator()
                .with("DOCA_LIBRARY_PATH", folder.resolve("missing").toString())
                .run("dma_local_copy", "-v");

        assertThat(result.out().get(0)).startsWith("doca-java version: ");
        assertThat(result.out().get(1)).startsWith("DOCA runtime version: none: ");
        assertThat(result.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    no_such_sample             | sample: There is no sample 'no_such_sample'
                    --version                  | sample: Unknown option: '--version'
                    dma_local_copy -x          | sample dma_local_copy: Unknown option: '-x'
                    dma_local_copy extra       | sample dma_local_copy: Unmatched argument at index 1: 'extra'
                    dma_local_copy -t          | sample dma_local_copy: Missing required parameter for option '--text' (<text>)
                    dma_local_copy -t a -t b   | sample dma_local_copy: option '--text' (<text>) should be specified only once
                    dma_local_copy -p          | sample dma_local_copy: Missing required parameter for option '--pci-addr' (<address>)
                    dma_local_copy -ns 0       | sample dma_local_copy: Invalid value for option '--num-src-buf': '0' is not a whole number from 1 to 2147483647
                    dma_local_copy -nd -1      | sample dma_local_copy: Invalid value for option '--num-dst-buf': '-1' is not a whole number from 1 to 2147483647
                    dma_local_copy -nd two     | sample dma_local_copy: Invalid value for option '--num-dst-buf': 'two' is not a whole number from 1 to 2147483647
                    dma_file_copy_host         | sample dma_file_copy_host: Missing required parameter: '<file>'
                    dma_file_copy_dpu a b      | sample dma_file_copy_dpu: Unmatched argument at index 2: 'b'
                    dma_file_copy_dpu a --timeout 0     | sample dma_file_copy_dpu: Invalid value for option '--timeout': '0' is not a whole number of seconds from 1 to 86400
                    dma_file_copy_host a --slot-size 1T | sample dma_file_copy_host: Invalid value for option '--slot-size': '1T' is not a number of bytes, which is from 1 to 999999999, or that with K, M or G, such as 64K
                    dma_local_copy -l 55       | sample dma_local_copy: Invalid value for option '--log-level': '55' is none of 10=DISABLE, 20=CRIT, 30=ERROR, 40=WARNING, 50=INFO, 60=DEBUG, 70=TRACE
                    sync_event_local_pci       | sample sync_event_local_pci: Missing required option: '--pci-addr=<address>'
                    dma_local_copy --qdepth 1  | sample dma_local_copy: Unknown options: '--qdepth', '1'
                    dma_local_copy --pci_addr=x | sample dma_local_copy: Invalid value for option '--pci-addr': Not a PCI address: "x"; it is written like 03:00.0 or 0000:03:00.0
                    rdma_send -d x -tt UD      | sample rdma_send: Invalid value for option '--transport-type': 'UD' is none of RC and DC
                    rdma_send -d x -sat mac    | sample rdma_send: Invalid value for option '--server-addr-type': 'mac' is none of ip4, ipv4, ip6, ipv6 and gid
                    rdma_send -d x -lp 0       | sample rdma_send: Invalid value for option '--listen-port': '0' is not a port, which is a number from 1 to 65535
                    rdma_perf -d x -o copy     | sample rdma_perf: Invalid value for option '--operation' (<operation>): 'copy' is none of write, read and send
                    rdma_send -d x --exchange here   | sample rdma_send: Invalid value for option '--exchange': "here" is not an address: use host:port, [IPv6]:port or :port, with a port from 1 to 65535, or unix:path
                    rdma_receive -d x -s text  | sample rdma_receive: Unknown options: '-s', 'text'
                    dma_local_copy --sdk-log-level INFO | sample dma_local_copy: Invalid value for option '--sdk-log-level': 'INFO' is none of 10=DISABLE, 20=CRIT, 30=ERROR, 40=WARNING, 50=INFO, 60=DEBUG, 70=TRACE
                    """)
    void refusesMistakesInOneLine(String arguments, String message) throws Exception {
        Result result = SampleProcess.onEmulator().runShared(arguments.split(" "));

        assertThat(result.err()).containsExactly(message + " (see --help)");
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
