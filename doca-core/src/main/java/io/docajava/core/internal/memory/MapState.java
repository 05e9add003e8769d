/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.core.internal.lifecycle.Resource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The state of a memory map, which buffers and contexts share. Safe for use by many threads. */
public final class MapState {

    /** Added to the number of buffers while the map refuses them, which makes the number negative. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private static final long[] NONE = {};

    private final long pointer;
    private final long base;
    private final long length;
    private final @Nullable MemorySegment memory;
    private final boolean freeable;
    /** Null if the memory belongs to this process. */
    private final @Nullable RemoteSpace space;

    private final Grants grants;

    private final boolean isWritable;
    private final boolean isPlain;
    private final long device;
    /** The other devices. Most maps have only one, which each operation checks. */
    private final long[] moreDevices;

    private final Resource resource;
    /** The number of buffers and operations that keep the map open. */
    private final AtomicInteger buffers = new AtomicInteger();
    /** The operations among them. */
    private final AtomicInteger operations = new AtomicInteger();
    /** The contexts whose operations may have kept buffers over the map. */
    private final CopyOnWriteArrayList<MapHolder> holders = new CopyOnWriteArrayList<>();

    private MapState(
            long pointer,
            long base,
            long length,
            @Nullable MemorySegment memory,
            boolean freeable,
            @Nullable RemoteSpace space,
            Grants grants,
            long[] devices,
            Resource resource) {
        this.pointer = pointer;
        this.base = base;
        this.length = length;
        this.memory = memory;
        this.freeable = freeable;
        this.space = space;
        this.grants = grants;
        this.isWritable = grants.missingToWrite() == null;
        this.isPlain = !freeable && grants.missingToRead() == null;
        this.device = devices[0];
        this.moreDevices = devices.length == 1 ? NONE : Arrays.copyOfRange(devices, 1, devices.length);
        this.resource = resource;
    }

    /**
     * Describes a started map of memory of this process.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param memory that is mapped; this object keeps it reachable
     * @param freeable whether the user may free it while it is mapped
     * @param missingToWrite the permission that devices lack to write to it, or null
     * @param devices pointers to the {@code doca_dev}s that it is registered with, at least one
     * @param resource its life
     */
    public static MapState local(
            long pointer,
            MemorySegment memory,
            boolean freeable,
            @Nullable String missingToWrite,
            long[] devices,
            Resource resource) {
        Grants grants = new Grants(null, missingToWrite, null, null, null);
        return new MapState(
                pointer, memory.address(), memory.byteSize(), memory, freeable, null, grants, devices, resource);
    }

    /**
     * Describes a map of memory of another process.
     *
     * @param pointer to the native {@code doca_mmap}
     * @param base the address of its first byte, in that process
     * @param length in bytes
     * @param descriptor from which it was imported
     * @param grants the permissions that the other process grants
     * @param device pointer to the {@code doca_dev} that it was imported for
     * @param resource its life
     */
    public static MapState imported(
            long pointer, long base, long length, byte[] descriptor, Grants grants, long device, Resource resource) {
        RemoteSpace space = new RemoteSpace(descriptor);
        return new MapState(pointer, base, length, null, false, space, grants, new long[] {device}, resource);
    }

    /** Returns the pointer to the native {@code doca_mmap}. */
    public long pointer() {
        return pointer;
    }

    public Resource resource() {
        return resource;
    }

    /** Returns the address of the first byte, in the process that owns it. */
    public long base() {
        return base;
    }

    /** Returns the length in bytes. */
    public long length() {
        return length;
    }

    /** Returns whether devices may write to the memory, as far as is known. */
    public boolean isWritable() {
        return isWritable;
    }

    /** Returns the permissions of devices. For memory of this process, only {@link Grants#missingToWrite()} may be missing. */
    public Grants grants() {
        return grants;
    }

