/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.sync.SyncEventImpl;

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
public sealed interface SyncEvent extends AutoCloseable permits SyncEventImpl {

    /**
     * Begins to configure an event of this process.
     *
     * @param device that executes the event's exports and tasks; it must be open when the event is started
     * @return a new builder
     */
    static SyncEventBuilder builder(Device device) {
        return SyncEventImpl.builder(device);
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
    static SyncEvent fromExport(Device device, SyncEventExport export) {
        return SyncEventImpl.fromExport(device, export);
    }

    /** {@return the device that the event was created or imported for, which cannot be closed before it} */
    Device device();

    /**
     * Reads the value ({@code doca_sync_event_get}).
     *
     * @return all 64 bits, unsigned
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not subscribe, or the exporting process has
     *     closed the event
     */
    long get();

    /**
     * Sets the value ({@code doca_sync_event_update_set}).
     *
     * @param value all 64 bits, unsigned
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not publish, or the exporting process has
     *     closed the event
     */
    void set(long value);

    /**
     * Adds to the value, atomically with respect to all other additions ({@code doca_sync_event_update_add}).
     *
     * @param addend may be negative; the sum wraps around at 64 bits
     * @return the value before the addition
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because this side does not publish, or the exporting process has
     *     closed the event
     */
    long add(long addend);

    /** {@return a wait that compares all 64 bits, has no timeout, and idles by {@link io.docajava.core.progress.IdleStrategy#backoff()}} */
    SyncWait newWait();

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
    SyncEventExport exportPci(Device exporting);

    /**
     * Exports the event to RDMA peers ({@code doca_sync_event_export_to_remote_net}). They can import it as a {@link
     * RemoteSyncEvent} until it is closed.
     *
     * @return the export; a peer needs a connection to this process to use it
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is not a location of the event, the event is imported or
     *     closed, or its memory was freed
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
    SyncEventExport exportRdma();

    /**
     * Destroys the event ({@code doca_sync_event_stop}, {@code doca_sync_event_destroy}). Waits of this process end with an
     * {@link IllegalStateException}. Calls of processes that have imported the event fail from then on, so let them close it
     * first. Closing it again does nothing.
     *
     * @throws DocaException if the SDK refuses; the event can be closed again
     */
    @Override
    void close();
}
