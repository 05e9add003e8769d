/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaTaskType;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link OperationEnd}. */
public final class OperationEndImpl implements OperationEnd {

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

    OperationEndImpl() {}

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

    @Override
    public RdmaConnection connection() {
        return Objects.requireNonNull(connection);
    }

    @Override
    public RdmaTaskType type() {
        return Objects.requireNonNull(type);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long result() {
        return result;
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public Optional<Buf> buffer() {
        return Optional.ofNullable(buffer);
    }

    @Override
    public Optional<MapRange> local() {
        return type == RdmaTaskType.READ
                ? range(destination, destinationAddress)
                : isRemote(type) ? Optional.empty() : range(source, sourceAddress);
    }

    @Override
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
        StackGuard.check();
        return NativeTaskType.words(type()) + " of " + bytes() + " bytes on " + connection();
    }
}
