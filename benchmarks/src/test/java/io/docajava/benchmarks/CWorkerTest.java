/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The worker in C answers each command with a count and a time. */
@Timeout(600)
@SuppressWarnings("NullAway.Init") // JUnit calls start() before all else
class CWorkerTest {

    private static final long MILLISECOND = 1_000_000;

    private static CWorker dpu;
    private static CWorker host;

    @BeforeAll
    static void start() throws IOException {
        dpu = CWorker.start("dpu");
        host = CWorker.start("host");
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        try (CWorker first = dpu;
                CWorker second = host) {
            assertThat(first.end()).isZero();
            assertThat(second.end()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dma",
                "dma_single",
                "drain",
                "pull",
                "push",
                "buf",
                "buf_reuse",
                "task",
                "import",
                "device_open",
                "rdma_write",
                "rdma_read",
                "rdma_send"
            })
    void measuresOnTheDpu(String name) throws IOException {
        measures(dpu, name, 64, 1);
        measures(dpu, name, 64, 32);
        measures(dpu, name, 4096, 1);
        measures(dpu, name, 4096, 32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"export", "dma", "pull", "device_open"})
    void measuresOnTheHost(String name) throws IOException {
        measures(host, name, 64, 1);
        measures(host, name, 4096, 32);
    }

    @Test
    void takesMoreTimeOnRequest() throws IOException {
        Answer once = measures(dpu, "dma", 64, 32);
        Answer again = Answer.of(dpu, "dma 64 32 " + 20 * MILLISECOND);

        assertThat(again.nanos()).isGreaterThanOrEqualTo(20 * MILLISECOND);
        assertThat(once.operations() % 32).isZero();
        assertThat(again.operations() % 32).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "copy 64 1 1000, error unknown case",
        "'', error expected CASE SIZE DEPTH NANOS",
        "dma, error SIZE must be 1 to 1073741824",
        "dma 0 1 1000, error SIZE must be 1 to 1073741824",
        "dma 1073741825 1 1000, error SIZE must be 1 to 1073741824",
        "dma 64 -1 1000, error DEPTH must be 1 to 65536",
        "dma 64 65537 1000, error DEPTH must be 1 to 65536",
        "dma 64 1, error NANOS must be 1 to 3600000000000",
        "dma 64 1 99999999999999999999, error NANOS must be 1 to 3600000000000",
        "dma 64 1 1000 1, error more than CASE SIZE DEPTH NANOS",
    })
    void refusesAnUnknownCommandAndContinues(String command, String answer) throws IOException {
        assertThat(dpu.ask(command)).isEqualTo(answer);
        measures(dpu, "dma", 64, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // more than a task may copy
                "dma 2097153 1 1000; error submit_with_flags(copies->copies[last].task, DOCA_TASK_SUBMIT_FLAG_FLUSH): Invalid input",
                "dma_single 2097153 1 1000; error doca_task_submit(copies->copies[copies->num_inflight].task): Invalid input",
            })
    void endsWithAFailureOfTheSdk(String command, String answer) throws IOException, InterruptedException {
        try (CWorker worker = CWorker.start("dpu")) {
            assertThat(worker.ask(command)).isEqualTo(answer);
            assertThat(worker.end()).isEqualTo(1);
        }
    }

    private static Answer measures(CWorker worker, String name, int size, int depth) throws IOException {
        Answer answer = Answer.of(worker, name + " " + size + " " + depth + " " + MILLISECOND);
        assertThat(answer.nanos()).isGreaterThanOrEqualTo(MILLISECOND);
        assertThat(answer.operations()).isPositive();
        return answer;
    }

    private record Answer(long operations, long nanos) {

        static Answer of(CWorker worker, String command) throws IOException {
            String answer = Objects.requireNonNull(worker.ask(command), "the worker has ended");
            assertThat(answer).as(command).matches("\\d+ \\d+");
            int blank = answer.indexOf(' ');
            return new Answer(Long.parseLong(answer.substring(0, blank)), Long.parseLong(answer.substring(blank + 1)));
        }
    }
}
