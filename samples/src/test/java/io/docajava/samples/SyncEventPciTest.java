/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import io.docajava.samples.sync.HeldSender;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code sync_event_local_pci} and {@code sync_event_remote_pci}, one on the host and one on the DPU. */
// The tests share one server.
@Execution(ExecutionMode.SAME_THREAD)
class SyncEventPciTest {

    @TempDir
    private static Path sockets;

    private static SampleProcess host;
    private static SampleProcess dpu;

    /** Creates sides that no other test connects to. */
    @BeforeAll
    static void makeSides() {
        String variable = "DOCA_EMULATOR_RUNTIME_DIR";
        dpu = SampleProcess.onEmulator().with(variable, sockets.toString());
        host = SampleProcess.onHost().with(variable, sockets.toString());
    }

    private static SharedRun startDpu(String sample, String flags) throws Exception {
        return dpu.beginShared((sample + " -d 03:00.0 -r 0b:00.0 " + flags).split(" "))
                .awaitOut("Waiting for connection from host");
    }

    private static Result runHost(String sample, String flags) throws Exception {
        return host.runShared((sample + " -d 0b:00.0 " + flags).split(" "));
    }

    private static void assertDone(Result result, String... work) {
        List<String> lines = new ArrayList<>(List.of("INF Starting the sample"));
        lines.addAll(List.of(work));
        lines.add(DmaLocalCopyTest.SUCCESS);
        assertThat(result.outLog()).containsExactlyElementsOf(lines);
        assertThat(result.errLog()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.errLog()).contains("ERR " + error);
        assertThat(result.outLog()).last().isEqualTo("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--async --atomic"})
    void anEventOfTheHostIsSharedWithTheDpu(String flags) throws Exception {
        try (SharedRun remote = startDpu("sync_event_remote_pci", flags)) {
            Result local = runHost("sync_event_local_pci", flags);

            assertDone(
                    local,
                    "INF Connection to DPU has been established",
                    "INF Sending exported DOCA Sync Event to remote side",
                    "INF Exported DOCA Sync Event has been sent to remote side successfully",
                    "INF Signaling sync event for remote side",
                    "INF Waiting for sync event to be signaled from remote side",
                    "INF Done");
            assertDone(
                    remote.end(),
                    "INF Waiting for connection from host",
                    "INF Received connection from host",
                    "INF Listening",
                    "INF Received blob from remote side",
                    "INF Waiting for sync event to be signaled from remote side",
                    "INF Signaling sync event for remote side",
                    "INF Done",
                    "INF Client has disconnected from server");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--atomic", "--async --async-num-tasks 4"})
    void anEventOfTheDpuIsSharedWithTheHost(String flags) throws Exception {
        try (SharedRun local = startDpu("sync_event_local_pci", flags)) {
            Result remote = runHost("sync_event_remote_pci", flags);

            assertDone(
                    remote,
                    "INF Connection to DPU has been established",
                    "INF Listening",
                    "INF Received blob from remote side",
                    "INF Waiting for sync event to be signaled from remote side",
                    "INF Signaling sync event for remote side",
                    "INF Done");
            assertDone(
                    local.end(),
                    "INF Waiting for connection from host",
                    "INF Received connection from host",
                    "INF Sending exported DOCA Sync Event to remote side",
                    "INF Exported DOCA Sync Event has been sent to remote side successfully",
                    "INF Signaling sync event for remote side",
                    "INF Waiting for sync event to be signaled from remote side",
                    "INF Done",
                    "INF Client has disconnected from server");
        }
    }

    @Test
    void aHostThatIsKilledEndsTheSampleOfTheDpu() throws Exception {
        try (SharedRun waiting = startDpu("sync_event_remote_pci", "");
                RunningProgram other = host.start("sync_event_remote_pci", "-d", "0b:00.0")) {
            waiting.awaitOut("Listening");
            other.kill();

            assertFailed(waiting.end(), "Remote side has disconnected and not sent a sync event");
        }
    }

    @Test
    void aHostThatIsKilledEndsTheWaitOfASender() throws Exception {
        try (RunningProgram sender = dpu.start(HeldSender.class)) {
            sender.awaitOut("ready");
            try (RunningProgram receiver = host.start("sync_event_remote_pci", "-d", "0b:00.0")) {
                receiver.awaitOut("Listening");
                sender.awaitOut("met");
                receiver.kill();
                sender.type("\n");
                sender.awaitOut("Remote side has disconnected and not received the sync event");
            }
            assertThat(sender.end().err()).isEmpty();
        }
    }

    /** Releases before 2.9 have no comm channels of this kind. */
    @ParameterizedTest
    @ValueSource(strings = {"2.2", "2.5", "3.0"})
    void anEventIsSharedByAFile(String release, @TempDir Path folder) throws Exception {
        String file = folder.resolve("event").toString();
        SampleProcess sideOfDpu = SampleProcess.onRelease(release);
        SampleProcess sideOfHost = SampleProcess.onRelease(release).with("DOCA_EMULATOR_ROLE", "host");
        try (SharedRun local = sideOfHost.beginShared("sync_event_host", "-d", "0b:00.0", "--descriptor-path", file)) {
            local.awaitOut("Waiting for sync event to be signaled from remote side");
            try (SharedRun remote =
                    sideOfDpu.beginShared("sync_event_dpu", "-d", "03:00.0", "--descriptor-path", file)) {
                remote.awaitOut("press enter");
                remote.type("\n");

                assertDone(
                        remote.end(),
                        "INF Listening",
                        "INF Please copy " + file + " from the other side and then press enter",
                        "INF Received blob from remote side",
                        "INF Waiting for sync event to be signaled from remote side",
                        "INF Signaling sync event for remote side",
                        "INF Done");
            }
            assertDone(
                    local.end(),
                    "INF Sending exported DOCA Sync Event to remote side",
                    "INF You can now copy " + file + " to the other side",
                    "INF Exported DOCA Sync Event has been sent to remote side successfully",
                    "INF Signaling sync event for remote side",
                    "INF Waiting for sync event to be signaled from remote side",
                    "INF Done");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theWaitForAMissingSideEnds() throws Exception {
        assertFailed(
                dpu.runShared("sync_event_local_pci", "-d", "03:00.0", "-r", "0b:00.0", "--timeout", "1"),
                "Failed to receive connection from host: timeout. Start sync_event_remote_pci meanwhile, on the emulator"
                        + " with DOCA_EMULATOR_ROLE=host");
    }

    @Test
    void aSignalEndsASampleThatWaits() throws Exception {
        try (RunningProgram waiting = dpu.start("sync_event_local_pci", "-d", "03:00.0", "-r", "0b:00.0", "--async")) {
            waiting.awaitOut("Waiting for connection from host");
            waiting.terminate();

            Result result = waiting.end();
            assertThat(result.errLog()).containsExactly("ERR A signal has ended the sample");
            assertThat(result.outLog()).last().isEqualTo("INF Sample finished with errors");
            // This is the exit code of a process that SIGTERM has ended.
            assertThat(result.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void theDpuComesFirst() throws Exception {
        Result result = runHost("sync_event_local_pci", "");

        assertThat(result.errLog())
                .last()
                .asString()
                .startsWith("ERR Starting the CommClient of \"sync_event_cc\" on 0000:0b:00.0 (mlx5_0)")
                .endsWith(". Start sync_event_remote_pci first, on the emulator with DOCA_EMULATOR_ROLE=dpu");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void theRepresentorIsForTheDpu() throws Exception {
        assertFailed(
                runHost("sync_event_local_pci", "-r 0b:00.0"),
                "--rep-pci is for the DPU, and 0000:0b:00.0 (mlx5_0) is a device of a host: leave it out");
        assertFailed(
                SampleProcess.onEmulator().runShared("sync_event_remote_pci", "-d", "03:00.0"),
                "On the DPU, --rep-pci is needed: the PCI address of the host's device");
        assertThat(SampleProcess.onEmulator()
                        .runShared("sync_event_remote_pci", "-d", "03:00.0", "-r", "0c:00.0")
                        .errLog())
                .last()
                .asString()
                .startsWith("ERR No representor with PCI address 0000:0c:00.0; 0000:03:00.0 (mlx5_0) has ");
    }

    @Test
    void theDeviceIsOfThisSide() throws Exception {
        assertThat(host.runShared("sync_event_local_pci", "-d", "03:00.0").errLog())
                .last()
                .asString()
                .startsWith("ERR No DOCA device with PCI address 0000:03:00.0 and support for exports of sync events to"
                        + " the other side of the PCI bus; this machine has 0000:0b:00.0");
    }
}
