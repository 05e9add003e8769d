/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Connections by their native pointers. Sorted by pointer; lookups allocate nothing. */
final class ConnectionTable {

    private long[] pointers = {};
    private RdmaConnectionImpl[] connections = {};

    /** Adds a connection, or replaces the one with the same pointer. */
    void put(long pointer, RdmaConnectionImpl connection) {
        int at = Arrays.binarySearch(pointers, pointer);
        if (at < 0) {
            at = -at - 1;
            pointers = Arrays.copyOf(pointers, pointers.length + 1);
            connections = Arrays.copyOf(connections, connections.length + 1);
            int moved = pointers.length - 1 - at;
            System.arraycopy(pointers, at, pointers, at + 1, moved);
            System.arraycopy(connections, at, connections, at + 1, moved);
        }
        pointers[at] = pointer;
        connections[at] = connection;
    }

    /** Returns the connection with a pointer, which may have ended; null if none. */
    @Nullable
    RdmaConnectionImpl get(long pointer) {
        int at = Arrays.binarySearch(pointers, pointer);
        return at < 0 ? null : connections[at];
    }

    void clear() {
        pointers = new long[0];
        connections = new RdmaConnectionImpl[0];
    }
}
