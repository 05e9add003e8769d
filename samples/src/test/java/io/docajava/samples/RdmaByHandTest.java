/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests RDMA samples in two processes whose descriptors the user copies. */
class RdmaByHandTest {

    @TempDir
    private Path folder;

    private Path one;
    private Path other;
    private Path resource;

    @BeforeEach
    void nameFiles() {
        one = folder.resolve("one");
        other = folder.resolve("other");
        resource = folder.resolve("resource");
    }

    /** Starts one side, the first of which is passive. Both use the same files, as if a user copied them immediately. */
    private SharedRun first(String sample, List<String> more) throws Exception {
        return SampleProcess.onEmulator().beginShared(arguments(sample, one, other, more));
    }

    private SharedRun second(String sample, List<String> more) throws Exception {
        return SampleProcess.onEmulator().beginShared(arguments(sample, other, one, more));
    }

    private List<String> arguments(String sample, Path local, Path remote, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(sample, "-d", "mlx5_0"));
        arguments.addAll(List.of("-ld", local.toString(), "-re", remote.toString(), "-m", resource.toString()));
        arguments.addAll(more);
        return arguments;
    }

    /** Starts a sample in a separate process, which a test may kill. */
    private RunningProgram start(String sample) throws Exception {
        return SampleProcess.onEmulator()
                .start(arguments(sample, one, other, List.of()).toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("io.docajava.samples.RdmaPair#all")
    void bothSidesDoTheirPart(RdmaPair pair) throws Exception {
        String text = "text of " + pair;
        List<String> withText = List.of(pair.textFlag(), text);
        try (SharedRun first = first(pair.first(), pair.textIsOfFirst() ? withText : List.of());
                SharedRun second = second(pair.second(), pair.textIsOfFirst() ? List.of() : withText)) {
            first.awaitOut("press enter");
            second.awaitOut("press enter");
            first.type("\n");
            first.awaitOut("finished initialization");
            if (!pair.firstSays().isEmpty() && pair.firstSays().getFirst().contains("Submitting")) {
                first.awaitOut("Submitting");
            }
            second.type("\n");
            Result active = second.end();
            if (pair.waitsForUser()) {
                first.type("\n");
            }
            Result passive = first.end();

            assertThat(active.errLog()).isEmpty();
            assertThat(passive.errLog()).isEmpty();
            assertThat(active.outLog())
                    .containsSubsequence(pair.secondSays(text))
                    .endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(passive.outLog()).containsAll(pair.firstSays(text)).endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(List.of(active.exitCode(), passive.exitCode())).containsOnly(0);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aSyncEventIsSignaledBackAndForth() throws Exception {
        try (SharedRun responder = first("rdma_sync_event_responder", List.of());
                SharedRun requester = second("rdma_sync_event_requester", List.of())) {
            responder.awaitOut("You can now copy " + one + " and " + resource + " to the requester");
            responder.awaitOut("Please copy " + other + " from the requester and then press enter");
            requester.awaitOut("Please copy " + one + " and " + resource
                    + " from the responder and then press enter after pressing enter in the responder side");
            responder.type("\n");
            responder.awaitOut("Waiting for sync event to be signaled from remote");
            requester.type("\n");

            assertThat(requester.end().outLog())
                    .containsSubsequence(RdmaExchangeTest.SYNC_EVENT_REQUESTER)
                    .endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(responder.end().outLog())
                    .containsSubsequence(
                            "INF Signaling sync event",
                            "INF Waiting for sync event to be notified for completion",
                            DmaLocalCopyTest.SUCCESS);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void asksInTheWordsOfTheSamplesInC() throws Exception {
        try (SharedRun responder = first("rdma_write_responder", List.of());
                SharedRun requester = second("rdma_write_immediate_requester", List.of())) {
            responder.awaitOut("You can now copy " + one + " and " + resource + " to the requester");
            responder.awaitOut("Please copy " + other + " from the requester and then press enter");
            requester.awaitOut("You can now copy " + other + " to the responder");
            requester.awaitOut("Please copy " + one + " and " + resource
                    + " from the receiver and then press enter after pressing enter in the responder side");
            assertThat(Files.size(one)).isBetween(1L, 1024L);
            responder.type("\n");
            responder.awaitOut("Wait till the requester has finished writing and press enter");
            responder.type("\n");
            assertThat(responder.end().exitCode()).isZero();
            requester.type("\n");
            assertThat(requester.end().exitCode()).isEqualTo(1);
        }
    }

    @Test
    void severalConnectionsHaveFilesOfTheirOwn() throws Exception {
        List<String> three = List.of("-nc", "3");
        try (SharedRun receiver = first("rdma_multi_conn_receive", three);
                SharedRun sender = second("rdma_multi_conn_send", three)) {
            for (int i = 0; i < 3; i++) {
                receiver.awaitOut("Please copy " + other + "-000" + i + " from the sender and then press enter");
                sender.awaitOut("Please copy " + one + "-000" + i
                        + " from the receiver and then press enter after pressing enter in the receiver side");
                receiver.type("\n");
                receiver.awaitOut("RDMA connection [" + i + "] is establshed");
                sender.type("\n");
            }
            receiver.awaitOut("All RDMA receive tasks have been successfully submitted");
            sender.awaitOut("All [3] RDMA connections have been establshed");
            sender.awaitOut("Please press enter after all the receive tasks have been successfully submitted in the"
                    + " receiver side");
            sender.type("\n");

            assertThat(sender.end().exitCode()).isZero();
            assertThat(receiver.end().outLog())
                    .filteredOn(line -> line.startsWith("INF Got from sender: \"Hi DOCA RDMA!\", sender's"))
                    .hasSize(3);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aPeerThatWasKilledMakesTheOtherOneFail() throws Exception {
        try (RunningProgram responder = start("rdma_read_responder");
                SharedRun requester = second("rdma_read_requester", List.of())) {
            responder.awaitOut("press enter");
            requester.awaitOut("press enter");
            responder.type("\n");
            responder.awaitOut("Wait till the requester");
            responder.kill();
            requester.type("\n");

            Result failed = requester.end();
            assertThat(failed.errLog()).isNotEmpty();
            assertThat(failed.outLog()).endsWith("INF Sample finished with errors");
            assertThat(failed.exitCode()).isEqualTo(1);
        }
    }

    /** Such a connection does not notify a side of the end of its peer, so the side times out. */
    @Test
    void aResponderFailsWhenItsRequesterWasKilled() throws Exception {
        try (SharedRun responder = first("rdma_sync_event_responder", List.of("--timeout", "1"));
                RunningProgram requester = SampleProcess.onEmulator()
                        .start(arguments("rdma_sync_event_requester", other, one, List.of())
                                .toArray(String[]::new))) {
            responder.awaitOut("press enter");
            requester.awaitOut("press enter");
            responder.type("\n");
            responder.awaitOut("Waiting for sync event to be signaled from remote");
            requester.kill();

            Result failed = responder.end();
            assertThat(failed.errLog())
                    .last()
                    .asString()
                    .matches("ERR Waiting for sync event failed: .+ is 0 and not greater than 53449 after 1 s");
            assertThat(failed.outLog()).last().isEqualTo("INF Sample finished with errors");
            assertThat(failed.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aRequesterFailsWhenItsResponderIsSilent() throws Exception {
        try (RunningProgram responder = start("rdma_sync_event_responder");
                SharedRun requester = second("rdma_sync_event_requester", List.of("--timeout", "1"))) {
            responder.awaitOut("press enter");
            requester.awaitOut("press enter");
            responder.type("\n");
            responder.awaitOut("Waiting for sync event to be signaled from remote");
            responder.suspend();
            requester.type("\n");

            assertFailed(requester.end(), "The responder has not signaled its sync event for 1 s: it is still 0xD0CA");
        }
    }

    @Test
    void anInputThatEndsIsNoEnter() throws Exception {
        try (RunningProgram sender = start("rdma_send")) {
            sender.awaitOut("press enter");
            sender.closeInput();

            Result failed = sender.end();
            assertThat(failed.errLog())
                    .containsExactly(
                            "ERR The input ended before enter was pressed, and the peer may not be there: run this"
                                    + " in a terminal, or with an input that stays open");
            assertThat(failed.exitCode()).isEqualTo(1);
        }
        assertThat(folder).isEmptyDirectory();
    }

    private Result refused(String... arguments) throws Exception {
        return SampleProcess.onEmulator().runShared(arguments);
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.errLog()).contains("ERR " + error);
        assertThat(result.outLog()).last().isEqualTo("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void replacesNoFiles() throws Exception {
        Files.writeString(one, "of somebody else");

        assertFailed(
                refused("rdma_send", "-d", "", "-ld", one.toString(), "-re", other.toString()),
                "File " + one + " already exists. Please delete it prior to running the sample");
        assertThat(one).hasContent("of somebody else");
    }

    @Test
    void keepsAFileThatIsNoDescriptor() throws Exception {
        Files.writeString(one, "of somebody else");
        try (SharedRun sender = second("rdma_send", List.of())) {
            sender.awaitOut("press enter");
            sender.type("\n");

            assertThat(sender.end().exitCode()).isEqualTo(1);
        }
        assertThat(one).hasContent("of somebody else");
        assertThat(other).doesNotExist();
    }

    @Test
    void refusesFlagsThatDoNotFit() throws Exception {
        String onlyOne = "Failed to allocate RDMA resources: due to DOCA_RDMA_TRANSPORT_TYPE_DC is only supported for"
                + " out-of-band single connection case for now";
        assertFailed(refused("rdma_send", "-d", "", "-cm", "-tt", "dc"), onlyOne);
        assertFailed(refused("rdma_multi_conn_send", "-d", "", "-nc", "2", "-tt", "DC"), onlyOne);
        assertFailed(refused("rdma_multi_conn_send", "-d", "", "-nc", "9"), "Max number of connections must be <= [8]");
        for (String index : List.of("-5", "-1")) {
            assertFailed(
                    refused("rdma_send", "-d", "", "-g", index),
                    "GID index for DOCA RDMA must be non-negative: " + index);
        }
        assertFailed(
                refused("rdma_send", "-d", "mlx5_0", "-g", "70000"),
                "0000:03:00.0 (mlx5_0) has 255 GIDs; there is none of index 70000");
        assertFailed(
                refused("rdma_send", "-d", "", "-cm", "--exchange", "localhost:1"),
                "--exchange is for connections by descriptors: leave out -cm, or --exchange");
        assertFailed(
                refused("rdma_perf", "-d", ""), "--exchange says where the two programs meet: give both the same one");
        assertFailed(
                refused("rdma_send", "-d", "mlx5_9"),
                "No DOCA device with InfiniBand name mlx5_9 and support for RDMA task send; this machine has 0000:03:00.0"
                        + " (mlx5_0), 0000:03:00.1 (mlx5_1), 0000:03:00.0 (mlx5_2), 0000:03:00.1 (mlx5_3)");
    }
}
