/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.Handler;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.rdma.internal.RdmaOperationImpl;

/**
 * An operation on an {@link RdmaConnection} with its operands and numbers. It is immutable.
 *
 * {@snippet :
 * connection.submit(RdmaOperation.fetchAdd(counters.range(0, 8), 1)).await();
 * }
 *
 * <p>The operands are ranges of maps, or buffers where a program has lists or was ported from C. Two operations on the same range
 * are the program's affair, as in C; a buffer of this side that is written to is used by one operation at a time.
 *
 * <p>An operation can be submitted any number of times and on any number of connections. Each submission checks its operands. A
 * program that must not allocate keeps its operations and submits them again. If each submission needs another number, the JIT
 * compiler mostly removes the allocation, because {@link RdmaConnection#submit(RdmaOperation, Handler)} and {@link
 * RdmaTask#operation} keep no reference to the operation.
 *
 * <ul>
 *   <li>A <b>send</b> completes the oldest receive that the peer's context has posted. If there is none, the device retries the
 *       send {@link RdmaContextBuilder#rnrRetryCount} times before it fails. If the receive has less room than the message has
 *       bytes, both the send and the receive fail.
 *   <li>A <b>read</b>, a <b>write</b> or an <b>atomic operation</b> accesses memory that the peer has exported by {@code
 *       exportRdma} and this side has imported; the peer's program takes no part. The peer's memory ({@link
 *       io.docajava.core.memory.Access}) and the peer's context ({@link RdmaContextBuilder#permissions}) must both permit it.
 *       When a write completes, the source can be used again. The peer may see the written bytes a little later, but sees them before
 *       the effects of later operations on this connection.
 *   <li>A <b>sync event</b> of the peer can be read, set and added to if it has {@link
 *       io.docajava.core.sync.SyncLocation#REMOTE_NET} as a publisher. This needs the permissions RDMA_READ, RDMA_WRITE and
 *       RDMA_ATOMIC of the peer's context.
 *   <li><b>Immediate data</b> are 4 bytes, here a number, that are delivered with a receive of the peer. DOCA does not define
 *       their byte order, so both sides must use the same.
 * </ul>
 */
public sealed interface RdmaOperation permits RdmaOperationImpl {

    /**
     * Returns an operation that sends the data of a buffer, or of all buffers of a list in their order ({@code
     * doca_rdma_task_send}). Its result is the number of bytes sent.
     *
     * @param message a buffer, or the first one of a list; without data, 0 bytes are sent
     * @return an operation of type {@link RdmaTaskType#SEND}
     */
    static RdmaOperation send(Buf message) {
        return RdmaOperationImpl.send(message);
    }

    /**
     * Returns an operation that sends the bytes of a range ({@code doca_rdma_task_send}). Its result is the number of bytes sent.
     *
     * @param message a range of memory of this side
     * @return an operation of type {@link RdmaTaskType#SEND}
     */
    static RdmaOperation send(MapRange message) {
        return RdmaOperationImpl.send(message);
    }

    /**
     * Returns an operation that sends 0 bytes.
     *
     * @return an operation of type {@link RdmaTaskType#SEND}
     */
    static RdmaOperation send() {
        return RdmaOperationImpl.send();
    }

    /**
     * Returns an operation that sends as {@link #send(Buf)} does, with immediate data ({@code doca_rdma_task_send_imm}).
     *
     * @param message a buffer, or the first one of a list; without data, 0 bytes are sent
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#SEND_IMM}
     */
    static RdmaOperation sendImmediate(Buf message, int immediate) {
        return RdmaOperationImpl.sendImmediate(message, immediate);
    }

    /**
     * Returns an operation that sends as {@link #send(MapRange)} does, with immediate data ({@code doca_rdma_task_send_imm}).
     *
     * @param message a range of memory of this side
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#SEND_IMM}
     */
    static RdmaOperation sendImmediate(MapRange message, int immediate) {
        return RdmaOperationImpl.sendImmediate(message, immediate);
    }

    /**
     * Returns an operation that sends 0 bytes with immediate data.
     *
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#SEND_IMM}
     */
    static RdmaOperation sendImmediate(int immediate) {
        return RdmaOperationImpl.sendImmediate(immediate);
    }

