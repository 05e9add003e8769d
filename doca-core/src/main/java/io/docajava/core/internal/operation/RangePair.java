/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.MapState;
import org.jspecify.annotations.Nullable;

/**
 * The operands of an operation on ranges, which were checked.
 *
 * @param source the map that is read; null if the operation reads none
 * @param sourceAddress the address of the first byte to read
 * @param destination the map that is written to; null if the operation writes to none
 * @param destinationAddress the address of the first byte to write
 * @param length the number of bytes to read; if a peer fills the destination, the room there
 */
public record RangePair(
        @Nullable MapState source,
        long sourceAddress,
        @Nullable MapState destination,
        long destinationAddress,
        long length) {

    /** Returns whether the owner of some of the memory can free it, so that {@link #checkAlive()} must be called. */
    boolean isFreeable() {
        return isFreeable(source) || isFreeable(destination);
    }

    /**
     * Refuses memory that its owner has freed although its map is open.
     *
     * @throws IllegalStateException if memory was freed
     */
    void checkAlive() {
        checkAlive(source);
        checkAlive(destination);
    }

    private static boolean isFreeable(@Nullable MapState map) {
        return map != null && map.isFreeable();
    }

    private static void checkAlive(@Nullable MapState map) {
        if (map != null) {
            map.checkAlive();
        }
    }
}
