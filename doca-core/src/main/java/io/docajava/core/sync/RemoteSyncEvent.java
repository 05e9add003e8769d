/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A sync event of a peer, {@code struct doca_sync_event_remote_net}, which operations of an RDMA connection to that peer read,
 * set and add to. The peer has made it by {@link SyncEvent#exportRdma}.
 *
 * <p>Safe for use by many threads.
 */
public final class RemoteSyncEvent implements AutoCloseable {

    static {
        Handles.setRemoteEvents(event -> event.inside);
    }

    private final Device device;
    private final Resource resource;
    private final RemoteEvent inside;

    private RemoteSyncEvent(Device device, SyncEventExport export) {
        this.device = device;
        this.resource =
                Resource.open(this, "RemoteSyncEvent on " + device.info().displayName(), Handles.resource(device));
        try {
            long pointer = Handles.address(device);
            this.inside = new RemoteEvent(create(pointer, export.descriptor()), pointer, resource);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

    /**
     * Imports an event of a peer ({@code doca_sync_event_remote_net_create_from_export}).
     *
     * @param device that of the RDMA context whose connections lead to the peer
     * @param export made by {@link SyncEvent#exportRdma}
     * @throws IllegalArgumentException if it is one for the PCI bus
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged
     */
    public static RemoteSyncEvent of(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(export, "export");
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

    /** The device that it was imported for. */
    public Device device() {
        return device;
    }

    /**
     * Destroys this side's import ({@code doca_sync_event_remote_net_destroy}). Closing it again does nothing.
     *
     * @throws IllegalStateException if operations in flight use it; it stays open
     * @throws DocaException if the SDK refuses; it stays open
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
