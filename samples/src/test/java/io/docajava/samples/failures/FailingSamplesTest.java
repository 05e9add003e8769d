/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.Launcher;
import io.docajava.samples.cli.SampleRunner;
import io.docajava.testing.Await;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the samples with a failure of their n-th call into DOCA, as {@link FailingRun#ofEachCall} does. {@code -Pfull} fails all calls,
 * a usual build some.
 */
@NeedsEmulator
@Isolated("faults are those of the whole process")
@Timeout(600)
class FailingSamplesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dma_local_copy",
                "pe_polling",
                "pe_event",
                "pe_multi_context",
                "pe_reactive",
                "pe_task_resubmit",
                "pe_async_stop",
                "graph"
            })
    void namesTheFailedCall(String sample) throws Exception {
        FailingRun.ofEachCall(sample, () -> run(sample), FullTests.amount(13, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "rdma_receive, rdma_send",
        "rdma_receive_immediate, rdma_send_immediate",
        "rdma_read_responder, rdma_read_requester",
        "rdma_write_responder, rdma_write_requester",
        "rdma_write_immediate_responder, rdma_write_immediate_requester",
        "rdma_sync_event_responder, rdma_sync_event_requester",
        "rdma_multi_conn_receive, rdma_multi_conn_send"
    })
    void oneOfTwoNamesTheFailedCallAndTheOtherEnds(String first, String second) throws Exception {
        String place = "unix:" + folder.resolve("meeting");
        FailingRun.ofEachCall(
                second,
                () -> runBoth(
                        List.of(first, "-d", "mlx5_0", "--exchange", place),
                        List.of(second, "-d", "mlx5_1", "--exchange", place)),
                FullTests.amount(41, 1));
    }

    @Test
    void aRefusedLevelOfTheLogEndsASample() throws Exception {
        // The first run loads the libraries.
        assertThat(FailingRun.of(() -> run("dma_local_copy"), Integer.MAX_VALUE).exitCode())
                .isZero();
        FailingRun run = FailingRun.of(() -> run("dma_local_copy"), 1);
        assertThat(run.failedCall()).contains("doca_log_backend_set_sdk_level");
        assertThat(run.exitCode()).isOne();
        assertThat(run.records())
                .hasSize(2)
                .contains("Sample finished with errors")
                .anyMatch(
                        record -> record.startsWith("Setting the level of the SDK's log: doca_log_backend_set_sdk_level"
                                + " failed with DOCA_ERROR_DRIVER"));
    }

    private static int run(String... arguments) {
        return new SampleRunner(Launcher.class).run(arguments);
    }

    /**
     * Runs two samples that work with each other. If the first one to end has failed, interrupts the other one. Returns the larger exit
     * code.
     */
    private static int runBoth(List<String> first, List<String> second) throws Exception {
        CompletableFuture<Integer> firstEnd = new CompletableFuture<>();
        CompletableFuture<Integer> secondEnd = new CompletableFuture<>();
        List<Thread> threads = List.of(begin(first, firstEnd), begin(second, secondEnd));
        if (!Integer.valueOf(0)
                .equals(Await.result(CompletableFuture.anyOf(firstEnd, secondEnd), "the end of a side"))) {
            threads.forEach(Thread::interrupt);
        }
        return Math.max(Await.result(firstEnd, "the end of " + first), Await.result(secondEnd, "the end of " + second));
    }

    private static Thread begin(List<String> arguments, CompletableFuture<Integer> exitCode) {
        return Thread.ofPlatform()
                .name(arguments.getFirst())
                .start(() -> exitCode.complete(run(arguments.toArray(String[]::new))));
    }
}
