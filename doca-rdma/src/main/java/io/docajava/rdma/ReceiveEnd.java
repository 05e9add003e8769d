/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An ended receive, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes
 * another receive by the same object.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class ReceiveEnd {

    private @Nullable RdmaConnection connection;
    private @Nullable ReceivedKind kind;
    private @Nullable Buf buffer;
    private @Nullable MapState map;
    private long address;
    private long room;
    private long bytes;
    private long tag;
    private int immediate;

    ReceiveEnd() {}

    /** Describes another receive; one that has failed has no kind and no connection. */
    void set(
            Operation operation,
            long newBytes,
            @Nullable ReceivedKind newKind,
            int newImmediate,
            @Nullable RdmaConnection newConnection) {
        if (newConnection != connection) {
            connection = newConnection;
        }
        if (newKind != kind) {
            kind = newKind;
        }
        Buf newBuffer = operation.local();
        if (newBuffer != buffer) {
            buffer = newBuffer;
        }
        MapState newMap = operation.isOnRanges() ? operation.destinationMap() : null;
        if (newMap != map) {
            map = newMap;
        }
        address = operation.destinationAddress();
        room = operation.bytes();
        bytes = newBytes;
        immediate = newImmediate;
        tag = operation.tag();
    }

    /** {@return the number of bytes of the message, or that the peer has written to the memory it chose; 0 if the receive has failed} */
    public long bytes() {
        return bytes;
    }

    /**
     * {@return the operation of the peer}
     *
     * @throws IllegalStateException if the receive has failed
     */
    public ReceivedKind kind() {
        return received(kind);
    }

    /** {@return the 4 bytes of immediate data as a number; 0 if {@link #kind()} has none, or the receive has failed} */
    public int immediate() {
        return immediate;
    }

    /**
     * {@return the connection on which the peer sent or wrote}
     *
     * @throws IllegalStateException if the receive has failed
     */
    public RdmaConnection connection() {
        return received(connection);
    }

    /** {@return the tag that the receive was posted with; 0 if it had none} */
    public long tag() {
        return tag;
    }

    /** {@return the range of the receive, whose first {@link #bytes()} a send has filled; empty for a receive without a range} */
    public Optional<MapRange> range() {
        return map == null ? Optional.empty() : Optional.of(MmapImpl.range(map, address, room));
    }

    /** {@return the buffer of the receive, whose data has grown by the message of a send; empty for a receive without a buffer} */
    public Optional<Buf> buffer() {
        return Optional.ofNullable(buffer);
    }

    private static <T> T received(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The receive has failed: nobody has sent");
        }
        return value;
    }

    @Override
    public String toString() {
        return kind == null ? "failed receive" : "receive of " + bytes + " bytes on " + connection;
    }
}
