/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.device.Device;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaLimits;
import io.docajava.rdma.RdmaTaskType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the buffers of operations. The SDK does not check them, or stops the whole context because of them. The checks make no
 * native call and allocate nothing.
 */
final class OperationCheck {

    private final String device;
    private final long devicePointer;
    private final long maxMessageSize;
    private final long maxSendListLength;
    private final long maxReceiveListLength;

    OperationCheck(Device device, RdmaCapabilities capabilities, RdmaLimits limits) {
        this.device = device.info().displayName();
        this.devicePointer = DeviceImpl.address(device);
        this.maxMessageSize = capabilities.maxMessageSize();
        this.maxSendListLength = limits.maxSendListLength();
        this.maxReceiveListLength = limits.maxReceiveListLength();
    }

    /** Checks the buffers of an operation and returns the number of its bytes, as {@link ConnectionOperations#check} does. */
    long check(RdmaTaskType type, @Nullable BufElement local, @Nullable BufElement remote) {
        if (local != null && type == RdmaTaskType.READ) {
            checkUnused(local);
        } else if (local != null && local.isTarget()) {
            throw new IllegalStateException("The source is the target of another operation in flight");
        }
        if (remote != null && NativeTaskType.isWrite(type) && remote.isTarget()) {
            throw new IllegalStateException(
                    "The buffer to write to is used by another write in flight: take a buffer for each write");
        }
        return checkInGraph(type, local, remote);
    }

    /** Checks as {@link #check} does, but not for concurrent use of the buffers: tasks of the same graph may share them. */
    long checkInGraph(RdmaTaskType type, @Nullable BufElement local, @Nullable BufElement remote) {
        return switch (type) {
            case SEND, SEND_IMM -> checkSource(local);
            case WRITE, WRITE_IMM -> checkWrite(local, remote);
            case READ -> checkRead(local, remote);
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD -> checkAtomic(remote);
            case EVENT_GET, EVENT_SET, EVENT_ADD -> Long.BYTES;
            case RECEIVE -> throw new IllegalArgumentException("A receive is on no connection");
        };
    }

    void checkEvent(RemoteEvent event) {
        event.checkOpen();
        if (!event.isOf(devicePointer)) {
            throw new IllegalArgumentException(event + " was not imported for " + device);
        }
    }

    /**
     * Checks the ranges of an operation, except for what {@link #checkMaps} checks.
     *
     * @param source the map that is read; null if none is
     * @param destination the map that is written to; null if none is
     * @param length the bytes to move, or the room for a message that is received
     * @throws IllegalArgumentException if they do not fit the operation or exceed a limit of the device
     * @throws IllegalStateException if memory was freed while it was mapped
     */
    void checkRanges(
            RdmaTaskType type,
            @Nullable MapState source,
            long sourceAddress,
            @Nullable MapState destination,
            long length) {
        if (type == RdmaTaskType.ATOMIC_CMP_SWP || type == RdmaTaskType.ATOMIC_FETCH_ADD) {
            checkNumber(Objects.requireNonNull(source), sourceAddress, length);
        } else if (type != RdmaTaskType.RECEIVE) {
            checkSize(length);
        }
        if (source != null && source.isFreeable()) {
            source.checkAlive();
        }
        if (destination != null && destination.isFreeable()) {
            destination.checkAlive();
        }
    }

    private static void checkNumber(MapState map, long address, long length) {
        if (length != Long.BYTES) {
            throw new IllegalArgumentException("An atomic operation is on 8 bytes, and not on " + length);
        }
        if (address % Long.BYTES != 0) {
            throw new IllegalArgumentException("An atomic operation is on 8 bytes at an address that is divisible by 8;"
                    + " the range begins at 0x" + Long.toHexString(address) + ", " + map.place(address));
        }
    }

    /**
     * Checks whether the device can use maps for an operation on ranges.
     *
     * @throws IllegalArgumentException if it cannot
     */
    void checkMaps(RdmaTaskType type, @Nullable MapState source, @Nullable MapState destination) {
        switch (type) {
            case SEND, SEND_IMM -> checkLocal(Objects.requireNonNull(source), "source");
            case WRITE, WRITE_IMM -> {
                checkLocal(Objects.requireNonNull(source), "source");
                MapState remote = Objects.requireNonNull(destination);
                checkRemote(remote, remote.grants().missingForRdmaWrites(), "range to write to");
            }
            case READ -> {
                MapState remote = Objects.requireNonNull(source);
                checkRemote(remote, remote.grants().missingForRdmaReads(), "range to read from");
                checkTarget(Objects.requireNonNull(destination));
            }
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD -> {
                MapState remote = Objects.requireNonNull(source);
                checkRemote(remote, remote.grants().missingForRdmaAtomics(), "range to change");
            }
            case RECEIVE -> checkTarget(Objects.requireNonNull(destination));
            case EVENT_GET, EVENT_SET, EVENT_ADD -> throw new AssertionError("An operation on an event has no ranges");
        }
    }

    /** Checks the first buffer of a list to receive into; null if there is none. */
    void checkReceive(@Nullable BufElement target) {
        if (target != null) {
            checkUnused(target);
            checkTarget(target, maxReceiveListLength);
        }
    }

