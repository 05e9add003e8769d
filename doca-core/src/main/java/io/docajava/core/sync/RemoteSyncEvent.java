/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A sync event of an RDMA peer ({@code struct doca_sync_event_remote_net}), which the peer has exported by {@link
 * SyncEvent#exportRdma}. Operations of an RDMA connection to that peer read it, set it and add to it.
 *
 * <p>Safe for use by many threads.
 */
public final class RemoteSyncEvent implements AutoCloseable {

    private final Device device;
    private final Resource resource;
    private final RemoteEvent inside;

    private RemoteSyncEvent(Device device, SyncEventExport export) {
        Handles.setRemoteEvents(event -> event.inside);
        this.device = device;
        this.resource =
                Resource.open(this, "RemoteSyncEvent on " + device.info().displayName(), DeviceImpl.resource(device));
        try {
            long pointer = DeviceImpl.address(device);
            this.inside = new RemoteEvent(create(pointer, export.descriptor()), pointer, resource);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

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
    public static RemoteSyncEvent of(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
        StackGuard.check();
        export.check(SyncEventExport.Kind.RDMA);
        return new RemoteSyncEvent(device, export);
    }

    private long create(long devicePointer, byte[] descriptor) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaCommon.doca_sync_event_remote_net_create_from_export(
                            MemorySegment.ofAddress(devicePointer),
                            scratch.allocateFrom(JAVA_BYTE, descriptor),
                            descriptor.length,
                            out),
                    "doca_sync_event_remote_net_create_from_export",
                    "importing " + resource.description());
            return out.get(ADDRESS, 0).address();
        }
    }

    /** {@return the device that the event was imported for, which cannot be closed before it} */
    public Device device() {
        return device;
    }

    /**
     * Destroys the import of this process ({@code doca_sync_event_remote_net_destroy}); the peer's event does not change. A
     * second call does nothing.
     *
     * @throws IllegalStateException if operations in flight use the event; it stays open
     * @throws DocaException if the SDK refuses; the event stays open
     */
    @Override
    public void close() {
        resource.close(() -> {
            inside.retire();
            int result = DocaCommon.doca_sync_event_remote_net_destroy(MemorySegment.ofAddress(inside.pointer()));
            if (result != 0) {
                inside.revive();
            }
            Calls.check(result, "doca_sync_event_remote_net_destroy", "closing " + this);
        });
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
