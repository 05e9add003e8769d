/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.submission.TaskCommands;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one operation that is not one on ranges, and the event of the peer. It knows which of them the native task has, and
 * whether the last check is still valid. {@link Operation} owns it.
 *
 * <p>Equal pointers do not prove equal arguments: the SDK reads the key of a buffer's map when the buffer is set, and it reuses the
 * pointers of freed buffers. Therefore the Java objects and the incarnations of the buffers are compared.
 */
@SuppressWarnings("ReferenceEquality") // compares object identity on purpose
final class BufOperands {

    private final OperationType type;
    private final @Nullable BufElement resultBuffer;

    private @Nullable Buf local;
    private @Nullable Buf remote;
    private @Nullable BufElement localList;
    private @Nullable BufElement remoteList;
    private @Nullable RemoteEvent event;

    /** The thread that has checked the current operands; null if they must be checked. */
    private @Nullable Thread checkedBy;

    private int localChanges;
    private int remoteChanges;

    /** True if the native task has the operands below, and not those of an operation on ranges. */
    private boolean known;

    private @Nullable BufElement knownLocal;
    private int localIncarnation;
    private @Nullable BufElement knownRemote;
    private int remoteIncarnation;
    private @Nullable RemoteEvent knownEvent;

    BufOperands(OperationType type, int number) {
        this.type = type;
        this.resultBuffer = type.resultBuffer(number);
    }

    void setLocal(@Nullable Buf buf) {
        if (buf != local) {
            local = buf;
            checkedBy = null;
        }
        if (buf == null && localList != null) {
            localList = null;
        }
    }

    void setRemote(@Nullable Buf buf) {
        if (buf != remote) {
            remote = buf;
            checkedBy = null;
        }
        if (buf == null && remoteList != null) {
            remoteList = null;
        }
    }

    void setEvent(@Nullable RemoteEvent newEvent) {
        if (newEvent != event) {
            event = newEvent;
        }
    }

    /** Forgets the operands, for an operation on ranges. */
    void clear() {
        setLocal(null);
        setRemote(null);
        setEvent(null);
        checkedBy = null;
        known = false;
    }

    /** Finds the lists that the buffers begin. */
    void resolve() {
        Buf newLocal = local;
        if (newLocal != null) {
            BufElement list = BufImpl.list(newLocal);
            if (list != localList) {
                localList = list;
            }
        }
        Buf newRemote = remote;
        if (newRemote != null) {
            BufElement list = BufImpl.list(newRemote);
            if (list != remoteList) {
                remoteList = list;
            }
        }
    }

    /**
     * Returns whether the last check is still valid. The buffers must be the same and unchanged, the destination empty again, and no
     * other operation may conflict. The thread must be the same, as it then still owns the buffers.
     *
     * @param bytes the length that was checked
     */
    boolean areAsChecked(long bytes) {
        BufElement from = localList;
        BufElement to = remoteList;
        return checkedBy == Thread.currentThread()
                && from != null
                && to != null
                && from.changes() == localChanges
                && to.changes() == remoteChanges
                && from.dataLength() == bytes
                && !from.isStale()
                && to.dataLength() == 0
                && !from.isTarget()
                && to.tasks() == 0;
    }

    /** Records the state for {@link #areAsChecked}, if the operation copies one buffer to another without an event. */
    void noteChecked() {
        BufElement from = localList;
        BufElement to = remoteList;
        boolean simple = false;
        if (from != null
                && to != null
                && local != null
                && event == null
                && type.isReusable()
                && type.remote() == BufferRole.DESTINATION) {
            localChanges = from.changes();
            remoteChanges = to.changes();
            simple = from.isSingle()
                    && to.isSingle()
                    && to.dataLength() == 0
                    && !from.map().isFreeable()
                    && !to.map().isFreeable();
        }
        Thread thread = simple ? Thread.currentThread() : null;
        if (checkedBy != thread) {
            checkedBy = thread;
        }
    }

    boolean areChecked() {
        return checkedBy != null;
    }

    void forgetCheck() {
        checkedBy = null;
    }

    /** Sets the operands that differ from those of the native task. */
    void set(TaskCommands commands, long typed) {
        ArgumentSetters setters = type.setters();
        if (setters.local() != 0 && !(known && isLocalKnown())) {
            commands.setPointer(setters.local(), typed, localPointer());
        }
        if (setters.remote() != 0 && !(known && isRemoteKnown())) {
            commands.setPointer(setters.remote(), typed, remotePointer());
        }
    }

