/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.MapHolder;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.submission.Slots;
import org.jspecify.annotations.Nullable;

/**
 * The native buffers of one operation on ranges: at most one over a map that is read and one over a map that is written to. They
 * stay when the operation has ended, so that the next operation on the same maps only sets their data segments. {@link Operation}
 * owns it.
 */
@SuppressWarnings("ReferenceEquality") // compares object identity on purpose
final class SlotBuffers {

    private static final int SOURCE = 1;
    private static final int DESTINATION = 2;
    private static final int BOTH = SOURCE + DESTINATION;

    private final OperationPool pool;
    private final OperationType type;
    private final int index;
    /** True if a peer decides how many bytes the destination gets. The buffer then ends with the range, not with the map. */
    private final boolean filledByPeer;

    /** The address of the native slot; 0 before the first operation on ranges. */
    private long slot;

    private @Nullable MapState source;
    private @Nullable MapState destination;
    private long filledAddress;
    private long filledLength;

    /** The buffers that the native task does not have: none, or the sum of {@link #SOURCE} and {@link #DESTINATION}. */
    private int missing = BOTH;

    SlotBuffers(int index, OperationPool pool, OperationType type) {
        this.index = index;
        this.pool = pool;
        this.type = type;
        this.filledByPeer = type.isFilledByPeer();
    }

    /** Returns whether the native task has buffers over these maps. */
    boolean areOver(@Nullable MapState newSource, @Nullable MapState newDestination) {
        return areSet() && newSource == source && newDestination == destination;
    }

    /** Returns whether the native task has buffers for these operands. */
    boolean areFor(@Nullable MapState newSource, @Nullable MapState newDestination, long address, long length) {
        return areOver(newSource, newDestination) && (!filledByPeer || areFilled(address, length));
    }

    private boolean areFilled(long address, long length) {
        return filledAddress == address && filledLength == length;
    }

    /** Returns whether the native task has the buffers, and not those of another operation. */
    boolean areSet() {
        return missing == 0;
    }

    /** Returns whether the native task must be given the buffer of a role. */
    boolean isNew(BufferRole role) {
        return switch (role) {
            case NONE -> false;
            case SOURCE -> (missing & SOURCE) != 0;
            case DESTINATION, REMOTE_DESTINATION -> (missing & DESTINATION) != 0;
        };
    }

    /**
     * Gets buffers for operands. The native task does not have them before {@link #set}.
     *
     * @param address the destination's address
     * @param length the room there, if a peer fills it
     * @throws IllegalArgumentException if the device cannot use a map in this way
     * @throws IllegalStateException if a map is closed or its memory was freed
     */
    void bind(@Nullable MapState newSource, @Nullable MapState newDestination, long address, long length) {
        type.checkMaps(newSource, newDestination);
        slot = pool.ranges().slot(index);
        if (newSource != source) {
            bindSource(newSource);
        }
        if (newDestination == null || !filledByPeer) {
            if (newDestination != destination) {
                bindDestination(newDestination);
            }
        } else if (newDestination != destination || !areFilled(address, length)) {
            bindDestination(newDestination, address, length);
            filledAddress = address;
            filledLength = length;
        }
    }

    private void bindSource(@Nullable MapState map) {
        missing |= SOURCE;
        Slots.setSource(slot, pool.ranges().replace(source, Slots.source(slot), map));
        source = map;
    }

    private void bindDestination(@Nullable MapState map) {
        missing |= DESTINATION;
        Slots.setDestination(slot, pool.ranges().replace(destination, Slots.destination(slot), map));
        destination = map;
    }

    private void bindDestination(MapState map, long address, long length) {
        missing |= DESTINATION;
        Slots.setDestination(slot, pool.ranges().replace(destination, Slots.destination(slot), map, address, length));
        destination = map;
    }

    /** Records that the native task has the buffers. */
    void set(long task) {
        Slots.setTask(slot, task);
        missing = 0;
    }

    /** Records that the native task may have other buffers, or does not exist any more. */
    void unset() {
        missing = BOTH;
    }

    /** Returns how many buffers are over a map. */
    int uses(MapState map) {
        return (source == map ? 1 : 0) + (destination == map ? 1 : 0);
    }

    /** Gives back the buffers over a map. The native task is not in flight. */
    void unbind(MapState map) {
        if (source == map) {
            bindSource(null);
        }
        if (destination == map) {
            bindDestination(null);
        }
    }

    /** Gives back all buffers when the context is being destroyed. */
    void unbindAll(MapHolder holder) {
        MapState read = source;
        if (read != null) {
            bindSource(null);
            read.removeHolder(holder);
        }
        MapState written = destination;
        if (written != null) {
            bindDestination(null);
            written.removeHolder(holder);
        }
    }

    /** Returns the address of the native slot. */
    long address() {
        return slot;
    }

    /** Returns the pointer to the buffer that is read. */
    long sourcePointer() {
        return Slots.source(slot);
    }

    /** Returns the pointer to the buffer that is written to. */
    long destinationPointer() {
        return Slots.destination(slot);
    }

    /** Returns the pointer to the buffer of a role, or 0. */
    long pointer(BufferRole role) {
        return switch (role) {
            case NONE -> 0;
            case SOURCE -> sourcePointer();
            case DESTINATION, REMOTE_DESTINATION -> destinationPointer();
        };
    }

    @Nullable
    MapState source() {
        return source;
    }

    @Nullable
    MapState destination() {
        return destination;
    }
}
