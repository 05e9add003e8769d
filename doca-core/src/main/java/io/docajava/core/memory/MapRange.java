/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A range of the memory of a map, for operations of devices. It is a value: it holds nothing, any thread may create and use it, and
 * it may outlive the map. Operations on a range of a closed map are refused.
 *
 * @param map the map
 * @param offset of the first byte in the map
 * @param length in bytes; 0 for an empty range
 */
public record MapRange(Mmap map, long offset, long length) {

    /**
     * Creates a range, as {@link Mmap#range} does.
     *
     * @throws IndexOutOfBoundsException if the range is not inside the map
     */
    public MapRange {
        Objects.requireNonNull(map, "map");
        MapState state = MmapImpl.state(map);
        if (!state.contains(offset, length)) {
            throw state.outside(offset, length);
        }
    }

    /**
     * {@return a part of this range}
     *
     * @param start the offset of its first byte in this range
     * @param bytes its length
     * @throws IndexOutOfBoundsException if the part is not inside this range
     */
    public MapRange slice(long start, long bytes) {
        Objects.checkFromIndexSize(start, bytes, length);
        return new MapRange(map, offset + start, bytes);
    }

    /**
     * {@return the bytes of this range, in memory of this process}
     *
     * @throws IllegalStateException as {@link Mmap#segment()}
     */
    public MemorySegment segment() {
        return map.segment().asSlice(offset, length);
    }

    @Override
    public String toString() {
        return length + " bytes at " + offset + " of " + map;
    }
}