    /**
     * Returns an operation that reads a range of the peer's memory into a range of this side ({@code doca_rdma_task_read}). It needs
     * the permission RDMA_READ of the peer. Its result is the number of bytes read.
     *
     * @param remote a range of an imported map
     * @param target a range of memory of this side, of the same length
     * @return an operation of type {@link RdmaTaskType#READ}
     * @throws IllegalArgumentException if the lengths differ
     */
    static RdmaOperation read(MapRange remote, MapRange target) {
        return RdmaOperationImpl.read(remote, target);
    }

    /**
     * Returns an operation that reads the data of a buffer of the peer's memory, and appends it to the data of a buffer of this
     * side ({@code doca_rdma_task_read}). It needs the permission RDMA_READ of the peer. If the target has less room, only as many
     * bytes are read. Its result is the number of bytes read.
     *
     * @param remote a buffer of an imported map, in no list, whose data is read
     * @param target a buffer in memory of this side with room behind its data, or the first one of a list
     * @return an operation of type {@link RdmaTaskType#READ}
     */
    static RdmaOperation read(Buf remote, Buf target) {
        return RdmaOperationImpl.read(remote, target);
    }

    /**
     * Returns an operation that writes the data of a buffer, or of all buffers of a list in their order, to a buffer of the peer's
     * memory ({@code doca_rdma_task_write}). It needs the permission RDMA_WRITE of the peer. Its result is the number of bytes
     * written.
     *
     * <p>Each write begins where the data of the remote buffer begins. On completion, the SDK makes the written bytes data of the
     * remote buffer; doca-java removes them before the next write. Therefore each write in flight needs a remote buffer of its own.
     *
     * @param source a buffer, or the first one of a list; without data, 0 bytes are written
     * @param remote a buffer of an imported map, in no list and without data; it has no data after the write either
     * @return an operation of type {@link RdmaTaskType#WRITE}
     */
    static RdmaOperation write(Buf source, Buf remote) {
        return RdmaOperationImpl.write(source, remote);
    }

    /**
     * Returns an operation that writes the bytes of a range to a range of the peer's memory ({@code doca_rdma_task_write}). It needs
     * the permission RDMA_WRITE of the peer. Its result is the number of bytes written.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @return an operation of type {@link RdmaTaskType#WRITE}
     * @throws IllegalArgumentException if the lengths differ
     */
    static RdmaOperation write(MapRange source, MapRange remote) {
        return RdmaOperationImpl.write(source, remote);
    }

    /**
     * Returns an operation that writes as {@link #write(Buf, Buf)} does, and then completes a receive of the peer with immediate data ({@code
     * doca_rdma_task_write_imm}). The buffer of that receive is unchanged.
     *
     * @param source a buffer, or the first one of a list; without data, 0 bytes are written
     * @param remote a buffer of an imported map, in no list and without data; it has no data after the write either
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#WRITE_IMM}
     */
    static RdmaOperation writeImmediate(Buf source, Buf remote, int immediate) {
        return RdmaOperationImpl.writeImmediate(source, remote, immediate);
    }

    /**
     * Returns an operation that writes as {@link #write(MapRange, MapRange)} does, and then completes a receive of the peer with
     * immediate data ({@code doca_rdma_task_write_imm}). The memory of that receive is unchanged.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#WRITE_IMM}
     * @throws IllegalArgumentException if the lengths differ
     */
    static RdmaOperation writeImmediate(MapRange source, MapRange remote, int immediate) {
        return RdmaOperationImpl.writeImmediate(source, remote, immediate);
    }

    /**
     * Returns an operation that completes a receive of the peer with immediate data, and writes nothing.
     *
     * @param immediate the 4 bytes as a number, in the byte order that the peer expects
     * @return an operation of type {@link RdmaTaskType#WRITE_IMM}
     */
    static RdmaOperation writeImmediate(int immediate) {
        return RdmaOperationImpl.writeImmediate(immediate);
    }

