/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An ended operation on a connection, as its handler sees it. It is valid during the call of the handler, on that thread: the next
 * call describes another operation by the same object.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class OperationEnd {

    private @Nullable RdmaConnection connection;
    private @Nullable RdmaTaskType type;
    private @Nullable Buf buffer;
    private @Nullable MapState source;
    private @Nullable MapState destination;
    private long sourceAddress;
    private long destinationAddress;
    private long bytes;
    private long result;
    private long tag;

    OperationEnd() {}

    /** Describes another operation. */
    void set(RdmaConnection newConnection, RdmaTaskType newType, Operation operation, long newResult) {
        if (newConnection != connection) {
            connection = newConnection;
        }
        if (newType != type) {
            type = newType;
        }
        Buf newBuffer = operation.local();
        if (newBuffer != buffer) {
            buffer = newBuffer;
        }
        MapState newSource = operation.isOnRanges() ? operation.sourceMap() : null;
        if (newSource != source) {
            source = newSource;
        }
        MapState newDestination = operation.isOnRanges() ? operation.destinationMap() : null;
        if (newDestination != destination) {
            destination = newDestination;
        }
        sourceAddress = operation.sourceAddress();
        destinationAddress = operation.destinationAddress();
        bytes = operation.bytes();
        result = newResult;
        tag = operation.tag();
    }

    /** {@return the connection that the operation was submitted to} */
    public RdmaConnection connection() {
        return Objects.requireNonNull(connection);
    }

    /** {@return the type of the operation} */
    public RdmaTaskType type() {
        return Objects.requireNonNull(type);
    }

    /**
     * {@return the number of bytes that were to be sent, written, read or changed} They were if the operation has succeeded, except
     * for a read into a buffer with less room.
     */
    public long bytes() {
        return bytes;
    }

    /**
     * {@return for an atomic operation or an addition to a sync event, the value before it; for another operation on a sync event, the
     * value that was read or set; otherwise the number of bytes} It is 0 if the operation has failed.
     */
    public long result() {
        return result;
    }

    /** {@return the tag that the operation was submitted with; 0 if it had none} */
    public long tag() {
        return tag;
    }

    /** {@return the buffer of this side: the source of a send or write, or the target of a read; empty for operations on ranges} */
    public Optional<Buf> buffer() {
        return Optional.ofNullable(buffer);
    }

    /** {@return the range of this side; empty for operations on buffers, and for those without a range of this side} */
    public Optional<MapRange> local() {
        return type == RdmaTaskType.READ
                ? range(destination, destinationAddress)
                : isRemote(type) ? Optional.empty() : range(source, sourceAddress);
    }

    /** {@return the range of the peer's memory; empty for operations on buffers, and for those without a range of the peer} */
    public Optional<MapRange> remote() {
        return isRemote(type) ? range(source, sourceAddress) : range(destination, destinationAddress);
    }

    /** Returns whether the operation reads memory of the peer. */
    private static boolean isRemote(@Nullable RdmaTaskType type) {
        return type == RdmaTaskType.READ
                || type == RdmaTaskType.ATOMIC_CMP_SWP
                || type == RdmaTaskType.ATOMIC_FETCH_ADD;
    }

    private Optional<MapRange> range(@Nullable MapState map, long address) {
        return map == null ? Optional.empty() : Optional.of(MmapImpl.range(map, address, bytes));
    }

    @Override
    public String toString() {
        return type().words() + " of " + bytes() + " bytes on " + connection();
    }
}