    private long checkWrite(@Nullable BufElement local, @Nullable BufElement remote) {
        long bytes = checkSource(local);
        if (remote == null) {
            if (bytes > 0) {
                throw new IllegalArgumentException(
                        "A write of " + bytes + " bytes needs a buffer of the peer's memory");
            }
            return 0;
        }
        checkRemote(remote, remote.map().grants().missingForRdmaWrites(), "buffer to write to");
        if (remote.dataLength() > 0) {
            throw new IllegalArgumentException("The buffer to write to has " + remote.dataLength()
                    + " bytes of data: clear it, or take one that is space");
        }
        if (remote.tailLength() < bytes) {
            throw new IllegalArgumentException(
                    "The buffer to write to has room for " + remote.tailLength() + " bytes; the source has " + bytes);
        }
        return bytes;
    }

    private long checkRead(@Nullable BufElement local, @Nullable BufElement remote) {
        if (local == null || remote == null) {
            throw new IllegalArgumentException("A read needs a buffer of the peer's memory and one to read into");
        }
        checkRemote(remote, remote.map().grants().missingForRdmaReads(), "buffer to read from");
        long bytes = remote.dataLength();
        checkSize(bytes);
        checkTarget(local, maxSendListLength);
        // The SDK reads as many bytes as the target has room for.
        return Math.min(bytes, local.isSingle() ? local.tailLength() : local.listTailLength());
    }

    private long checkAtomic(@Nullable BufElement remote) {
        if (remote == null) {
            throw new IllegalArgumentException("An atomic operation needs a buffer of the peer's memory");
        }
        checkRemote(remote, remote.map().grants().missingForRdmaAtomics(), "buffer to change");
        if (remote.head() + remote.length() - remote.data() < Long.BYTES) {
            throw new IllegalArgumentException("An atomic operation is on 8 bytes; the buffer ends "
                    + (remote.head() + remote.length() - remote.data()) + " bytes behind where its data begin");
        }
        if (remote.data() % Long.BYTES != 0) {
            throw new IllegalArgumentException("An atomic operation is on 8 bytes at an address that is divisible by 8;"
                    + " the data begin at 0x" + Long.toHexString(remote.data()) + ", " + remote.place(remote.data()));
        }
        return Long.BYTES;
    }

    private long checkSource(@Nullable BufElement source) {
        if (source == null) {
            return 0;
        }
        checkListLength(source, maxSendListLength);
        long bytes = 0;
        for (BufElement element = source; element != null; element = element.next()) {
            checkLocal(element.map(), "source");
            bytes += element.dataLength();
        }
        checkSize(bytes);
        return bytes;
    }

    private static void checkUnused(BufElement target) {
        if (target.tasks() > 0) {
            throw new IllegalStateException("The target is used by another operation in flight");
        }
    }

    private void checkTarget(BufElement target, long limit) {
        checkListLength(target, limit);
        for (BufElement element = target; element != null; element = element.next()) {
            checkTarget(element.map());
        }
    }

    private void checkTarget(MapState map) {
        checkLocal(map, "target");
        if (!map.isWritable()) {
            throw new IllegalArgumentException("The target is in " + map + ", whose access lacks "
                    + map.grants().missingToWrite());
        }
    }

    private void checkSize(long bytes) {
        if (bytes > maxMessageSize) {
            throw new IllegalArgumentException(
                    "The message has " + bytes + " bytes; one on " + device + " can have " + maxMessageSize);
        }
    }

    private void checkListLength(BufElement list, long limit) {
        if (list.elements() > limit) {
            throw new IllegalArgumentException("The list has " + list.elements()
                    + " elements; one of this RDMA context on " + device + " can have " + limit);
        }
    }

    private void checkLocal(MapState map, String role) {
        if (map.isUsableBy(devicePointer)) {
            return;
        }
        map.checkAlive();
        if (map.grants().missingToRead() != null) {
            throw new IllegalArgumentException(
                    "The " + role + " is in " + map
                            + ", which is memory of a peer: it is for the other side of a read, a write or an atomic operation");
        }
        if (!map.isRegisteredWith(devicePointer)) {
            throw notRegistered(role, map);
        }
    }

    private void checkRemote(BufElement remote, @Nullable String missing, String role) {
        if (remote.map().isImported() && missing == null && !remote.isSingle()) {
            throw new IllegalArgumentException("The " + role + " is a list of " + remote.elements()
                    + " elements; memory of a peer is used by one buffer at a time");
        }
        checkRemote(remote.map(), missing, role);
    }

    private void checkRemote(MapState map, @Nullable String missing, String role) {
        if (!map.isImported()) {
            throw new IllegalArgumentException("The " + role + " is in " + map
                    + ", which is memory of this process: import what the peer has exported for RDMA");
        }
        if (missing != null) {
            throw new IllegalArgumentException("The " + role + " is in " + map + ", whose access lacks " + missing);
        }
        map.checkAlive();
        if (!map.isRegisteredWith(devicePointer)) {
            throw notRegistered(role, map);
        }
    }

    private IllegalArgumentException notRegistered(String role, MapState map) {
        return new IllegalArgumentException(
                "The " + role + " is in " + map + ", which is not registered with " + device);
    }
}
