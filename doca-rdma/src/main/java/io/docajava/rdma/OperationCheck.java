/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.sync.RemoteEvent;
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
        this.devicePointer = Handles.address(device);
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
        if (remote != null && type.isWrite() && remote.isTarget()) {
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
        checkRemote(remote, remote.map().grants().missingForRdmaWrites(), "write to");
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
        checkRemote(remote, remote.map().grants().missingForRdmaReads(), "read from");
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
        checkRemote(remote, remote.map().grants().missingForRdmaAtomics(), "change");
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
            checkLocal(element, "source");
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
            checkLocal(element, "target");
            if (!element.map().isWritable()) {
                throw new IllegalArgumentException("The target is in " + element.map() + ", whose access lacks "
                        + element.map().grants().missingToWrite());
            }
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

    private void checkLocal(BufElement element, String role) {
        MapState map = element.map();
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

    private void checkRemote(BufElement remote, @Nullable String missing, String verb) {
        MapState map = remote.map();
        if (!map.isImported()) {
            throw new IllegalArgumentException("The buffer to " + verb + " is in " + map
                    + ", which is memory of this process: import what the peer has exported for RDMA");
        }
        if (missing != null) {
            throw new IllegalArgumentException(
                    "The buffer to " + verb + " is in " + map + ", whose access lacks " + missing);
        }
        if (!remote.isSingle()) {
            throw new IllegalArgumentException("The buffer to " + verb + " is a list of " + remote.elements()
                    + " elements; memory of a peer is used by one buffer at a time");
        }
        if (!map.isRegisteredWith(devicePointer)) {
            throw notRegistered("buffer to " + verb, map);
        }
    }

    private IllegalArgumentException notRegistered(String role, MapState map) {
        return new IllegalArgumentException(
                "The " + role + " is in " + map + ", which is not registered with " + device);
    }
}
