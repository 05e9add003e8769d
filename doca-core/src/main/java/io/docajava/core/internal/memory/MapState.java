/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.internal.lifecycle.Resource;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** What buffers and contexts need to know of a memory map. Safe for use by many threads. */
public final class MapState {

    /** Added to the number of buffers while the map can have none, which makes it negative. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private final long pointer;
    private final MemorySegment memory;
    private final long base;
    private final long length;
    private final boolean lent;
    private final boolean writable;
    private final long device;
    private final Resource resource;
    private final AtomicInteger buffers = new AtomicInteger();

    /**
     * Describes a started map.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param memory that is mapped; it stays reachable as long as this is
     * @param lent whether the memory is the user's, who may free it
     * @param writable whether the devices may write to it
     * @param device pointer to the {@code doca_dev} that it is registered with
     * @param resource its life
     */
    public MapState(
            long pointer, MemorySegment memory, boolean lent, boolean writable, long device, Resource resource) {
        this.pointer = pointer;
        this.memory = memory;
        this.base = memory.address();
        this.length = memory.byteSize();
        this.lent = lent;
        this.writable = writable;
        this.device = device;
        this.resource = resource;
    }

    /** The pointer to the native {@code doca_mmap}. */
    public long pointer() {
        return pointer;
    }

    /** The address of the first byte. */
    public long base() {
        return base;
    }

    /** The length in bytes. */
    public long length() {
        return length;
    }

    /** Whether devices may write to the memory. */
    public boolean isWritable() {
        return writable;
    }

    /** Whether the map is registered with a device, given by its native pointer. */
    public boolean isRegisteredWith(long otherDevice) {
        return device == otherDevice;
    }

    /**
     * Refuses memory that its owner has freed, although the map is open. To be asked before every use by a device.
     *
     * @throws IllegalStateException if the memory was freed
     */
    public void checkAlive() {
        if (lent && !memory.scope().isAlive()) {
            throw new IllegalStateException("The memory of " + this + " was freed while it was mapped");
        }
    }

    /**
     * Counts a buffer that points into the map, which cannot be closed until {@link #release()}.
     *
     * @throws IllegalStateException if the map is closed, or its memory was freed
     */
    public void hold() {
        checkAlive();
        if (buffers.incrementAndGet() <= 0) {
            buffers.decrementAndGet();
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Takes {@link #hold()} back. */
    public void release() {
        buffers.decrementAndGet();
    }

    /**
     * Lets no buffer point into the map any more.
     *
     * @throws IllegalStateException if there are buffers that do
     */
    public void retire() {
        while (!buffers.compareAndSet(0, RETIRED)) {
            int count = buffers.get();
            if (count > 0) {
                throw new IllegalStateException(this + " cannot be closed while " + count
                        + (count == 1 ? " buffer points" : " buffers point") + " into it");
            }
        }
    }

    /** Takes {@link #retire()} back. */
    public void revive() {
        // Added a second time it overflows to nothing; what was counted meanwhile is about to be taken back.
        buffers.addAndGet(RETIRED);
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
