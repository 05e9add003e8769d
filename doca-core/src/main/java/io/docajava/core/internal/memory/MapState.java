/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.internal.lifecycle.Resource;
import java.util.concurrent.atomic.AtomicInteger;

/** What buffers and contexts need to know of a memory map. Safe for use by many threads. */
public final class MapState {

    private final long pointer;
    private final long base;
    private final long length;
    private final boolean writable;
    private final long device;
    private final Resource resource;
    private final AtomicInteger buffers = new AtomicInteger();

    /**
     * Describes a started map.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param base address of the first byte
     * @param length in bytes
     * @param writable whether the devices may write to it
     * @param device pointer to the {@code doca_dev} that it is registered with
     * @param resource its life
     */
    public MapState(long pointer, long base, long length, boolean writable, long device, Resource resource) {
        this.pointer = pointer;
        this.base = base;
        this.length = length;
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
     * Counts a buffer that points into the map, which cannot be closed until {@link #release()}.
     *
     * @throws IllegalStateException if the map is closed
     */
    public void hold() {
        // Counted before the check: a thread that closes the map meanwhile sees one or the other.
        buffers.incrementAndGet();
        try {
            resource.checkOpen();
        } catch (IllegalStateException e) {
            buffers.decrementAndGet();
            throw e;
        }
    }

    /** Takes {@link #hold()} back. */
    public void release() {
        buffers.decrementAndGet();
    }

    /** How many buffers point into the map. */
    public int buffers() {
        return buffers.get();
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
