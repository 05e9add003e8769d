/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.core.internal.sync.RemoteSyncEventImpl;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the life cycle of imports for RDMA. The tests of doca-rdma cover their operations. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class RemoteSyncEventTest {

    private static final String REMOTE = "RemoteSyncEvent on 0000:03:00.0 (mlx5_0)";

    private Device device;
    private SyncEvent event;

    @BeforeAll
    static void needsEventsAcrossTheNetwork() {
        Requirements.function("doca_sync_event_add_publisher_location_remote_net");
    }

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        event = SyncEvent.builder(device)
                .publisher(SyncLocation.REMOTE_NET)
                .subscriber(SyncLocation.CPU)
                .start();
    }

    @AfterEach
    void close() {
        event.close();
        device.close();
    }

    @Test
    void isMadeOfAnExport() {
        SyncEventExport export = event.exportRdma();
        assertThat(export.kind()).isEqualTo(SyncEventExport.Kind.RDMA);
        assertThat(event.exportRdma()).isEqualTo(export);
        try (RemoteSyncEvent remote = RemoteSyncEvent.of(device, export)) {
            assertThat(remote).hasToString(REMOTE);
            assertThat(remote.device()).isSameAs(device);
            RemoteEvent inside = RemoteSyncEventImpl.inside(remote);
            assertThat(inside).hasToString(REMOTE);
            assertThat(inside.isOf(DeviceImpl.address(device))).isTrue();
            assertThat(inside.isOf(1)).isFalse();
            assertThatIllegalStateException().isThrownBy(device::close).withMessageContaining(REMOTE);
        }
    }

    @Test
    void cannotBeClosedWhileOperationsUseIt() {
        RemoteSyncEvent remote = RemoteSyncEvent.of(device, event.exportRdma());
        RemoteEvent inside = RemoteSyncEventImpl.inside(remote);
        inside.acquire();
        assertThatIllegalStateException()
                .isThrownBy(remote::close)
                .withMessage(REMOTE + " cannot be closed while 1 operation uses it");
        inside.checkOpen();
        inside.acquire();
        assertThatIllegalStateException()
                .isThrownBy(remote::close)
                .withMessage(REMOTE + " cannot be closed while 2 operations use it");
        inside.release();
        inside.release();
        remote.close();
        remote.close();
        assertThatIllegalStateException().isThrownBy(inside::checkOpen).withMessage(REMOTE + " is closed");
        assertThatIllegalStateException().isThrownBy(inside::acquire).withMessage(REMOTE + " is closed");
    }

    @Test
    void refusesWhatIsNoDescriptor() {
        byte[] altered = event.exportRdma().descriptor();
        altered[altered.length - 1] ^= 1;
        for (byte[] descriptor : new byte[][] {{1, 2, 3}, altered}) {
            SyncEventExport export = SyncEventExport.of(SyncEventExport.Kind.RDMA, descriptor);
            assertThatExceptionOfType(DocaCallException.class)
                    .isThrownBy(() -> RemoteSyncEvent.of(device, export))
                    .withMessageStartingWith("Importing " + REMOTE
                            + ": doca_sync_event_remote_net_create_from_export failed with DOCA_ERROR_")
                    // DOCA 2.5 returns INITIALIZATION.
                    .satisfies(e -> assertThat(e.error()).isIn(DocaError.INVALID_VALUE, DocaError.INITIALIZATION));
        }
    }
}
