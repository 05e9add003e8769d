/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.ReceiveEnd;
import io.docajava.rdma.ReceivedKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link ReceiveEnd}. */
public final class ReceiveEndImpl implements ReceiveEnd {

    private @Nullable RdmaConnection connection;
    private @Nullable ReceivedKind kind;
    private @Nullable Buf buffer;
    private @Nullable MapState map;
    private long address;
    private long room;
    private long bytes;
    private long tag;
    private int immediate;

    ReceiveEndImpl() {}

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

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public ReceivedKind kind() {
        return received(kind);
    }

    @Override
    public int immediate() {
        return immediate;
    }

    @Override
    public RdmaConnection connection() {
        return received(connection);
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public Optional<MapRange> range() {
        return map == null ? Optional.empty() : Optional.of(MmapImpl.range(map, address, room));
    }

    @Override
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