    /** Records that the native task has the operands. */
    void note() {
        if (!isLocalKnown()) {
            knownLocal = nativeLocal();
            localIncarnation = incarnation(knownLocal);
        }
        if (!isRemoteKnown()) {
            knownRemote = remoteList;
            remoteIncarnation = incarnation(remoteList);
            knownEvent = event;
        }
        known = true;
    }

    /** Records that the operands and their data segments are unknown to the SDK, as the task was not submitted. */
    void refused() {
        checkedBy = null;
        known = false;
        if (localList != null) {
            localList.markListStale();
        }
        if (remoteList != null) {
            remoteList.markListStale();
        }
    }

    private boolean isLocalKnown() {
        BufElement list = nativeLocal();
        return list == knownLocal && incarnation(list) == localIncarnation;
    }

    private boolean isRemoteKnown() {
        return remoteList == knownRemote && incarnation(remoteList) == remoteIncarnation && event == knownEvent;
    }

    private static int incarnation(@Nullable BufElement list) {
        return list == null ? 0 : list.incarnation();
    }

    /** Sets the data segments of the buffers in the SDK where they differ from those in Java. */
    void describe(TaskQueue queue, TaskCommands commands, Operation operation) {
        if (resultBuffer != null) {
            type.prepareResultBuffer(operation, commands);
        } else if (localList != null) {
            describe(queue, commands, type.local(), localList, operation);
        }
        if (remoteList != null) {
            describe(queue, commands, type.remote(), remoteList, operation);
        }
    }

    private void describe(
            TaskQueue queue, TaskCommands commands, BufferRole role, BufElement list, Operation operation) {
        switch (role) {
            case DESTINATION -> queue.updateDestination(list, operation);
            case REMOTE_DESTINATION -> {
                commands.setData(list.pointer(), list.data(), 0);
                list.markListStale();
            }
            case SOURCE -> queue.updateNow(list, operation);
            case NONE -> throw new AssertionError(type.function() + " has a buffer that its type does not have");
        }
    }

    /** Acquires the event. This precedes the submission, as any thread may close an event. */
    void acquireEvent() {
        RemoteEvent peers = event;
        if (peers != null) {
            type.checkEvent(peers);
            peers.acquire();
        }
    }

    void releaseEvent() {
        RemoteEvent peers = event;
        if (peers != null) {
            peers.release();
        }
    }

    void acquireBuffers() {
        type.local().acquire(localList);
        type.remote().acquire(remoteList);
    }

    void releaseBuffers() {
        type.local().release(localList);
        type.remote().release(remoteList);
    }

    /** Acquires the buffers of an operation that {@link #noteChecked} has recorded. */
    void acquireChecked() {
        Objects.requireNonNull(localList).acquire();
        checkedDestination().acquireAsTarget();
    }

    /** Releases them. The destination grows by all bytes. */
    void releaseChecked(long bytes) {
        Objects.requireNonNull(localList).release();
        checkedDestination().releaseGrown(bytes);
    }

    /** Returns the destination of an operation that {@link #noteChecked} has recorded. */
    BufElement checkedDestination() {
        return Objects.requireNonNull(remoteList);
    }

    void register(BufferUses uses, long bytes) {
        type.local().register(uses, localList, bytes);
        type.remote().register(uses, remoteList, bytes);
    }

    /** Returns the list whose data grow, or null. */
    @Nullable
    BufElement destination() {
        if (type.local() == BufferRole.DESTINATION) {
            return localList;
        }
        return type.remote() == BufferRole.DESTINATION ? remoteList : null;
    }

    /** Returns the pointer to the local buffer, or 0. */
    long localPointer() {
        return pointer(nativeLocal());
    }

    /** Returns the pointer to the remote buffer or to the event of the peer, or 0. */
    long remotePointer() {
        RemoteEvent peers = event;
        return peers == null ? pointer(remoteList) : peers.pointer();
    }

    private static long pointer(@Nullable BufElement list) {
        return list == null ? 0 : list.pointer();
    }

    private @Nullable BufElement nativeLocal() {
        return resultBuffer != null ? resultBuffer : localList;
    }

    /** Returns whether the task writes its result to a buffer of its own, and not to one of the user. */
    boolean hasResultBuffer() {
        return resultBuffer != null;
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
    BufElement localList() {
        return localList;
    }

    @Nullable
    BufElement remoteList() {
        return remoteList;
    }

    @Nullable
    RemoteEvent event() {
        return event;
    }
}
