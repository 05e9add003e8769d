/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.hot.SyncEventCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A number of 64 bits, at first 0, that publishers change and subscribers read and wait for, {@code struct doca_sync_event}.
 * Numbers are unsigned: {@link Long#toUnsignedString(long)} writes them, and waits compare them so.
 *
 * {@snippet :
 * try (SyncEvent event = SyncEvent.builder(device)
 *         .publisher(SyncLocation.CPU)
 *         .subscriber(SyncLocation.CPU)
 *         .start()) {
 *     event.add(1);
 *     event.await().timeout(Duration.ofSeconds(1)).untilGreaterThan(0);
 * }
 * }
 *
 * <p>Nothing says in which order a change of an event and other work of a device become visible. Change the event when the
 * other work has completed.
 *
 * <p>Safe for use by many threads, virtual ones included. The SDK's own object is not: its calls, all of which return at
 * once, are made one at a time. A wait is a loop of Java over them ({@link SyncWait}) and hinders nobody.
 */
public final class SyncEvent implements AutoCloseable {

    private final Device device;
    private final EventOrigin origin;
    private final Resource resource;

    /** Guards the native event: the SDK's is for one thread at a time. */
    private final Object calls = new Object();

    private final Arena arena;
    private final MemorySegment out;
    private final NativeEvent event;

    /** True if only the destruction is left; read and written by whoever is closing. */
    private boolean stopped;

    SyncEvent(Device device, EventOrigin origin) {
        this.device = device;
        this.origin = origin;
        String description = "SyncEvent " + origin.on() + " " + device.info().displayName();
        this.resource = Resource.open(this, description, Handles.resource(device));
        this.arena = Arena.ofShared();
        try {
            this.out = arena.allocate(JAVA_LONG);
            this.event = origin.create(Handles.address(device), description).startOrDestroy();
        } catch (Throwable failure) {
            arena.close();
            resource.discard();
            throw failure;
        }
    }

    /** Configures an event of this process, in memory of its own or of the caller. */
    public static SyncEventBuilder builder(Device device) {
        return new SyncEventBuilder(device);
    }

    /**
     * Takes part in an event of a process on the other side of the PCI bus, which has exported it ({@code
     * doca_sync_event_create_from_export}, {@code doca_sync_event_start}).
     *
     * @param device of this side
     * @param export made by {@link #exportPci}
     * @throws IllegalArgumentException if it is one for RDMA
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the SDK refuses, for example a descriptor that is damaged or of an event that is closed
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

    /** The device that it was made for. */
    public Device device() {
        return device;
    }

    /**
     * The value ({@code doca_sync_event_get}).
     *
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example as this side is no subscriber, or the exporter is gone
     */
    public long get() {
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
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example as this side is no publisher, or the exporter is gone
     */
    public void set(long value) {
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
     * Adds to the value, in one step against all others who do so ({@code doca_sync_event_update_add}).
     *
     * @param addend may be negative; what goes beyond 64 bits is lost
     * @return the value before
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example as this side is no publisher, or the exporter is gone
     */
    public long add(long addend) {
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
     * Reads the value for a wait. When the event's process has ended it, what the value was last counts as well: the SDK gives
     * it together with the error, where it is known.
     *
     * @return the value; that of an event which has ended only if the condition holds for it
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
                Calls.settle();
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

    /** A wait for all 64 bits, without a limit of time, that backs off. */
    public SyncWait await() {
        return new SyncWait(this);
    }

    /**
     * Lets processes on the other side of the PCI bus take part ({@code doca_sync_event_export_to_remote_pci}), until the event
     * is closed. Exporting it again gives the same.
     *
     * @param exporting the event's device
     * @throws IllegalArgumentException if it is another one
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_PCI} is none of the locations, the event is another process',
     *     or something is closed
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public SyncEventExport exportPci(Device exporting) {
        Objects.requireNonNull(exporting, "exporting");
        synchronized (calls) {
            checkUsable();
            origin.checkExport(this, SyncLocation.REMOTE_PCI);
            checkOwn(this, device, exporting);
            Jfr.exported(toString());
            return SyncEventExport.of(SyncEventExport.Kind.PCI, event.exportPci(Handles.address(exporting)));
        }
    }

    static void checkOwn(Object event, Device own, Device exporting) {
        if (Handles.address(exporting) != Handles.address(own)) {
            throw new IllegalArgumentException(
                    event + " cannot be exported by " + exporting.info().displayName() + ", which is not its device");
        }
    }

    /**
     * Lets peers by RDMA change the event ({@code doca_sync_event_export_to_remote_net}), until it is closed. They use it as a
     * {@link RemoteSyncEvent}.
     *
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is none of the locations, the event is another process',
     *     or something is closed
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public SyncEventExport exportRdma() {
        synchronized (calls) {
            checkUsable();
            origin.checkExport(this, SyncLocation.REMOTE_NET);
            Jfr.exported(toString());
            return SyncEventExport.of(SyncEventExport.Kind.RDMA, event.exportRdma());
        }
    }

    /**
     * Destroys the event ({@code doca_sync_event_stop}, {@code doca_sync_event_destroy}). Waits of this process end with an
     * {@link IllegalStateException}. Processes that have imported it lose it: end their use before. Closing it again
     * does nothing.
     *
     * @throws DocaException if the SDK refuses; it stays open
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