    /**
     * Returns an operation that replaces a number of 8 bytes in the peer's memory if it is as expected ({@code
     * doca_rdma_task_atomic_cmp_swp}). It needs the permission RDMA_ATOMIC of the peer. It is atomic with regard to other atomic
     * RDMA operations, but not to accesses by the peer's processors. Its result is the number before, which equals {@code expected}
     * if the number was replaced.
     *
     * @param remote a buffer of an imported map, in no list; the number begins where its data begins, at an address divisible by 8,
     *     in the byte order of the machine, which must be the same on both sides
     * @param expected the number that is replaced; any other is left as it is
     * @param replacement the new number
     * @return an operation of type {@link RdmaTaskType#ATOMIC_CMP_SWP}
     */
    static RdmaOperation compareAndSwap(Buf remote, long expected, long replacement) {
        return RdmaOperationImpl.compareAndSwap(remote, expected, replacement);
    }

    /**
     * Returns an operation that replaces a number as {@link #compareAndSwap(Buf, long, long)} does.
     *
     * @param remote 8 bytes of an imported map at an address divisible by 8, in the byte order of the machine, which must be the same
     *     on both sides
     * @param expected the number that is replaced; any other is left as it is
     * @param replacement the new number
     * @return an operation of type {@link RdmaTaskType#ATOMIC_CMP_SWP}
     */
    static RdmaOperation compareAndSwap(MapRange remote, long expected, long replacement) {
        return RdmaOperationImpl.compareAndSwap(remote, expected, replacement);
    }

    /**
     * Returns an operation that adds to a number of 8 bytes in the peer's memory ({@code doca_rdma_task_atomic_fetch_add}). Its
     * permission and atomicity are those of {@link #compareAndSwap(Buf, long, long)}. Its result is the number before the addition.
     *
     * @param remote a buffer of an imported map, as in {@link #compareAndSwap(Buf, long, long)}
     * @param addend the number to add, which may be negative; the sum wraps around at 64 bits
     * @return an operation of type {@link RdmaTaskType#ATOMIC_FETCH_ADD}
     */
    static RdmaOperation fetchAdd(Buf remote, long addend) {
        return RdmaOperationImpl.fetchAdd(remote, addend);
    }

    /**
     * Returns an operation that adds to a number as {@link #fetchAdd(Buf, long)} does.
     *
     * @param remote 8 bytes of an imported map, as in {@link #compareAndSwap(MapRange, long, long)}
     * @param addend the number to add, which may be negative; the sum wraps around at 64 bits
     * @return an operation of type {@link RdmaTaskType#ATOMIC_FETCH_ADD}
     */
    static RdmaOperation fetchAdd(MapRange remote, long addend) {
        return RdmaOperationImpl.fetchAdd(remote, addend);
    }

    /**
     * Returns an operation whose result is the value of a peer's sync event ({@code doca_rdma_task_remote_net_sync_event_get}).
     *
     * @param event that the peer has exported for RDMA, imported for the context's device
     * @return an operation of type {@link RdmaTaskType#EVENT_GET}
     */
    static RdmaOperation getEvent(RemoteSyncEvent event) {
        return RdmaOperationImpl.getEvent(event);
    }

    /**
     * Returns an operation that sets the value of a sync event of the peer ({@code
     * doca_rdma_task_remote_net_sync_event_notify_set}). The new value is its result.
     *
     * @param event that the peer has exported for RDMA, imported for the context's device
     * @param value the new value, of 64 bits
     * @return an operation of type {@link RdmaTaskType#EVENT_SET}
     */
    static RdmaOperation setEvent(RemoteSyncEvent event, long value) {
        return RdmaOperationImpl.setEvent(event, value);
    }

    /**
     * Returns an operation that adds to the value of a sync event of the peer ({@code
     * doca_rdma_task_remote_net_sync_event_notify_add}). It is atomic with regard to other additions. Its result is the value
     * before the addition.
     *
     * @param event that the peer has exported for RDMA, imported for the context's device
     * @param addend the number to add, which may be negative; the sum wraps around at 64 bits
     * @return an operation of type {@link RdmaTaskType#EVENT_ADD}
     */
    static RdmaOperation addToEvent(RemoteSyncEvent event, long addend) {
        return RdmaOperationImpl.addToEvent(event, addend);
    }

    /** {@return the type of this operation, and of the tasks of a context that can run it} */
    RdmaTaskType type();
}
