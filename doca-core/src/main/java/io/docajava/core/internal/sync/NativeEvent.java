/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** A configured {@code struct doca_sync_event}. Used by one thread at a time. */
final class NativeEvent {

    private final MemorySegment pointer;
    private final String event;
    private final @Nullable EventMemory memory;

    private NativeEvent(MemorySegment pointer, String event, @Nullable EventMemory memory) {
        this.pointer = pointer;
        this.event = event;
        this.memory = memory;
    }

    /** Creates an event of this process ({@code doca_sync_event_create}, its locations and memory). */
    static NativeEvent create(long device, EventOrigin.Local plan, String event) {
        NativeEvent made = new NativeEvent(create("creating " + event), event, plan.memory());
        MemorySegment dev = MemorySegment.ofAddress(device);
        try {
            for (SyncLocation location : plan.publishers()) {
                made.checkAdded(made.addPublisher(location, dev), "publisher", location);
            }
            for (SyncLocation location : plan.subscribers()) {
                made.checkAdded(made.addSubscriber(location, dev), "subscriber", location);
            }
            made.setMemory();
        } catch (Throwable failure) {
            made.undo(failure);
            throw failure;
        }
        return made;
    }

    /** Imports an event of another process ({@code doca_sync_event_create_from_export}). */
    static NativeEvent fromExport(long device, byte[] descriptor, String event) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.check(
                    DocaCommon.doca_sync_event_create_from_export(
                            MemorySegment.ofAddress(device),
                            scratch.allocateFrom(JAVA_BYTE, descriptor),
                            descriptor.length,
                            out),
                    "doca_sync_event_create_from_export",
                    "importing " + event);
            return new NativeEvent(out.get(ADDRESS, 0), event, null);
        }
    }

    private static MemorySegment create(String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            Calls.prepare(DocaCommon.doca_sync_event_stop$handle(), DocaCommon.doca_sync_event_destroy$handle());
            Calls.check(DocaCommon.doca_sync_event_create(out), "doca_sync_event_create", attempt);
            return out.get(ADDRESS, 0);
        }
    }

    private int addPublisher(SyncLocation location, MemorySegment device) {
        return switch (location) {
            case CPU -> DocaCommon.doca_sync_event_add_publisher_location_cpu(pointer, device);
            case REMOTE_PCI -> DocaCommon.doca_sync_event_add_publisher_location_remote_pci(pointer);
            case REMOTE_NET -> DocaCommon.doca_sync_event_add_publisher_location_remote_net(pointer);
            case DPA, GPU -> throw new AssertionError(location);
        };
    }

    private int addSubscriber(SyncLocation location, MemorySegment device) {
        return switch (location) {
            case CPU -> DocaCommon.doca_sync_event_add_subscriber_location_cpu(pointer, device);
            case REMOTE_PCI -> DocaCommon.doca_sync_event_add_subscriber_location_remote_pci(pointer);
            case REMOTE_NET, DPA, GPU -> throw new AssertionError(location);
        };
    }

    private void checkAdded(int result, String role, SyncLocation location) {
        Calls.check(
                result,
                "doca_sync_event_add_" + role + "_location_" + location.name().toLowerCase(Locale.ROOT),
                "making " + location + " a " + role + " of " + event);
    }

    private void setMemory() {
        EventMemory own = memory;
        if (own != null) {
            own.checkAlive(event);
            Calls.check(
                    DocaCommon.doca_sync_event_set_addr(pointer, own.segment()),
                    "doca_sync_event_set_addr",
                    "giving memory to " + event);
            Reachable.KEPT.add(this);
        }
    }

    long pointer() {
        return pointer.address();
    }

    /** Refuses memory that its owner has freed. Called before each use. */
    void checkMemory() {
        if (memory != null) {
            memory.checkAlive(event);
        }
    }

    /** Starts the event for use by calls, instead of tasks ({@code doca_sync_event_start}), or destroys it if that fails. */
    NativeEvent startOrDestroy() {
        try {
            Calls.check(DocaCommon.doca_sync_event_start(pointer), "doca_sync_event_start", "starting " + event);
        } catch (Throwable failure) {
            undo(failure);
            throw failure;
        }
        return this;
    }

    /** Reverts {@link #startOrDestroy()} ({@code doca_sync_event_stop}). */
    void stop() {
        Calls.check(DocaCommon.doca_sync_event_stop(pointer), "doca_sync_event_stop", "stopping " + event);
    }

    /** Destroys the event and returns the {@code doca_error_t} ({@code doca_sync_event_destroy}). */
    int destroy() {
        int result = DocaCommon.doca_sync_event_destroy(pointer);
        if (result == 0) {
            Reachable.KEPT.remove(this);
        }
        return result;
    }

    /** Destroys the event after a failure, and adds a failure of the destruction to it as suppressed. */
    void undo(Throwable failure) {
        Undo.after(failure, () -> Calls.check(destroy(), "doca_sync_event_destroy", "undoing " + event));
    }

    @Override
    public String toString() {
        return event;
    }

    /** Returns the descriptor for the other side of the PCI bus ({@code doca_sync_event_export_to_remote_pci}). */
    byte[] exportPci(long device) {
        return export(
                (data, size) -> DocaCommon.doca_sync_event_export_to_remote_pci(
                        pointer, MemorySegment.ofAddress(device), data, size),
                "doca_sync_event_export_to_remote_pci",
                "exporting " + event + " to the other side of the PCI bus");
    }

    /** Returns the descriptor for RDMA peers ({@code doca_sync_event_export_to_remote_net}). */
    byte[] exportRdma() {
        return export(
                (data, size) -> DocaCommon.doca_sync_event_export_to_remote_net(pointer, data, size),
                "doca_sync_event_export_to_remote_net",
                "exporting " + event + " for RDMA");
    }

    /**
     * Returns a copy of the descriptor, since the SDK frees the original with the event.
     *
     * @param function writes the address and the size of the descriptor
     */
    private static byte[] export(ToIntBiFunction<MemorySegment, MemorySegment> function, String name, String attempt) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment data = scratch.allocate(ADDRESS);
            MemorySegment size = scratch.allocate(JAVA_LONG);
            Calls.check(function.applyAsInt(data, size), name, attempt);
            return NativeMemory.ofAddress(data.get(ADDRESS, 0).address(), size.get(JAVA_LONG, 0))
                    .toArray(JAVA_BYTE);
        }
    }

    /** Keeps the memory of events reachable, which peers may still use if an event is unreachable but not closed. */
    private static final class Reachable {

        static final Set<NativeEvent> KEPT = ConcurrentHashMap.newKeySet();
    }
}
