/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.samples.SampleProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests RDMA samples in two processes that exchange their descriptors. */
class RdmaExchangeTest {

    @TempDir
    private Path folder;

    private FutureTask<Result> inBackground(Callable<Result> work) {
        FutureTask<Result> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    private List<String> flags(String sample, String device, List<String> more) {
        String place = "unix:" + folder.resolve("meeting");
        return concat(List.of(sample, "-d", device, "--exchange", place, "--timeout", "20"), more);
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** The log of the requester of a sync event. */
    static final List<String> SYNC_EVENT_REQUESTER = List.of(
            "INF Signaling remote sync event",
            "INF RDMA remote net sync event notify set was done successfully",
            "INF Remote sync event has been signaled successfully, now waiting for remote sync event to be signaled",
            "INF RDMA remote net sync event get was done successfully",
            "INF Received sync event value 0xD0CB",
            "INF Notifying remote sync event for completion",
            "INF RDMA remote net sync event notify set was done successfully",
            "INF Remote sync event has been notified for completion successfully");

    private List<Result> runBoth(List<String> first, List<String> second) throws Exception {
        return runBoth(CProgram.NEWEST, first, second);
    }

    private List<Result> runBoth(String release, List<String> first, List<String> second) throws Exception {
        return runBoth(SampleProcess.onRelease(release), first, second);
    }

    private List<Result> runBoth(SampleProcess process, List<String> first, List<String> second) throws Exception {
        FutureTask<Result> other = inBackground(() -> process.runShared(first.toArray(String[]::new)));
        Result result = process.runShared(second.toArray(String[]::new));
        return List.of(other.get(), result);
    }

    /** Runs the first side once the second one is ready, so that a short timeout of the first side does not begin too soon. */
    private static List<Result> runBothWithSecondReady(List<String> first, List<String> second) throws Exception {
        SharedJvm ofFirst = SampleProcess.onEmulator().takeShared();
        try (SharedRun other = SampleProcess.onEmulator().beginShared(second.toArray(String[]::new))) {
            other.awaitOut("RDMA context is running");
            try (SharedRun one = ofFirst.begin(EmulatorSettings.NONE, first.toArray(String[]::new))) {
                Result result = one.end();
                return List.of(result, other.end());
            }
        }
    }

    private static Result run(List<String> arguments) throws IOException, InterruptedException {
        return SampleProcess.onEmulator().runShared(arguments.toArray(String[]::new));
    }

    /** Returns each pair on each release. Before 2.9 a context has one connection, which is enough for a pair. */
    private static List<Arguments> pairs() {
        return Stream.of(CProgram.NEWEST, "2.5", "2.2")
                .flatMap(release -> RdmaPair.all().stream().map(pair -> Arguments.of(release, pair)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void bothSidesDoTheirPart(String release, RdmaPair pair) throws Exception {
        String text = "grüße by " + pair;
        List<String> withText = List.of(pair.textFlag(), text);
        List<Result> results = runBoth(
                release,
                flags(pair.first(), "mlx5_0", pair.textIsOfFirst() ? withText : List.of()),
                flags(pair.second(), "mlx5_1", pair.textIsOfFirst() ? List.of() : withText));

        assertThat(results.get(0).outLog()).containsExactlyElementsOf(lines(pair.firstSays(text)));
        assertThat(results.get(1).outLog()).containsExactlyElementsOf(lines(pair.secondSays(text)));
        for (Result result : results) {
            assertThat(result.errLog()).isEmpty();
            assertThat(result.exitCode()).isZero();
        }
        assertThat(folder).isEmptyDirectory();
    }

    private static List<String> lines(List<String> work) {
        List<String> lines = new ArrayList<>(List.of(
                "INF Starting the sample", "INF RDMA context is running", "INF RDMA context finished initialization"));
        lines.addAll(work);
        lines.addAll(List.of("INF RDMA context has been stopped", DmaLocalCopyTest.SUCCESS));
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {CProgram.NEWEST, "2.5"})
    void aSyncEventIsSignaledBackAndForth(String release) throws Exception {
        List<Result> results = runBoth(
                release,
                flags("rdma_sync_event_responder", "mlx5_0", List.of()),
                flags("rdma_sync_event_requester", "mlx5_1", List.of()));

        assertThat(results.get(0).outLog())
                .containsExactlyElementsOf(lines(List.of(
                        "INF Waiting for sync event to be signaled from remote",
                        "INF Signaling sync event",
                        "INF Waiting for sync event to be notified for completion")));
        assertThat(results.get(1).outLog())
                .containsSubsequence(SYNC_EVENT_REQUESTER)
                .endsWith(DmaLocalCopyTest.SUCCESS);
        for (Result result : results) {
            assertThat(result.errLog()).isEmpty();
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void theWaitForAMissingRequesterEnds() throws Exception {
        List<String> place = List.of("-d", "", "--exchange", "unix:" + folder.resolve("meeting"), "--timeout");
        List<Result> results = runBothWithSecondReady(
                concat(concat(List.of("rdma_sync_event_responder"), place), List.of("3")),
                concat(concat(List.of("rdma_send"), place), List.of("30")));

        assertThat(results.get(0).errLog())
                .last()
                .asString()
                .matches("ERR Waiting for sync event failed: SyncEvent .* is 0 and not greater than 53449 after 3 s");
        assertThat(results.get(0).exitCode()).isEqualTo(1);
    }

    @Test
    void eightConnectionsEachCarryAText() throws Exception {
        List<Result> results = runBoth(
                flags("rdma_multi_conn_receive", "", List.of("-nc", "8")),
                flags("rdma_multi_conn_send", "", List.of("-nc", "8", "-s", "to each")));

        assertThat(results.get(0).outLog())
                .filteredOn(line ->
                        line.matches("INF Got from sender: \"to each\", sender's rdma_connection address \\[.+]"))
                .hasSize(8)
                .doesNotHaveDuplicates();
        assertThat(results.get(1).outLog())
                .filteredOn("INF RDMA send task was done successfully"::equals)
                .hasSize(8);
        assertThat(results).allSatisfy(result -> assertThat(result.exitCode()).isZero());
    }

    @Test
    void theLongestTextHasNoEnd() throws Exception {
        String longest = "x".repeat(256);
        List<Result> results =
                runBoth(flags("rdma_receive", "", List.of()), flags("rdma_send", "", List.of("-s", longest)));

        assertThat(results.get(0).errLog())
                .containsExactly("ERR The message that was received from sender exceeds buffer size 256");
        assertThat(results.get(0).exitCode()).isEqualTo(1);
        assertThat(results.get(1).exitCode()).isZero();
    }

    @Test
    void thePeerIsOfTheSamePair() throws Exception {
        String meeting = "unix:" + folder.resolve("meeting");
        // The side that is to report the mismatch has the shorter timeout, so that the other side is still there.
        List<Result> results = runBothWithSecondReady(
                List.of("rdma_read_requester", "-d", "", "--exchange", meeting, "--timeout", "2"),
                List.of("rdma_receive", "-d", "", "--exchange", meeting, "--timeout", "6"));

        assertThat(results.get(0).errLog())
                .containsExactly("ERR The peer at " + meeting + " has not sent \"memory\" within 2 s");
        assertThat(results.get(1).errLog()).containsExactly("ERR The peer has made no progress for 6 s");
        assertThat(results).extracting(Result::exitCode).containsExactly(1, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {CProgram.NEWEST, "2.5"})
    void measuresInTables(String release) throws Exception {
        List<String> plan = List.of("-s", "64,4K", "-n", "50", "-t", "4");
        List<Result> results = runBoth(release, flags("rdma_perf", "", plan), flags("rdma_perf", "", plan));

        assertThat(results).allSatisfy(result -> {
            // Before 2.9, a connection cannot be disconnected alone, which the library logs.
            assertThat(result.errLog())
                    .filteredOn(error -> !release.equals("2.5") || !error.endsWith("before DOCA 2.9 only a stop does"))
                    .isEmpty();
            assertThat(result.exitCode()).isZero();
        });
        List<String> table = results.stream()
                .map(Result::out)
                .filter(lines -> lines.stream().anyMatch(line -> line.startsWith("RDMA ")))
                .findFirst()
                .orElseThrow();
        assertThat(table)
                .containsSubsequence(
                        "RDMA write bandwidth",
                        " #bytes     #iterations     BW peak[MB/sec] BW average[MB/sec]      MsgRate[Mpps]",
                        "RDMA write latency, from submission to completion",
                        "RDMA read bandwidth",
                        "RDMA read latency, from submission to completion",
                        "RDMA send bandwidth",
                        "RDMA send latency, from submission to completion");
        assertThat(table)
                .filteredOn(line -> line.matches(" (64|4096) +50 +([0-9]+\\.[0-9]+ *){3,7}"))
                .hasSize(12);
    }

    /** Both sides have the fault, but only the one that measures submits so many operations. */
    @Test
    void bothSidesOfAMeasurementEndWhenTheDeviceFails() throws Exception {
        SampleProcess failing = SampleProcess.onEmulator().with(EmulatorEnvironment.FAULTS, "fail-task=1013:IO_FAILED");
        List<String> plan = List.of("-s", "64", "-n", "5000", "-o", "write");
        List<Result> results = runBoth(failing, flags("rdma_perf", "", plan), flags("rdma_perf", "", plan));

        assertThat(results).allSatisfy(result -> {
            // The client prints a table, too.
            assertThat(result.out()).last().asString().endsWith("Sample finished with errors");
            assertThat(result.exitCode()).isEqualTo(1);
        });
        assertThat(results.stream().map(result -> result.errLog().getLast()))
                .satisfiesOnlyOnce(
                        error -> assertThat(error).contains("doca_rdma_task_write failed with DOCA_ERROR_IO_FAILED"))
                .satisfiesOnlyOnce(error -> assertThat(error).startsWith("ERR The client has not finished: "));
    }

    @Test
    void reportsToBothSidesThatTheirFlagsDiffer() throws Exception {
        List<Result> results = runBoth(
                flags("rdma_perf", "", List.of("-s", "1K", "-n", "20", "-t", "4", "-o", "send")),
                flags("rdma_perf", "", List.of("-s", "1K", "-n", "30", "-t", "4", "-o", "send,read")));

        String one = "-s 1024 -n 20 -t 4 -o send";
        String other = "-s 1024 -n 30 -t 4 -o send,read";
        String warning = "WRN The peer has other flags, and those of whoever comes second are used: ";
        assertThat(results).allSatisfy(result -> {
            assertThat(result.errLog())
                    .singleElement()
                    .isIn(warning + one + "; not used are " + other, warning + other + "; not used are " + one);
            assertThat(result.exitCode()).isZero();
        });
        assertThat(results.get(0).errLog()).isEqualTo(results.get(1).errLog());
    }

    @Test
    void failsWhereNoPeerListens() throws Exception {
        Path nowhere = folder.resolve("none").resolve("socket");
        Result result = run(List.of("rdma_send", "-d", "", "--exchange", "unix:" + nowhere));

        assertThat(result.errLog()).containsExactly("ERR " + nowhere + ": there is no folder " + nowhere.getParent());
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void leavesAForeignFileAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("meeting"), "text");
        Result result = run(flags("rdma_send", "", List.of()));

        assertThat(result.errLog()).containsExactly("ERR " + file + ": it is not a socket");
        assertThat(file).hasContent("text");
    }
}
