/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Connections by their native pointers, in an order in which one is found without anything being allocated. */
final class ConnectionTable {

    private long[] pointers = {};
    private RdmaConnection[] connections = {};

    /** Puts a connection in the place of one that had the same pointer, if there was one. */
    void put(long pointer, RdmaConnection connection) {
        int at = Arrays.binarySearch(pointers, pointer);
        if (at < 0) {
            at = -at - 1;
            pointers = Arrays.copyOf(pointers, pointers.length + 1);
            connections = Arrays.copyOf(connections, connections.length + 1);
            int behind = pointers.length - 1 - at;
            System.arraycopy(pointers, at, pointers, at + 1, behind);
            System.arraycopy(connections, at, connections, at + 1, behind);
        }
        pointers[at] = pointer;
        connections[at] = connection;
    }

    /** The connection with a pointer, which may be over. */
    @Nullable
    RdmaConnection get(long pointer) {
        int at = Arrays.binarySearch(pointers, pointer);
        return at < 0 ? null : connections[at];
    }

    void clear() {
        pointers = new long[0];
        connections = new RdmaConnection[0];
    }
}
