/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The implementation of {@link RemoteSyncEvent}. */
public final class RemoteSyncEventImpl implements RemoteSyncEvent {

    private final Device device;
    private final Resource resource;
    private final RemoteEvent inside;

    private RemoteSyncEventImpl(Device device, SyncEventExport export) {
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

    /** Imports an event of a peer. */
    public static RemoteSyncEvent of(Device device, SyncEventExport export) {
        return new RemoteSyncEventImpl(device, export);
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

    @Override
    public Device device() {
        return device;
    }

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

    /** Returns the internal view of an event. Allocates nothing. */
    public static RemoteEvent inside(RemoteSyncEvent event) {
        Objects.requireNonNull(event, "event");
        return ((RemoteSyncEventImpl) event).inside;
    }

    /** Refuses an export for another use. */
    public static void check(SyncEventExport export, SyncEventExport.Kind needed) {
        if (export.kind() != needed) {
            throw new IllegalArgumentException(
                    "An export of a sync event for " + needed + " is needed, and this one is for " + export.kind());
        }
    }
}
