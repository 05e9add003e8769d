/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.hot.SyncEventCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A number of 64 bits that publishers change and subscribers read and wait for ({@code struct doca_sync_event}). Its first value
 * is 0. Values are unsigned: waits compare them as unsigned numbers, and {@link Long#toUnsignedString(long)} prints them.
 *
 * {@snippet :
 * try (SyncEvent event = SyncEvent.builder(device)
 *         .publisher(SyncLocation.CPU)
 *         .subscriber(SyncLocation.CPU)
 *         .start()) {
 *     event.add(1);
 *     event.newWait().timeout(Duration.ofSeconds(1)).untilGreaterThan(0);
 * }
 * }
 *
 * <p>DOCA does not define the order in which a change of an event and other work of a device become visible. Change the event
 * after the other work has completed.
 *
 * <p>Safe for use by many threads, including virtual threads. The SDK's object is not thread-safe, so this class holds a lock
 * during calls, which return at once. A wait is a loop of such calls in Java ({@link SyncWait}); it does not hold the lock in
 * between.
 */
public final class SyncEvent implements AutoCloseable {

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

    SyncEvent(Device device, EventOrigin origin) {
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

    /**
     * Begins to configure an event of this process.
     *
     * @param device that executes the event's exports and tasks; it must be open when the event is started
     * @return a new builder
     */
    public static SyncEventBuilder builder(Device device) {
        return new SyncEventBuilder(device);
    }

    /**
     * Imports an event that a process on the other side of the PCI bus has exported ({@code
     * doca_sync_event_create_from_export}, {@code doca_sync_event_start}). Both processes then share the value.
     *
     * @param device of this side, which cannot be closed before the event
     * @param export the result of {@link #exportPci} in the other process
     * @return the imported event, to be closed by the caller; it cannot be exported
     * @throws IllegalArgumentException if the export is for RDMA
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example because the descriptor is damaged or the event is closed
     */
    public static SyncEvent fromExport(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        return new SyncEvent(device, imported(export));
    }

    static EventOrigin imported(SyncEventExport export) {
        Objects.requireNonNull(export, "export");
        export.check(SyncEventExport.Kind.PCI);
        return new EventOrigin.Imported(export);
    }

    /** {@return the device that the event was created or imported for, which cannot be closed before it} */
    public Device device() {
        return device;
    }

    /**
     * Reads the value ({@code doca_sync_event_get}).
     *
     * @return all 64 bits, unsigned
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not subscribe, or the exporting process has
     *     closed the event
     */
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

    /**
     * Sets the value ({@code doca_sync_event_update_set}).
     *
     * @param value all 64 bits, unsigned
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not publish, or the exporting process has
     *     closed the event
     */
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

    /**
     * Adds to the value, atomically with respect to all other additions ({@code doca_sync_event_update_add}).
     *
     * @param addend may be negative; the sum wraps around at 64 bits
     * @return the value before the addition
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not publish, or the exporting process has
     *     closed the event
     */
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

    /** {@return a wait that compares all 64 bits, has no timeout, and idles by {@link io.docajava.core.progress.IdleStrategy#backoff()}} */
    public SyncWait newWait() {
        return new SyncWait(this);
    }

    /**
     * Exports the event to processes on the other side of the PCI bus ({@code doca_sync_event_export_to_remote_pci}). They can
     * import it by {@link #fromExport} until it is closed.
     *
     * @param exporting the event's {@link #device()}
     * @return the export; each call returns an equal one
     * @throws IllegalArgumentException if {@code exporting} is another device
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_PCI} is not a location of the event, the event is imported, the
     *     event or the device is closed, or the event's memory was freed
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
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

    /**
     * Exports the event to RDMA peers ({@code doca_sync_event_export_to_remote_net}). They can import it as a {@link
     * RemoteSyncEvent} until it is closed.
     *
     * @return the export; a peer needs a connection to this process to use it
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is not a location of the event, the event is imported or
     *     closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
    public SyncEventExport exportRdma() {
        StackGuard.check();
        synchronized (calls) {
            checkUsable();
            origin.checkExport(this, SyncLocation.REMOTE_NET);
            return export(SyncEventExport.Kind.RDMA, event.exportRdma(), this);
        }
    }

    /**
     * Destroys the event ({@code doca_sync_event_stop}, {@code doca_sync_event_destroy}). Waits of this process end with an
     * {@link IllegalStateException}. Calls of processes that have imported the event fail from then on, so let them close it
     * first. Closing it again does nothing.
     *
     * @throws DocaException if the SDK refuses; the event can be closed again
     */
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
