/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventBuilder;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.sync.SyncWait;
import io.docajava.ffi.hot.SyncEventCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The implementation of {@link SyncEvent}. */
public final class SyncEventImpl implements SyncEvent {

    private final Device device;
    private final EventOrigin origin;
    private final Resource resource;

    /** Guards the native event, which is not thread-safe. */
    private final Object calls = new Object();

    private final Arena arena;
    private final MemorySegment out;
    private final NativeEvent event;

    /** True if the event is stopped and only its destruction remains. Used only inside resource.close(). */
    private boolean stopped;

    SyncEventImpl(Device device, EventOrigin origin) {
        StackGuard.check();
        this.device = device;
        this.origin = origin;
        String description = "SyncEvent " + origin.on() + " " + device.info().displayName();
        this.resource = Resource.open(this, description, DeviceImpl.resource(device));
        this.arena = Arena.ofShared();
        try {
            this.out = arena.allocate(JAVA_LONG);
            this.event = origin.create(DeviceImpl.address(device), description).startOrDestroy();
        } catch (Throwable failure) {
            arena.close();
            resource.discard();
            throw failure;
        }
    }

    public static SyncEventBuilder builder(Device device) {
        return new SyncEventBuilderImpl(device);
    }

    public static SyncEvent fromExport(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        return new SyncEventImpl(device, imported(export));
    }

    static EventOrigin imported(SyncEventExport export) {
        Objects.requireNonNull(export, "export");
        RemoteSyncEventImpl.check(export, SyncEventExport.Kind.PCI);
        return new EventOrigin.Imported(export);
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public long get() {
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            int result = SyncEventCalls.get(event.pointer(), out.address());
            if (result != 0) {
                throw unreadable(result);
            }
            return out.get(JAVA_LONG, 0);
        }
    }

    @Override
    public void set(long value) {
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            int result = SyncEventCalls.set(event.pointer(), value);
            if (result != 0) {
                throw Calls.failure(
                        result, "doca_sync_event_update_set", "setting " + this + " to " + SyncCondition.text(value));
            }
        }
    }

    @Override
    public long add(long addend) {
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            int result = SyncEventCalls.add(event.pointer(), addend, out.address());
            if (result != 0) {
                throw Calls.failure(result, "doca_sync_event_update_add", "adding " + addend + " to " + this);
            }
            return out.get(JAVA_LONG, 0);
        }
    }

    /**
     * Reads the value for a wait. If the exporting process has closed the event, the SDK returns an error and, if it knows it,
     * the last value. The wait may end with that value.
     *
     * @return the value; the last value of a closed event only if the condition holds for it
     */
    long look(SyncCondition condition) {
        synchronized (calls) {
            checkUsable();
            long unmet = condition.unmet();
            out.set(JAVA_LONG, 0, unmet);
            int result = SyncEventCalls.get(event.pointer(), out.address());
            long value = out.get(JAVA_LONG, 0);
            if (result != 0) {
                if (value == unmet || !condition.holds(value)) {
                    throw unreadable(result);
                }
                Calls.discardErrors();
            }
            return value;
        }
    }

    private DocaException unreadable(int result) {
        return Calls.failure(result, "doca_sync_event_get", "reading " + this);
    }

    private void checkUsable() {
        resource.checkOpen();
        event.checkMemory();
    }

    @Override
    public SyncWait newWait() {
        return new SyncWaitImpl(this);
    }

    @Override
    public SyncEventExport exportPci(Device exporting) {
        Objects.requireNonNull(exporting, "exporting");
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            origin.checkExport(this, SyncLocation.REMOTE_PCI);
            checkOwn(this, device, exporting);
            return export(SyncEventExport.Kind.PCI, event.exportPci(DeviceImpl.address(exporting)), this);
        }
    }

    /** Makes an export of a descriptor, and records that the event was exported. */
    static SyncEventExport export(SyncEventExport.Kind kind, byte[] descriptor, Object event) {
        Jfr.exported(event.toString());
        return SyncEventExport.of(kind, descriptor);
    }

    static void checkOwn(Object event, Device own, Device exporting) {
        if (DeviceImpl.address(exporting) != DeviceImpl.address(own)) {
            throw new IllegalArgumentException(
                    event + " cannot be exported by " + exporting.info().displayName() + ", which is not its device");
        }
    }

    @Override
    public SyncEventExport exportRdma() {
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            origin.checkExport(this, SyncLocation.REMOTE_NET);
            return export(SyncEventExport.Kind.RDMA, event.exportRdma(), this);
        }
    }

    @Override
    public void close() {
        resource.close(() -> {
            synchronized (calls) {
                destroy();
            }
        });
    }

    private void destroy() {
        if (!stopped) {
            event.stop();
            stopped = true;
        }
        Calls.check(event.destroy(), "doca_sync_event_destroy", "closing " + this);
        arena.close();
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
