/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.MapState;

/**
 * The operands of an operation from one range to another of the same length, which were checked.
 *
 * @param sourceAddress the address of the first byte to read
 * @param destinationAddress the address of the first byte to write
 */
public record RangePair(
        MapState source, long sourceAddress, MapState destination, long destinationAddress, long length) {

    /** Returns whether the owner of some of the memory can free it, so that {@link #checkAlive()} must be called. */
    boolean isFreeable() {
        return source.isFreeable() || destination.isFreeable();
    }

    /**
     * Refuses memory that its owner has freed although its map is open.
     *
     * @throws IllegalStateException if memory was freed
     */
    void checkAlive() {
        source.checkAlive();
        destination.checkAlive();
    }
}
