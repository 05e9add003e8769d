/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.core.memory.Buf;
import io.docajava.core.sync.RemoteSyncEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation on an {@link RdmaConnection}: its type, its buffers and its numbers.
 *
 * {@snippet :
 * connection.submit(RdmaOperation.fetchAdd(counter, 1)).await(engine);
 * }
 *
 * <p>Immutable. One operation can be submitted any number of times, and on any number of connections; its buffers are checked with
 * each submission. {@link RdmaConnection#submit(RdmaOperation, RdmaHandler)} and {@link RdmaTask#operation} keep no reference to
 * it: a program that must not allocate keeps its operations, and where each submission needs another number, the JIT compiler
 * mostly removes the allocation.
 *
 * <ul>
 *   <li>A <b>send</b> goes into the first receive that the peer's context has posted. Without one it is tried again as often as
 *       {@link RdmaContextBuilder#rnrRetryCount} says, and fails then. When that receive has less room, both sides fail.
 *   <li>A <b>read</b>, a <b>write</b> or an <b>atomic operation</b> works in memory that the peer has exported by {@code
 *       exportRdma} and this side has imported; the peer does nothing. It needs the permission of the same name of the peer's
 *       memory and of the peer's context. A write is complete when the source can be used again: the peer may see the bytes a
 *       little later, but not after a later operation of this connection.
 *   <li>A <b>sync event</b> of the peer, which that has made with {@code REMOTE_NET} as a publisher, can be read, set and added
 *       to. That needs the permissions RDMA_READ, RDMA_WRITE and RDMA_ATOMIC of the peer's context.
 *   <li><b>Immediate data</b> are 4 bytes that are handed over with a receive of the peer. They are a number here; DOCA does
 *       not care about its byte order, so both sides have to mean the same.
 * </ul>
 */
public final class RdmaOperation {

    private final RdmaTaskType type;
    private final @Nullable Buf local;
    private final @Nullable Buf remote;
    private final @Nullable RemoteEvent event;
    private final long first;
    private final long second;

    private RdmaOperation(
            RdmaTaskType type,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteEvent event,
            long first,
            long second) {
        this.type = type;
        this.local = local;
        this.remote = remote;
        this.event = event;
        this.first = first;
        this.second = second;
    }

    /**
     * Sends the data of a buffer, all elements of a list one after the other ({@code doca_rdma_task_send}). The result is the
     * number of bytes sent.
     *
     * @param message may be without data: then 0 bytes are sent
     */
    public static RdmaOperation send(Buf message) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperation(RdmaTaskType.SEND, message, null, null, 0, 0);
    }

    /**
     * Sends the data of a buffer and 4 bytes ({@code doca_rdma_task_send_imm}); otherwise as {@link #send}.
     *
     * @param immediate the 4 bytes, as a number in whatever byte order the peer takes it for
     */
    public static RdmaOperation sendImmediate(Buf message, int immediate) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperation(RdmaTaskType.SEND_IMM, message, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    /** As {@link #sendImmediate(Buf, int)}, with the 4 bytes only. */
    public static RdmaOperation sendImmediate(int immediate) {
        return new RdmaOperation(RdmaTaskType.SEND_IMM, null, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    /**
     * Reads the data of a buffer of the peer's memory, and writes it behind the data of a buffer of this side, whose data has
     * grown by as much then ({@code doca_rdma_task_read}). Needs RDMA_READ at the peer. The result is the number of bytes read.
     *
     * @param remote one buffer of an imported map; its data are what is read
     * @param target in memory of this side, or the first one of a list
     */
    public static RdmaOperation read(Buf remote, Buf target) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        return new RdmaOperation(RdmaTaskType.READ, target, remote, null, 0, 0);
    }

    /**
     * Writes the data of a buffer, all elements of a list one after the other, to a buffer of the peer's memory ({@code
     * doca_rdma_task_write}). Needs RDMA_WRITE at the peer. The result is the number of bytes written.
     *
     * <p>The bytes go to where the data of the remote buffer begin, in each write: the SDK counts what was written as data of the
     * remote buffer, and doca-java empties it again before the next write. Since the SDK does so when a write completes, each
     * write in flight needs a remote buffer of its own.
     *
     * @param source may be without data: then 0 bytes are written
     * @param remote one buffer of an imported map, without data, which it has not after the write either
     */
    public static RdmaOperation write(Buf source, Buf remote) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperation(RdmaTaskType.WRITE, source, remote, null, 0, 0);
    }

    /**
     * Writes as {@link #write}, and then hands 4 bytes over with a receive of the peer, whose buffer stays as it is ({@code
     * doca_rdma_task_write_imm}).
     *
     * @param immediate the 4 bytes, as a number in whatever byte order the peer takes it for
     */
    public static RdmaOperation writeImmediate(Buf source, Buf remote, int immediate) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperation(RdmaTaskType.WRITE_IMM, source, remote, null, Integer.toUnsignedLong(immediate), 0);
    }

    /** As {@link #writeImmediate(Buf, Buf, int)}, with the 4 bytes only: nothing is written. */
    public static RdmaOperation writeImmediate(int immediate) {
        return new RdmaOperation(RdmaTaskType.WRITE_IMM, null, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    /**
     * Replaces 8 bytes of the peer's memory if they are as expected ({@code doca_rdma_task_atomic_cmp_swp}). They are a number
     * in the byte order of the machine, which both sides must have in common. Needs RDMA_ATOMIC at the peer. Atomic against
     * other RDMA operations of this kind; not against what the peer's processors do. The result is the number that was there
     * before: the expected one if it was replaced.
     *
     * @param remote one buffer of an imported map: the 8 bytes where its data begin, at an address divisible by 8
     */
    public static RdmaOperation compareAndSwap(Buf remote, long expected, long replacement) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperation(RdmaTaskType.ATOMIC_CMP_SWP, null, remote, null, expected, replacement);
    }

    /**
     * Adds to 8 bytes of the peer's memory ({@code doca_rdma_task_atomic_fetch_add}); otherwise as {@link #compareAndSwap}. The
     * result is the number that was there before.
     *
     * @param addend may be negative
     */
    public static RdmaOperation fetchAdd(Buf remote, long addend) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperation(RdmaTaskType.ATOMIC_FETCH_ADD, null, remote, null, addend, 0);
    }

    /**
     * Reads the value of a sync event of the peer ({@code doca_rdma_task_remote_net_sync_event_get}), which is the result.
     *
     * @param event that the peer has exported for RDMA, imported for the context's device
     */
    public static RdmaOperation getEvent(RemoteSyncEvent event) {
        return onEvent(RdmaTaskType.EVENT_GET, event, 0);
    }

    /**
     * Sets the value of a sync event of the peer ({@code doca_rdma_task_remote_net_sync_event_notify_set}); otherwise as {@link
     * #getEvent}. The result is that value.
     */
    public static RdmaOperation setEvent(RemoteSyncEvent event, long value) {
        return onEvent(RdmaTaskType.EVENT_SET, event, value);
    }

    /**
     * Adds to the value of a sync event of the peer, in one step against all others who do so ({@code
     * doca_rdma_task_remote_net_sync_event_notify_add}); otherwise as {@link #getEvent}. The result is the value before.
     *
     * @param addend may be negative
     */
    public static RdmaOperation addToEvent(RemoteSyncEvent event, long addend) {
        return onEvent(RdmaTaskType.EVENT_ADD, event, addend);
    }

    private static RdmaOperation onEvent(RdmaTaskType type, RemoteSyncEvent event, long number) {
        Objects.requireNonNull(event, "event");
        return new RdmaOperation(type, null, null, Handles.inside(event), number, 0);
    }

    /** Returns which tasks of a context run it. */
    public RdmaTaskType type() {
        return type;
    }

    @Nullable
    Buf local() {
        return local;
    }

    @Nullable
    Buf remote() {
        return remote;
    }

    @Nullable
    RemoteEvent event() {
        return event;
    }

    /** Gives an operation of a pool the buffers, the event and the numbers. */
    Operation applyTo(Operation operation) {
        return operation.buffers(local, remote).event(event).numbers(first, second);
    }

    /** Returns the type in words: {@code write with immediate data}. */
    @Override
    public String toString() {
        return type.words();
    }
}
