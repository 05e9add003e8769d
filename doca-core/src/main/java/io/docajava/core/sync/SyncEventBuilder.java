/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.internal.sync.SyncEventBuilderImpl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Configures an event of this process: its publishers, its subscribers, and the memory of its value. Not safe for use by several
 * threads at once.
 *
 * <p>The SDK accepts at most one remote location ({@link SyncLocation#REMOTE_PCI}, {@link SyncLocation#REMOTE_NET}), of a
 * publisher or of a subscriber. It refuses to create an event with remote locations of both ({@code NOT_PERMITTED}), and exports
 * an event with two remote publishers only to {@code REMOTE_NET}.
 */
public sealed interface SyncEventBuilder permits SyncEventBuilderImpl {

    /**
     * Adds a location that changes the value ({@code doca_sync_event_add_publisher_location_...}). An event has at least one
     * publisher.
     *
     * @param location {@link SyncLocation#CPU}, {@link SyncLocation#REMOTE_PCI} or {@link SyncLocation#REMOTE_NET}
     * @return this builder
     * @throws UnsupportedOperationException if it is {@link SyncLocation#DPA} or {@link SyncLocation#GPU}
     */
    SyncEventBuilder publisher(SyncLocation location);

    /**
     * Adds a location that reads the value and waits for it ({@code doca_sync_event_add_subscriber_location_...}). An event has at
     * least one subscriber.
     *
     * @param location {@link SyncLocation#CPU} or {@link SyncLocation#REMOTE_PCI}
     * @return this builder
     * @throws IllegalArgumentException if it is {@link SyncLocation#REMOTE_NET}
     * @throws UnsupportedOperationException if it is {@link SyncLocation#DPA} or {@link SyncLocation#GPU}
     */
    SyncEventBuilder subscriber(SyncLocation location);

    /**
     * Keeps the value in caller-owned memory that only the garbage collector can free ({@code doca_sync_event_set_addr}). Such
     * memory comes from {@link Arena#global()} or {@link Arena#ofAuto()}. The first value of the event is the number in the
     * memory. The event keeps the memory reachable until it is closed. By default an event has memory of its own.
     *
     * @param segment 8 bytes of writable native memory, at an address divisible by 8 that is not NULL
     * @return this builder
     * @throws IllegalArgumentException if the segment is not of that kind, or is of another arena, a buffer or a mapped file
     * @throws DocaException if the mappings of this process, which show whether memory is of a file, cannot be read
     */
    SyncEventBuilder memory(MemorySegment segment);

    /**
     * Keeps the value in memory that the caller promises not to free before the event is closed; otherwise as {@link #memory}.
     *
     * <p>If the memory's arena is closed earlier, calls of this process throw an {@link IllegalStateException}, but the event can
     * be closed. Operations in flight, and processes that have imported the event, then read and change any memory that is now at
     * the address; if none is mapped there, they fail with {@link io.docajava.core.DocaError#IO_FAILED}. The same holds for a
     * truncated mapped file.
     *
     * @param segment 8 bytes of writable native memory, at an address divisible by 8 that is not NULL, which the calling thread
     *     can access
     * @return this builder
     * @throws IllegalArgumentException if the segment is not of that kind
     * @throws IllegalStateException if it was freed or belongs to another thread
     */
    SyncEventBuilder memoryUnchecked(MemorySegment segment);

    /**
     * Creates an event that threads use through calls and waits ({@code doca_sync_event_create}, its locations and memory, {@code
     * doca_sync_event_start}).
     *
     * @return the started event, to be closed by the caller
     * @throws IllegalStateException if there is no publisher or no subscriber, the device is closed, or the memory was freed
     * @throws DocaException if the SDK refuses
     */
    SyncEvent start();

    /**
     * Returns a builder of an event that tasks of an engine use. Later changes of this builder do not affect it.
     *
     * @return a builder with this device, these locations and this memory
     * @throws IllegalStateException if there is no publisher or no subscriber
     */
    SyncEventContextBuilder tasks();
}
