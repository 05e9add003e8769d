/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.sync.RemoteSyncEventImpl;
import io.docajava.ffi.internal.StackGuard;
import java.util.Objects;

/**
 * A sync event of an RDMA peer ({@code struct doca_sync_event_remote_net}), which the peer has exported by {@link
 * SyncEvent#exportRdma}. Operations of an RDMA connection to that peer read it, set it and add to it.
 *
 * <p>Safe for use by many threads.
 */
public sealed interface RemoteSyncEvent extends AutoCloseable permits RemoteSyncEventImpl {

    /**
     * Imports an event of a peer ({@code doca_sync_event_remote_net_create_from_export}).
     *
     * @param device of the RDMA context that has the connection to the peer; it cannot be closed before the event
     * @param export the result of {@link SyncEvent#exportRdma} in the peer's process
     * @return the imported event, to be closed by the caller
     * @throws IllegalArgumentException if the export is for the PCI bus
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example because the descriptor is damaged
     */
    static RemoteSyncEvent of(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
        StackGuard.check();
        RemoteSyncEventImpl.check(export, SyncEventExport.Kind.RDMA);
        return RemoteSyncEventImpl.of(device, export);
    }

    /** {@return the device that the event was imported for, which cannot be closed before it} */
    Device device();

    /**
     * Destroys the import of this process ({@code doca_sync_event_remote_net_destroy}); the peer's event does not change. A
     * second call does nothing.
     *
     * @throws IllegalStateException if operations in flight use the event; it stays open
     * @throws DocaException if the SDK refuses; the event stays open
     */
    @Override
    void close();
}
