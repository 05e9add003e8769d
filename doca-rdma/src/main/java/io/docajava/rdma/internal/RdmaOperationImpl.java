/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.RemoteEvent;
import io.docajava.core.internal.sync.RemoteSyncEventImpl;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link RdmaOperation}. */
public final class RdmaOperationImpl implements RdmaOperation {

    private final RdmaTaskType type;
    private final @Nullable Buf local;
    private final @Nullable Buf remote;
    private final @Nullable MapRange source;
    private final @Nullable MapRange target;
    private final @Nullable RemoteEvent event;
    private final long first;
    private final long second;

    private RdmaOperationImpl(
            RdmaTaskType type,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteEvent event,
            long first,
            long second) {
        this.type = type;
        this.local = local;
        this.remote = remote;
        this.source = null;
        this.target = null;
        this.event = event;
        this.first = first;
        this.second = second;
    }

    private RdmaOperationImpl(RdmaTaskType type, MapRange source, @Nullable MapRange target, long first, long second) {
        this.type = type;
        this.local = null;
        this.remote = null;
        this.source = source;
        this.target = target;
        this.event = null;
        this.first = first;
        this.second = second;
    }

    public static RdmaOperation send(Buf message) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperationImpl(RdmaTaskType.SEND, message, null, null, 0, 0);
    }

    public static RdmaOperation send(MapRange message) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperationImpl(RdmaTaskType.SEND, message, null, 0, 0);
    }

    public static RdmaOperation send() {
        return new RdmaOperationImpl(RdmaTaskType.SEND, null, null, null, 0, 0);
    }

    public static RdmaOperation sendImmediate(Buf message, int immediate) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperationImpl(RdmaTaskType.SEND_IMM, message, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation sendImmediate(MapRange message, int immediate) {
        Objects.requireNonNull(message, "message");
        return new RdmaOperationImpl(RdmaTaskType.SEND_IMM, message, null, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation sendImmediate(int immediate) {
        return new RdmaOperationImpl(RdmaTaskType.SEND_IMM, null, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation read(MapRange remote, MapRange target) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        checkLengths("A read", remote, target);
        return new RdmaOperationImpl(RdmaTaskType.READ, remote, target, 0, 0);
    }

    public static RdmaOperation read(Buf remote, Buf target) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        return new RdmaOperationImpl(RdmaTaskType.READ, target, remote, null, 0, 0);
    }

    public static RdmaOperation write(Buf source, Buf remote) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(RdmaTaskType.WRITE, source, remote, null, 0, 0);
    }

    public static RdmaOperation write(MapRange source, MapRange remote) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        checkLengths("A write", source, remote);
        return new RdmaOperationImpl(RdmaTaskType.WRITE, source, remote, 0, 0);
    }

    public static RdmaOperation writeImmediate(Buf source, Buf remote, int immediate) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(
                RdmaTaskType.WRITE_IMM, source, remote, null, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation writeImmediate(MapRange source, MapRange remote, int immediate) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        checkLengths("A write", source, remote);
        return new RdmaOperationImpl(RdmaTaskType.WRITE_IMM, source, remote, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation writeImmediate(int immediate) {
        return new RdmaOperationImpl(RdmaTaskType.WRITE_IMM, null, null, null, Integer.toUnsignedLong(immediate), 0);
    }

    public static RdmaOperation compareAndSwap(Buf remote, long expected, long replacement) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(RdmaTaskType.ATOMIC_CMP_SWP, null, remote, null, expected, replacement);
    }

    public static RdmaOperation compareAndSwap(MapRange remote, long expected, long replacement) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(RdmaTaskType.ATOMIC_CMP_SWP, remote, null, expected, replacement);
    }

    public static RdmaOperation fetchAdd(Buf remote, long addend) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(RdmaTaskType.ATOMIC_FETCH_ADD, null, remote, null, addend, 0);
    }

    public static RdmaOperation fetchAdd(MapRange remote, long addend) {
        Objects.requireNonNull(remote, "remote");
        return new RdmaOperationImpl(RdmaTaskType.ATOMIC_FETCH_ADD, remote, null, addend, 0);
    }

    public static RdmaOperation getEvent(RemoteSyncEvent event) {
        return onEvent(RdmaTaskType.EVENT_GET, event, 0);
    }

    public static RdmaOperation setEvent(RemoteSyncEvent event, long value) {
        return onEvent(RdmaTaskType.EVENT_SET, event, value);
    }

    public static RdmaOperation addToEvent(RemoteSyncEvent event, long addend) {
        return onEvent(RdmaTaskType.EVENT_ADD, event, addend);
    }

    private static RdmaOperation onEvent(RdmaTaskType type, RemoteSyncEvent event, long number) {
        Objects.requireNonNull(event, "event");
        return new RdmaOperationImpl(type, null, null, RemoteSyncEventImpl.inside(event), number, 0);
    }

    @Override
    public RdmaTaskType type() {
        return type;
    }

    /** Throws unless two ranges have the same length. */
    static void checkLengths(String what, MapRange source, MapRange target) {
        if (source.length() != target.length()) {
            throw new IllegalArgumentException(what + " of " + source.length() + " bytes "
                    + (source.length() > target.length() ? "does not fit into" : "cannot fill") + " a range of "
                    + target.length() + " bytes");
        }
    }

    /** Returns whether the operands are ranges. */
    boolean isOnRanges() {
        return source != null;
    }

    /** Returns whether any thread may submit the operation to a context of a loop: buffers belong to one thread. */
    boolean isForAnyThread() {
        return local == null && remote == null;
    }

    @Nullable
    Buf local() {
        return local;
    }

    @Nullable
    Buf remote() {
        return remote;
    }

    /** Returns the range that is read, on either side; null if there is none. */
    @Nullable
    MapRange source() {
        return source;
    }

    /** Returns the range that is written to, on either side; null if there is none. */
    @Nullable
    MapRange target() {
        return target;
    }

    @Nullable
    RemoteEvent event() {
        return event;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }

    /** Sets the buffers, the event and the numbers of an operation of a pool, but not the ranges. */
    Operation applyTo(Operation operation) {
        return operation.buffers(local, remote).event(event).numbers(first, second);
    }

    /** {@return the type in words, such as {@code write with immediate data}} */
    @Override
    public String toString() {
        StackGuard.check();
        return NativeTaskType.words(type);
    }
}
