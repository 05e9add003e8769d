/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the samples of the progress engine, on both engines of the emulator. */
class ProgressEngineSamplesTest {

    private static final String CONTEXT = "CTX DMA context on 0000:03:00.0 (mlx5_0) state changed from ";

    private static final String REFUSAL = "INF A copy to a range that is too short is refused: A copy of 1024 bytes"
            + " does not fit into a target of 1 bytes";

    private static final List<String> COMPLETIONS = IntStream.rangeClosed(1, 255)
            .mapToObj(value -> "INF Task completed (expected value = " + value + ")")
            .toList();

    /** All samples except pe_task_error, which fails on purpose. */
    private static final List<String> SAMPLES = List.of(
            "pe_polling", "pe_event", "pe_multi_context", "pe_reactive", "pe_task_resubmit", "pe_async_stop", "graph");

    private static List<String> log(String sample, String engine) throws Exception {
        Result result =
                SampleProcess.onEmulator().with("DOCA_EMULATOR_ENGINE", engine).runShared(sample);
        assertThat(result.errLog()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return result.outLog();
    }

    /** Returns the errors of the sample, without those of the SDK about the injected failures. */
    private static List<String> ownErrors(Result result) {
        return result.errLog().stream()
                .filter(line -> !line.startsWith("ERR DMA "))
                .toList();
    }

    private static long count(List<String> log, String line) {
        return log.stream().filter(line::equals).count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void runsGraphs(String engine) throws Exception {
        List<String> log = log("graph", engine);
        assertThat(log)
                .filteredOn(line -> !line.endsWith(" user callback"))
                .containsExactly(
                        "INF Starting the sample",
                        "INF Creating graph",
                        "INF Creating graph instances",
                        "INF Submitting all graph instances",
                        "INF Waiting until all instances are complete",
                        "INF All instances completed",
                        "INF Sample finished successfully");
        assertThat(log)
                .filteredOn(line -> line.endsWith(" user callback"))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 10)
                        .mapToObj(i -> "INF Instance " + i + " user callback")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void polls(String engine) throws Exception {
        assertThat(log("pe_polling", engine))
                .containsExactly(
                        "INF Starting the sample",
                        "INF Submitting tasks",
                        "INF Polling until all tasks are completed",
                        "INF All tasks are completed",
                        "INF All 16 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void sleepsUntilThereAreEvents(String engine) throws Exception {
        assertThat(log("pe_event", engine))
                .containsExactly(
                        "INF Starting the sample",
                        "INF Registering PE event",
                        "INF Submitting tasks",
                        "INF Running until all tasks are complete",
                        "INF All tasks completed",
                        "INF All 16 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void drivesManyContexts(String engine) throws Exception {
        assertThat(log("pe_multi_context", engine))
                .containsExactly(
                        "INF Starting the sample",
                        "INF Submitting 16 tasks to each of 4 contexts",
                        "INF Polling until all tasks are completed",
                        "INF All tasks are completed",
                        "INF All 64 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void worksInCallbacksAlone(String engine) throws Exception {
        assertThat(log("pe_reactive", engine))
                .containsExactly(
                        "INF Starting the sample",
                        "INF DMA context is running. Submitting tasks",
                        "INF Polling until all tasks are completed",
                        "INF All tasks have completed. Stopping context",
                        "INF DMA context has been stopped. Destroying context",
                        "INF All 16 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void submitsTasksAgain(String engine) throws Exception {
        List<String> log = log("pe_task_resubmit", engine);

        // The device decides which task completes first; the buffers are used in order.
        List<String> withoutTasks = log.stream()
                .map(line -> line.replaceFirst("INF Task [0-3] ", "INF Task "))
                .toList();
        assertThat(withoutTasks.subList(1, 6))
                .containsExactly(
                        "INF Task allocated with buffers index 0",
                        "INF Task allocated with buffers index 1",
                        "INF Task allocated with buffers index 2",
                        "INF Task allocated with buffers index 3",
                        "INF Polling until all tasks are completed");
        assertThat(withoutTasks.subList(6, 18))
                .containsExactlyElementsOf(IntStream.range(4, 16)
                        .mapToObj(index -> "INF Task resubmitting with buffers index " + index)
                        .toList());
        assertThat(withoutTasks.subList(18, withoutTasks.size()))
                .containsExactly(
                        "INF All tasks are completed",
                        "INF All 16 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS);
    }

    @Test
    void flushesWhatIsInFlightWhenItStops() throws Exception {
        assertThat(log("pe_async_stop", "inline")).contains("INF 8 copies are verified as correct, 8 were flushed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void stopsInTheMiddle(String engine) throws Exception {
        List<String> log = log("pe_async_stop", engine);

        int stop = log.indexOf("INF Stopping DMA in the middle");
        assertThat(log.subList(0, stop))
                .startsWith(
                        "INF Starting the sample",
                        "INF " + CONTEXT + "idle to running",
                        "INF Submitting tasks",
                        "INF Polling until all tasks are completed and the context is idle")
                .hasSize(4 + 8);
        assertThat(log.subList(4, stop)).allMatch(line -> line.matches("INF Task \\d+ completed successfully"));
        // The other tasks end in either way, before or after the context reports that it is stopping.
        List<String> rest = log.subList(stop + 1, log.size() - 3);
        assertThat(rest)
                .contains("INF " + CONTEXT + "running to stopping")
                .allMatch(line -> line.endsWith("running to stopping")
                        || line.equals("INF Task flushed with status IO_FAILED")
                        || line.matches("INF Task \\d+ completed successfully"))
                .hasSize(1 + 8);
        long flushed = count(rest, "INF Task flushed with status IO_FAILED");
        assertThat(log.subList(log.size() - 3, log.size()))
                .containsExactly(
                        "INF " + CONTEXT + "stopping to idle",
                        "INF " + (16 - flushed) + " copies are verified as correct, " + flushed + " were flushed",
                        DmaLocalCopyTest.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "threaded"})
    void recoversFromAFailure(String engine) throws Exception {
        Result result =
                SampleProcess.onEmulator().with("DOCA_EMULATOR_ENGINE", engine).runShared("pe_task_error");

        Pattern failure =
                Pattern.compile("ERR Task failed along with another with status IO_FAILED \\(expected value = \\d+\\)");
        String rootCause = "ERR Task failed by itself with status IO_FAILED (expected value = 3)";
        List<String> failures = ownErrors(result);
        assertThat(failures)
                .contains(rootCause)
                .allMatch(
                        line -> line.equals(rootCause) || failure.matcher(line).matches());
        int failed = failures.size();
        assertThat(result.outLog())
                .containsSubsequence(
                        "INF Starting the sample",
                        "INF " + CONTEXT + "idle to running",
                        REFUSAL,
                        "INF Submitting tasks",
                        "INF Polling until all tasks are completed",
                        "INF " + CONTEXT + "running to stopping",
                        "INF CTX moved to stopping state unexpectedly",
                        "INF " + CONTEXT + "stopping to idle",
                        "INF " + CONTEXT + "idle to running",
                        "INF Submitting " + failed + " tasks again",
                        "INF Task completed (expected value = 3)",
                        "INF All 255 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS)
                .containsAll(COMPLETIONS)
                .anyMatch(line -> line.startsWith("INF Restarting the context, which stopped after: "));
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void recoversFromAFailureThatStopsNothing() throws Exception {
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_FAULTS", "fail-task=5:AGAIN")
                .run("pe_task_error");

        assertThat(ownErrors(result))
                .containsExactly("ERR Task failed by itself with status AGAIN (expected value = 5)");
        assertThat(result.outLog())
                .containsSubsequence(
                        "INF All tasks are completed",
                        "INF The context is still running",
                        "INF Submitting 1 tasks again",
                        "INF Task completed (expected value = 5)",
                        "INF All 255 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS)
                .containsAll(COMPLETIONS);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void hasNothingToGetOverWhereNoTaskFails() throws Exception {
        // Other faults replace the sample's own fault, as if the device had none.
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_FAULTS", "fail-task=1000:IO_FAILED")
                .run("pe_task_error");

        assertThat(result.errLog()).isEmpty();
        assertThat(result.outLog())
                .containsSubsequence(
                        REFUSAL,
                        "INF All tasks are completed",
                        "INF The device made all copies, so that there is nothing to get over",
                        "INF All 255 copies are verified as correct",
                        DmaLocalCopyTest.SUCCESS)
                .containsAll(COMPLETIONS)
                .doesNotContain("INF CTX moved to stopping state unexpectedly");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void failsWhenACopyFailsAgain() throws Exception {
        // Two of the 255 tasks complete before the third one fails and aborts the others, which are submitted again.
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_FAULTS", "fail-task=3:IO_FAILED,fail-task=256:IO_FAILED")
                .run("pe_task_error");

        assertThat(result.errLog()).endsWith("ERR 253 tasks failed again");
        assertThat(result.outLog()).endsWith("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private static List<String> samplesWithoutGraph() {
        return SAMPLES.stream().filter(sample -> !sample.equals("graph")).toList();
    }

    @ParameterizedTest
    @MethodSource("samplesWithoutGraph")
    void failWhenATaskFails(String sample) throws Exception {
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_FAULTS", "fail-task=1:IO_FAILED")
                .runShared(sample);

        assertThat(result.outLog()).endsWith("INF Sample finished with errors");
        assertThat(result.errLog()).isNotEmpty().allMatch(line -> line.startsWith("ERR "));
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void aGraphFailsWhenATaskFails() throws Exception {
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_FAULTS", "fail-task=1:IO_FAILED")
                .runShared("graph");

        assertThat(result.errLog())
                .allMatch(line -> line.startsWith("ERR "))
                .last()
                .asString()
                .startsWith("ERR GraphInstance 0 of the Graph of 3 nodes failed at node ");
        assertThat(result.outLog()).endsWith("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void stopsInTheMiddleOfFailures() throws Exception {
        String faults = IntStream.rangeClosed(1, 16)
                .mapToObj(task -> "fail-task=" + task + ":AGAIN")
                .collect(Collectors.joining(","));
        Result result =
                SampleProcess.onEmulator().with("DOCA_EMULATOR_FAULTS", faults).runShared("pe_async_stop");

        assertThat(ownErrors(result))
                .endsWith("ERR 8 tasks failed before the stop")
                .hasSize(8 + 1)
                .allMatch(line -> line.equals("ERR Task failed with status AGAIN")
                        || line.equals("ERR 8 tasks failed before the stop"));
        assertThat(result.outLog()).contains("INF Stopping DMA in the middle", "INF " + CONTEXT + "stopping to idle");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "pe_async_stop, inline",
        "pe_async_stop, threaded",
        "pe_task_resubmit, inline",
        "pe_task_resubmit, threaded"
    })
    void submitNothingToAContextThatStoppedUnrequested(String sample, String engine) throws Exception {
        // The first tasks are copied before the fifth one fails; the context is stopping when their callbacks run.
        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_ENGINE", engine)
                .with("DOCA_EMULATOR_FAULTS", "fail-task=5:IO_FAILED")
                .runShared(sample);

        assertThat(result.errLog())
                .anyMatch(line -> line.endsWith(" failed with status IO_FAILED"))
                .noneMatch(line -> line.contains("A callback failed"));
        assertThat(result.outLog()).endsWith("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void failWithoutADeviceThatCopies(String sample, @TempDir Path folder) throws Exception {
        Path topology = Files.writeString(folder.resolve("no-dma.topology"), """
                [dpu mlx5_0]
                pci = 03:00.0
                dma = no
                """);

        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                .runShared(sample);

        assertThat(result.errLog())
                .containsExactly(
                        "ERR No DOCA device with support for DMA copies; this machine has 0000:03:00.0 (mlx5_0)");
        assertThat(result.outLog()).containsExactly("INF Starting the sample", "INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }
}
