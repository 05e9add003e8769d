/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Runs the command lines that the README and the pages below {@code docs} print, each beside its counterpart. Only the files, and the
 * ports of the machine, are replaced by some that no other test uses.
 */
class GuideSessionsTest {

    /** The command lines of samples without a counterpart. */
    private static final List<String> ALONE = List.of(
            "dma_local_copy",
            "dma_local_copy -p 03:00.0 -t \"some text\"",
            "dma_local_copy -t \"some text\"",
            "doctor",
            "graph");

    private static final String COPY_HOST = "dma_copy_host -p 0b:00.0 -t \"some text\"";
    private static final String COPY_DPU = "dma_copy_dpu";
    private static final String FILE_HOST = "dma_file_copy_host README.md";
    private static final String FILE_DPU = "dma_file_copy_dpu /tmp/README.copy";
    private static final String READ_RESPONDER =
            "rdma_read_responder -d mlx5_0 -r \"some text\" --exchange localhost:18515";
    private static final String READ_REQUESTER = "rdma_read_requester -d mlx5_0 --exchange localhost:18515";
    private static final String COUNTER = "rdma_atomic -d mlx5_0 -nc 2";
    private static final String COUNTING = "rdma_atomic -d mlx5_0 -sa 127.0.0.1";
    private static final String EVENT_REMOTE = "sync_event_remote_pci -d 03:00.0 -r 0b:00.0";
    private static final String EVENT_LOCAL = "sync_event_local_pci -d 0b:00.0";

    @TempDir
    private Path folder;

    @Test
    void theseAreAllCommandLinesOfTheGuides() throws Exception {
        TreeSet<String> run = new TreeSet<>(ALONE);
        run.addAll(List.of(COPY_HOST, COPY_DPU, FILE_HOST, FILE_DPU, READ_RESPONDER, READ_REQUESTER));
        run.addAll(List.of(COUNTER, COUNTING, EVENT_REMOTE, EVENT_LOCAL));
        assertThat(run).containsExactlyElementsOf(GuideCommandLinesTest.commandLines());
    }

    /** Returns the arguments of a command line, with more of them behind. */
    private String[] arguments(String line, String... more) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String argument : GuideCommandLinesTest.arguments(line)) {
            arguments.add(argument.replace("/tmp", folder.toString()).replace("README.md", readme().toString()));
        }
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private static Path readme() {
        return GuideCommandLinesTest.ROOT.resolve("README.md");
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    private static void assertDone(Result result) {
        assertThat(result.errLog()).isEmpty();
        assertThat(result.outLog()).last().isEqualTo(DmaLocalCopyTest.SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @FieldSource("ALONE")
    void runsAlone(String line) throws Exception {
        Result result = SampleProcess.onEmulator().runShared(arguments(line));

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        if (!line.equals("doctor")) {
            assertDone(result);
        }
    }

    @Test
    void copiesATextFromTheHostToTheDpu() throws Exception {
        String[] files = {"-d", file("descriptor"), "-b", file("buffer-info")};
        try (SharedRun host = SampleProcess.onHost()
                .beginShared(arguments(COPY_HOST, files))
                .awaitOut("Wait till the DPU has finished and press enter")) {
            Result dpu = SampleProcess.onEmulator().runShared(arguments(COPY_DPU, files));

            assertThat(dpu.outLog()).contains("INF Memory content: some text");
            assertDone(dpu);
            host.type("\r");
            assertThat(host.end().exitCode()).isZero();
        }
    }

    @Test
    void copiesAFileFromTheHostToTheDpu() throws Exception {
        String[] export = {"-x", file("export")};
        try (SharedRun host = SampleProcess.onHost()
                .beginShared(arguments(FILE_HOST, export))
                .awaitOut("run there: dma_file_copy_dpu <output>")) {
            assertDone(SampleProcess.onEmulator().runShared(arguments(FILE_DPU, export)));
            assertDone(host.end());
        }
        assertThat(folder.resolve("README.copy")).hasSameBinaryContentAs(readme());
    }

    @Test
    void readsATextFromTheResponder() throws Exception {
        String address = "localhost:" + freePort();
        try (SharedRun responder = SampleProcess.onEmulator()
                .beginShared(arguments(READ_RESPONDER.replace("localhost:18515", address)))
                .awaitOut("RDMA context is running")) {
            Result requester =
                    SampleProcess.onEmulator().runShared(arguments(READ_REQUESTER.replace("localhost:18515", address)));

            assertThat(requester.outLog()).anyMatch(line -> line.contains("some text"));
            assertDone(requester);
            assertDone(responder.end());
        }
    }

    @Test
    void countsByTwoClients() throws Exception {
        String[] port = {"-lp", freePort()};
        try (SharedRun counter = SampleProcess.onEmulator()
                        .beginShared(arguments(COUNTER, port))
                        .awaitOut("Waiting for 2 clients at port " + port[1]);
                SharedRun first = SampleProcess.onEmulator().beginShared(arguments(COUNTING, port));
                SharedRun second = SampleProcess.onEmulator().beginShared(arguments(COUNTING, port))) {
            assertDone(first.end());
            assertDone(second.end());
            assertDone(counter.end());
        }
    }

    @Test
    void signalsASyncEventAcrossThePciBus() throws Exception {
        String variable = "DOCA_EMULATOR_RUNTIME_DIR";
        try (SharedRun remote = SampleProcess.onEmulator()
                .with(variable, folder.toString())
                .beginShared(arguments(EVENT_REMOTE))
                .awaitOut("Waiting for connection from host")) {
            assertDone(SampleProcess.onHost().with(variable, folder.toString()).runShared(arguments(EVENT_LOCAL)));
            assertDone(remote.end());
        }
    }
}