    /** Returns whether the memory belongs to another process. */
    public boolean isImported() {
        return space != null;
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
     * Returns whether equal addresses in this map and another one are the same byte: both maps are of this process, or were
     * imported from equal descriptors. Separate exports of one process are not recognized. Allocates nothing.
     */
    public boolean sharesAddressesWith(MapState other) {
        RemoteSpace mine = space;
        RemoteSpace theirs = other.space;
        return mine == null ? theirs == null : theirs != null && mine.isSame(theirs);
    }

    /**
     * Refuses memory that its owner has freed although the map is open. Called before each use by a device.
     *
     * @throws IllegalStateException if the memory was freed
     */
    public void checkAlive() {
        if (freeable && memory != null && !memory.scope().isAlive()) {
            throw new IllegalStateException("The memory of " + this + " was freed while it was mapped");
        }
    }

    /** Returns whether the user may free the memory while it is mapped, so that {@link #checkAlive()} must be called. */
    public boolean isFreeable() {
        return freeable;
    }

    /**
     * Returns quickly whether a device, given by its native pointer, can read the memory. If not, slower checks find the reason.
     */
    public boolean isUsableBy(long anyDevice) {
        return device == anyDevice && isPlain;
    }

    /** Returns whether a range is inside the map. */
    public boolean contains(long offset, long bytes) {
        return (offset | bytes) >= 0 && offset <= length - bytes;
    }

    /** Returns the exception for a range for which {@link #contains} is false. */
    public IndexOutOfBoundsException outside(long offset, long bytes) {
        return new IndexOutOfBoundsException(
                "A range of " + bytes + " bytes at " + offset + " is not inside of " + this);
    }

    /** Returns the address of a byte in this map as its offset, for messages. */
    public String place(long address) {
        return (address - base) + " of " + this;
    }

    /**
     * Counts a buffer that points into the map, which cannot be closed until {@link #release()}.
     *
     * @throws IllegalStateException if the map is closed, or its memory was freed
     */
    public void hold() {
        checkAlive();
        int count;
        do {
            count = buffers.get();
            if (count < 0) {
                throw new IllegalStateException(this + " is closed");
            }
        } while (!buffers.compareAndSet(count, count + 1));
    }

    /** Reverts {@link #hold()}. */
    public void release() {
        buffers.decrementAndGet();
    }

    /**
     * Counts an operation that will use the map, which cannot be closed until {@link #releaseOperation()}.
     *
     * @throws IllegalStateException if the map is closed, or its memory was freed
     */
    public void holdForOperation() {
        hold();
        operations.incrementAndGet();
    }

    /** Reverts {@link #holdForOperation()}. */
    public void releaseOperation() {
        operations.decrementAndGet();
        release();
    }

    /** Adds a context that may keep buffers over the map from now on. Adding it again does nothing. */
    public void addHolder(MapHolder holder) {
        holders.addIfAbsent(holder);
    }

    /** Removes a context that keeps no buffer over the map any more. */
    public void removeHolder(MapHolder holder) {
        holders.remove(holder);
    }

    /**
     * Refuses buffers that point into the map from now on, and takes back those of idle operations.
     *
     * @throws IllegalStateException if buffers point into the map, or pending operations use it
     */
    public void retire() {
        buffers.addAndGet(RETIRED);
        try {
            checkUnused();
        } catch (Throwable failure) {
            revive();
            throw failure;
        }
        holders.clear();
    }

    private void checkUnused() {
        if (buffers.get() == RETIRED) {
            return;
        }
        int bound = 0;
        List<String> users = new ArrayList<>();
        for (MapHolder holder : holders) {
            int left = holder.release(this);
            if (left > 0) {
                bound += left;
                users.add(holder.description());
            }
        }
        int count = buffers.get() - RETIRED - bound;
        int pending = Math.min(operations.get(), count);
        if (count > pending) {
            count -= pending;
            throw new IllegalStateException(this + " cannot be closed while " + count
                    + (count == 1 ? " buffer" : " buffers") + BufElements.ownersIn(this)
                    + (count == 1 ? " points" : " point") + " into it");
        }
        if (pending > 0) {
            throw new IllegalStateException(this + " cannot be closed while " + pending
                    + (pending == 1 ? " pending operation uses it" : " pending operations use it"));
        }
        if (bound > 0) {
            throw new IllegalStateException(
                    this + " cannot be closed while operations in flight use it: " + String.join(", ", users));
        }
    }

    /** Reverts {@link #retire()}. */
    public void revive() {
        // The second addition overflows.
        buffers.addAndGet(RETIRED);
    }

    @Override
    public String toString() {
        return resource.description();
    }

    /** The address space of the process that has exported a descriptor. */
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
