/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.internal.lifecycle.Resource;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** State of a memory map, of this process or another one, that buffers and contexts share. Safe for use by many threads. */
public final class MapState {

    /** Added to the number of buffers while the map can have none, which makes it negative. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private static final long[] NONE = {};

    private final long pointer;
    private final long base;
    private final long length;
    private final @Nullable MemorySegment memory;
    private final boolean freeable;
    private final @Nullable RemoteSpace space;
    private final @Nullable String missingToWrite;
    /** Null where the memory is of this process. */
    private final @Nullable Grants grants;

    private final boolean isPlain;
    private final long device;
    /** Most maps have one device; it is asked for at each operation. */
    private final long[] moreDevices;

    private final Resource resource;
    private final AtomicInteger buffers = new AtomicInteger();

    private MapState(
            long pointer,
            long base,
            long length,
            @Nullable MemorySegment memory,
            boolean freeable,
            @Nullable RemoteSpace space,
            @Nullable String missingToWrite,
            @Nullable Grants grants,
            long[] devices,
            Resource resource) {
        this.pointer = pointer;
        this.base = base;
        this.length = length;
        this.memory = memory;
        this.freeable = freeable;
        this.space = space;
        this.missingToWrite = missingToWrite;
        this.grants = grants;
        this.isPlain = !freeable && (grants == null || grants.missingToRead() == null);
        this.device = devices[0];
        this.moreDevices = devices.length == 1 ? NONE : Arrays.copyOfRange(devices, 1, devices.length);
        this.resource = resource;
    }

    /**
     * Describes a started map of memory of this process.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param memory that is mapped; it stays reachable as long as this is
     * @param freeable whether the user may free it while it is mapped
     * @param missingToWrite the permission that devices lack to write to it; null where they may
     * @param devices pointers to each {@code doca_dev} that it is registered with, at least one
     * @param resource its life
     */
    public static MapState local(
            long pointer,
            MemorySegment memory,
            boolean freeable,
            @Nullable String missingToWrite,
            long[] devices,
            Resource resource) {
        return new MapState(
                pointer,
                memory.address(),
                memory.byteSize(),
                memory,
                freeable,
                null,
                missingToWrite,
                null,
                devices,
                resource);
    }

    /**
     * Describes a map of memory of another process.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param base the address of its first byte, in that process
     * @param length in bytes
     * @param descriptor what it was imported by
     * @param grants what that process lets this one do with it
     * @param device pointer to the {@code doca_dev} that it was imported for
     * @param resource its life
     */
    public static MapState imported(
            long pointer, long base, long length, byte[] descriptor, Grants grants, long device, Resource resource) {
        return new MapState(
                pointer,
                base,
                length,
                null,
                false,
                new RemoteSpace(descriptor),
                grants.missingToWrite(),
                grants,
                new long[] {device},
                resource);
    }

    /** The pointer to the native {@code doca_mmap}. */
    public long pointer() {
        return pointer;
    }

    /** The life of the map. */
    public Resource resource() {
        return resource;
    }

    /** The address of the first byte, in the process that it belongs to. */
    public long base() {
        return base;
    }

    /** The length in bytes. */
    public long length() {
        return length;
    }

    /** Returns whether devices may write to the memory, as far as is known. */
    public boolean isWritable() {
        return missingToWrite == null;
    }

    /** The name of the permission that devices lack to write to the memory; null where they may. */
    public @Nullable String missingToWrite() {
        return missingToWrite;
    }

    /** The name of the permission that devices lack to read the memory; null where they may. */
    public @Nullable String missingToRead() {
        return grants == null ? null : grants.missingToRead();
    }

    /** Returns whether the memory belongs to another process. */
    public boolean isImported() {
        return grants != null;
    }

    /**
     * The name of the permission that this process lacks to read memory of another one by RDMA; null where it may, and for
     * memory of its own, which is no peer's.
     */
    public @Nullable String missingForRdmaReads() {
        return grants == null ? null : grants.missingForRdmaReads();
    }

    /** As {@link #missingForRdmaReads()}, to write by RDMA. */
    public @Nullable String missingForRdmaWrites() {
        return grants == null ? null : grants.missingForRdmaWrites();
    }

    /** As {@link #missingForRdmaReads()}, for atomic operations. */
    public @Nullable String missingForRdmaAtomics() {
        return grants == null ? null : grants.missingForRdmaAtomics();
    }

    /** Returns whether the map is registered with a device, given by its native pointer. Allocates nothing. */
    public boolean isRegisteredWith(long otherDevice) {
        return device == otherDevice || (moreDevices.length > 0 && isAnotherDevice(otherDevice));
    }

    private boolean isAnotherDevice(long otherDevice) {
        for (long one : moreDevices) {
            if (one == otherDevice) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether equal addresses in this map and another one mean the same byte: both are of this process, or both were
     * imported by equal descriptors. Two maps of a process that were exported apart are not known to be of one. Allocates
     * nothing.
     */
    public boolean sharesAddressesWith(MapState other) {
        RemoteSpace mine = space;
        RemoteSpace theirs = other.space;
        return mine == null ? theirs == null : theirs != null && mine.isSame(theirs);
    }

    /**
     * Refuses memory that its owner has freed, although the map is open. To be asked before every use by a device.
     *
     * @throws IllegalStateException if the memory was freed
     */
    public void checkAlive() {
        if (freeable && memory != null && !memory.scope().isAlive()) {
            throw new IllegalStateException("The memory of " + this + " was freed while it was mapped");
        }
    }

    /** True if the user may free the memory while it is mapped, so that {@link #checkAlive()} must be called. */
    public boolean isFreeable() {
        return freeable;
    }

    /** Returns whether a device, given by its native pointer, can read the memory: a quick answer without the reason. */
    public boolean isUsableBy(long anyDevice) {
        return device == anyDevice && isPlain;
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
                        + (count == 1 ? " buffer" : " buffers") + BufElements.ownersIn(this)
                        + (count == 1 ? " points" : " point") + " into it");
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

    /** The addresses of the process behind a descriptor. */
    private static final class RemoteSpace {

        private final byte[] descriptor;
        private final int hash;

        RemoteSpace(byte[] descriptor) {
            this.descriptor = descriptor;
            this.hash = Arrays.hashCode(descriptor);
        }

        boolean isSame(RemoteSpace other) {
            return this == other || (hash == other.hash && Arrays.equals(descriptor, other.descriptor));
        }
    }
}
