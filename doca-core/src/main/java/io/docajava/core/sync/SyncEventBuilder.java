/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Configures an event of this process: who publishes, who subscribes, and where the value is. For one thread at a time. */
public final class SyncEventBuilder {

    private final Device device;
    private final Set<SyncLocation> publishers = EnumSet.noneOf(SyncLocation.class);
    private final Set<SyncLocation> subscribers = EnumSet.noneOf(SyncLocation.class);
    private @Nullable EventMemory memory;

    SyncEventBuilder(Device device) {
        this.device = Objects.requireNonNull(device, "device");
    }

    /**
     * Adds a location from which the value is changed ({@code doca_sync_event_add_publisher_location_...}). An event has at
     * least one.
     *
     * @throws UnsupportedOperationException if it is {@link SyncLocation#DPA} or {@link SyncLocation#GPU}
     */
    public SyncEventBuilder publisher(SyncLocation location) {
        Objects.requireNonNull(location, "location");
        location.checkSupported();
        publishers.add(location);
        return this;
    }

    /**
     * Adds a location from which the value is read and waited for ({@code doca_sync_event_add_subscriber_location_...}). An event
     * has at least one.
     *
     * @throws IllegalArgumentException if it is {@link SyncLocation#REMOTE_NET}
     * @throws UnsupportedOperationException if it is {@link SyncLocation#DPA} or {@link SyncLocation#GPU}
     */
    public SyncEventBuilder subscriber(SyncLocation location) {
        Objects.requireNonNull(location, "location");
        location.checkSupported();
        if (location == SyncLocation.REMOTE_NET) {
            throw new IllegalArgumentException(
                    "REMOTE_NET cannot be a subscriber of a sync event: it can be a publisher");
        }
        subscribers.add(location);
        return this;
    }

    /**
     * Keeps the value in caller-owned memory that only the garbage collector can free: that of {@link Arena#global()} or
     * {@link Arena#ofAuto()} ({@code doca_sync_event_set_addr}). The event begins with the value that is there, and refers to
     * the memory until it is closed. Without this it has memory of its own.
     *
     * @param segment 8 bytes of native memory, at an address divisible by 8 that is not NULL
     * @throws IllegalArgumentException if it is anything else, read-only, of a file, or of another kind of arena or a buffer
     */
    public SyncEventBuilder memory(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        memory = EventMemory.lasting(segment);
        return this;
    }

    /**
     * Has the value in memory that the caller promises not to free before the event is closed; otherwise as {@link #memory}.
     * If its arena is closed earlier, this side refuses to use the event from then on, and closes it as any other. What is in
     * flight then, and processes that have imported the event, read and change what lies at its address by then, be it
     * somebody else's, or fail with {@link io.docajava.core.DocaError#IO_FAILED} where nothing does. The same holds for a
     * mapped file that is made shorter.
     *
     * @param segment 8 bytes of native memory, at an address divisible by 8 that is not NULL, which the calling thread can use
     * @throws IllegalArgumentException if it is anything else, or read-only
     * @throws IllegalStateException if it was freed or belongs to another thread
     */
    public SyncEventBuilder memoryUnowned(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        memory = EventMemory.unowned(segment);
        return this;
    }

    /**
     * Makes an event that is used by calls that return at once, and by waits ({@code doca_sync_event_create}, its locations and
     * memory, {@code doca_sync_event_start}).
     *
     * @throws IllegalStateException if there is no publisher or no subscriber, the device is closed, or the memory was freed
     * @throws DocaException if the SDK refuses
     */
    public SyncEvent start() {
        return new SyncEvent(device, origin());
    }

    /**
     * Goes on to an event that is used by tasks of an engine.
     *
     * @throws IllegalStateException if there is no publisher or no subscriber
     */
    public SyncEventContextBuilder tasks() {
        return new SyncEventContextBuilder(device, origin());
    }

    private EventOrigin origin() {
        if (publishers.isEmpty()) {
            throw new IllegalStateException("A sync event needs a publisher: add one by publisher(...)");
        }
        if (subscribers.isEmpty()) {
            throw new IllegalStateException("A sync event needs a subscriber: add one by subscriber(...)");
        }
        return new EventOrigin.Local(
                Collections.unmodifiableSet(EnumSet.copyOf(publishers)),
                Collections.unmodifiableSet(EnumSet.copyOf(subscribers)),
                memory);
    }

    /** Returns the device, the publishers and the subscribers. */
    @Override
    public String toString() {
        return "SyncEventBuilder on " + device.info().displayName() + " with publishers " + publishers
                + " and subscribers " + subscribers;
    }
}
