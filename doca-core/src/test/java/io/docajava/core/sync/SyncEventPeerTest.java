/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.PeerJvm;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.testing.Await;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests sync events that processes on both sides of the PCI bus use. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
@NeedsEmulator
class SyncEventPeerTest {

    private static final String IMPORTED = "SyncEvent imported on 0000:03:00.0 (mlx5_0)";

    /** Some releases read a descriptor when the event is imported, others when it is started. */
    private static final String REFUSED =
            "\\w+ \\Q" + IMPORTED + "\\E: doca_sync_event_(create_from_export|start) failed with DOCA_ERROR_";

    private static final Duration LONG = Await.LIMIT;

    private static PeerJvm host;

    private Device device;

    @BeforeAll
    static void start() throws IOException {
        host = newHost();
    }

    @AfterAll
    static void end() throws IOException {
        host.close();
    }

    private static PeerJvm newHost() throws IOException {
        return new PeerJvm(new ChildJvm().environment(EmulatorEnvironment.ROLE, "host"), EventPeer.class);
    }

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    }

    @AfterEach
    void close() {
        device.close();
    }

    private SyncEventBuilder shared() {
        return SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .publisher(SyncLocation.REMOTE_PCI)
                .subscriber(SyncLocation.CPU);
    }

    private static void importTo(PeerJvm peer, SyncEventExport export) throws IOException {
        assertThat(peer.ask(Base64.getEncoder().encodeToString(export.toBytes())))
                .isEqualTo("imported");
    }

    private static SyncEventExport exportFrom(PeerJvm peer) throws IOException {
        return SyncEventExport.parse(Base64.getDecoder().decode(peer.ask("export")));
    }

    @Test
    void isUsedByBothSides() throws Exception {
        try (SyncEvent event = shared().start()) {
            SyncEventExport export = event.exportPci(device);
            assertThat(export.kind()).isEqualTo(SyncEventExport.Kind.PCI);
            assertThat(event.exportPci(device)).isEqualTo(export);
            importTo(host, export);

            event.set(41);
            assertThat(host.ask("add 1")).isEqualTo("41");
            assertThat(event.get()).isEqualTo(42);
            assertThat(host.ask("set 7")).isEqualTo("done");
            assertThat(event.newWait().timeout(LONG).untilEqual(7)).isEqualTo(7);
            assertThat(host.ask("wait 7")).isEqualTo("7");
            assertThat(host.ask("leave")).isEqualTo("left");
        }
    }

    @Test
    void countsWhatFourProcessesAdd() throws Exception {
        try (PeerJvm second = newHost();
                PeerJvm third = newHost()) {
            List<PeerJvm> peers = List.of(host, second, third);
            count(shared(), 100_000, peers);
            // The device changes memory of the user by copying, which takes longer.
            MemorySegment memory = Arena.ofAuto().allocate(JAVA_LONG);
            count(shared().memory(memory), 5_000, peers);
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(20_000);
        }
    }

    /** Each peer and this process add to the event. */
    private void count(SyncEventBuilder builder, int additions, List<PeerJvm> peers) throws Exception {
        try (SyncEvent event = builder.start();
                ExecutorService executor = Executors.newCachedThreadPool()) {
            SyncEventExport export = event.exportPci(device);
            List<Future<String>> counts = new ArrayList<>();
            for (PeerJvm peer : peers) {
                importTo(peer, export);
                counts.add(executor.submit(() -> peer.ask("count " + additions)));
            }
            for (int i = 0; i < additions; i++) {
                event.add(1);
            }
            for (Future<String> count : counts) {
                assertThat(count.get()).isEqualTo("done");
            }
            assertThat(event.get()).isEqualTo((peers.size() + 1L) * additions);
        }
        for (PeerJvm peer : peers) {
            assertThat(peer.ask("leave")).isEqualTo("left");
        }
    }

    @Test
    void isImportedFromTheHost() throws Exception {
        SyncEventExport export = exportFrom(host);
        try (SyncEvent event = SyncEvent.fromExport(device, export)) {
            assertThat(event).hasToString(IMPORTED);
            assertThat(event.add(5)).isZero();
            assertThat(host.ask("add 1")).isEqualTo("5");
            assertThat(event.get()).isEqualTo(6);
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.exportPci(device))
                    .withMessage(IMPORTED + " cannot be exported: it belongs to another process");
            assertThatIllegalStateException()
                    .isThrownBy(event::exportRdma)
                    .withMessage(IMPORTED + " cannot be exported: it belongs to another process");
            assertThatIllegalStateException()
                    .isThrownBy(device::close)
                    .withMessage("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: " + IMPORTED);
        }
        assertThat(host.ask("leave")).isEqualTo("left");
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> SyncEvent.fromExport(device, export))
                .withMessageMatching(REFUSED + "INVALID_VALUE \\(Invalid input\\): Failed to import a sync event: .*");
    }

    @Test
    void waitsForTheLastValueOfAnEventThatHasEnded() throws Exception {
        try (SyncEvent event = SyncEvent.fromExport(device, exportFrom(host))) {
            assertThat(host.ask("set 263")).isEqualTo("done");
            assertThat(host.ask("leave")).isEqualTo("left");

            assertThat(event.newWait().untilEqual(263)).isEqualTo(263);
            assertThat(event.newWait().mask(0xff).untilGreaterThan(6)).isEqualTo(263);
            assertThat(event.newWait().mask(0xff).untilNotEqual(8)).isEqualTo(263);

            assertGone(event::get);
            assertGone(() -> event.newWait().untilEqual(264));
            assertGone(() -> event.newWait().untilNotEqual(263));
            assertGone(() -> event.newWait().mask(0xff).untilGreaterThan(7));
        }
    }

    @Test
    void reportsThatTheExporterWasKilled() throws Exception {
        try (PeerJvm exporter = newHost();
                ExecutorService executor = Executors.newCachedThreadPool()) {
            try (SyncEvent event = SyncEvent.fromExport(device, exportFrom(exporter))) {
                Future<Long> wait = executor.submit(() -> event.newWait().untilEqual(1));
                exporter.kill();
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(wait::get)
                        .havingCause()
                        .isInstanceOf(DocaCallException.class)
                        .withMessageMatching(
                                "Reading SyncEvent imported on 0000:03:00.0 \\(mlx5_0\\): doca_sync_event_get"
                                        + " failed with DOCA_ERROR_IO_FAILED .*: Process [0-9]+, which the sync event is of, has"
                                        + " ended");
                assertGone(event::get);
                assertGone(() -> event.set(1));
                assertGone(() -> event.add(1));
            }
        }
    }

    private static void assertGone(ThrowingCallable call) {
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(DocaError.IO_FAILED));
    }

    @Test
    void refusesWhatIsNoDescriptor() {
        SyncEventExport export = SyncEventExport.of(SyncEventExport.Kind.PCI, new byte[] {1, 2, 3});
        assertThatExceptionOfType(DocaCallException.class)
                .isThrownBy(() -> SyncEvent.fromExport(device, export))
                .withMessageMatching(REFUSED + "INVALID_VALUE .*")
                .satisfies(e -> assertThat(e.error()).isEqualTo(DocaError.INVALID_VALUE));
    }

    @Test
    void isNotForItsOwnSide() {
        try (SyncEvent event = shared().start()) {
            SyncEventExport export = event.exportPci(device);
            assertThatExceptionOfType(DocaCallException.class)
                    .isThrownBy(() -> SyncEvent.fromExport(device, export))
                    .withMessageMatching(REFUSED + "NOT_PERMITTED \\(Operation not permitted\\): Failed to import a"
                            + " sync event: it is of this side of the PCI bus");
        }
    }
}
