/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.jfr.OperationEvent;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.internal.memory.MapHolder;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.submission.Slots;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a context and its native task: a copy, an RDMA operation, a receive, a task of a sync event or a send. Contexts
 * and prepared tasks take an operation from its {@link OperationPool}, set its arguments and submit it. The context core delivers
 * its completion. The {@link OperationType} has the code that is specific to one type of task.
 *
 * <p>An operation is free in its pool, held by a prepared task or a series, or in flight. The native task is allocated for the first
 * submission and reused until the context stops. The buffers count as used while the operation is in flight. When the operation
 * has ended, its buffers are released, it returns to its pool unless it is held, and then its {@link OperationSink} is called.
 *
 * <p>Only the thread of the engine uses an operation. Submitting and completing allocate nothing. The arguments are kept when the
 * operation has ended. A reference is stored only if it has changed, as each store is work for the garbage collector.
 */
@SuppressWarnings("ReferenceEquality") // compares object identity on purpose
public final class Operation {

    private final int index;
    private final OperationPool pool;
    private final OperationType type;
    private final @Nullable BufElement resultBuffer;
    private final boolean openEnded;
    private final boolean reusable;
    /** True if the native task has a subject or numbers. */
    private final boolean parameterized;
    /** True if a peer decides how many bytes the destination gets. */
    private final boolean filledByPeer;

    private int generation;
    /** The {@code struct doca_task *}; 0 if none is allocated. */
    private long task;
    /** The pointer to the same task as its own C type. */
    private long typed;

    private boolean held;
    /** The time of the submission, by the engine's clock; 0 if not in flight. Other threads read it, see {@link Activity}. */
    private long submitted;
    /** True while a graph has the task. The graph may submit it much later. */
    private boolean lent;
    /** True if the SDK may report the last submission together with later ones, see {@link TaskQueue}. */
    private boolean reportedTogether;

    private @Nullable TaskSeries series;

    private @Nullable Object subject;
    private @Nullable Buf local;
    private @Nullable Buf remote;
    private @Nullable BufElement localList;
    private @Nullable BufElement remoteList;
    private @Nullable RemoteEvent event;
    private long first;
    private long second;
    private long tag;

    /** True if the operands of the last submission were ranges. */
    private boolean onRanges;
    /** True if the native task has the buffers of the slot. */
    private boolean aimed;
    /** The address of the native slot; 0 before the first operation on ranges. */
    private long slot;
    /** The maps that the buffers of the slot lie over. */
    private @Nullable MapState sourceMap;

    private @Nullable MapState destinationMap;
    private long sourceAddress;
    private long destinationAddress;
    /** The range that the buffer of the slot that is written to ends with, if a peer fills it. */
    private long filledAddress;

    private long filledLength;

    private OperationSink sink = OperationSink.none();
    private @Nullable Object receiver;

    private long bytes;
    private long result;

    private @Nullable OperationEvent recorded;

    private final NativeArguments arguments = new NativeArguments();

    /** The thread that has checked the current arguments; null if they must be checked. */
    private @Nullable Thread checkedBy;

    private int localChanges;
    private int remoteChanges;

    Operation(int index, OperationPool pool, OperationType type, int number) {
        this.index = index;
        this.pool = pool;
        this.type = type;
        this.resultBuffer = type.resultBuffer(number);
        this.openEnded = type.isOpenEnded();
        this.reusable = type.isReusable();
        this.parameterized = type.setters().subject() != 0 || type.setters().first() != 0;
        this.filledByPeer = type.isFilledByPeer();
    }

    /** Sets the subject of the operation, such as a connection. */
    public Operation on(@Nullable Object newSubject) {
        if (newSubject != subject) {
            subject = newSubject;
            checkedBy = null;
        }
        return this;
    }

    /** Sets the buffers. Each may be the first of a list. */
    public Operation buffers(@Nullable Buf newLocal, @Nullable Buf newRemote) {
        return local(newLocal).remote(newRemote);
    }

    /** Sets the local buffer: the source of a copy, send or write, or the destination of a read or receive. */
    public Operation local(@Nullable Buf newLocal) {
        if (newLocal != local) {
            local = newLocal;
            checkedBy = null;
        }
        if (newLocal == null && localList != null) {
            localList = null;
        }
        return this;
    }

    /** Sets the remote buffer: a buffer in the peer's memory, or the destination of a copy. */
    public Operation remote(@Nullable Buf newRemote) {
        if (newRemote != remote) {
            remote = newRemote;
            checkedBy = null;
        }
        if (newRemote == null && remoteList != null) {
            remoteList = null;
        }
        return this;
    }

    /** Sets the sync event of the peer. */
    public Operation event(@Nullable RemoteEvent newEvent) {
        if (newEvent != event) {
            event = newEvent;
        }
        return this;
    }

    /** Sets the numbers: the immediate data, or the operands of an atomic operation. */
    public Operation numbers(long newFirst, long newSecond) {
        first = newFirst;
        second = newSecond;
        return this;
    }

    /** Sets the number that a handler gets with the end. */
    public Operation tagged(long newTag) {
        tag = newTag;
        return this;
    }

    /** Keeps the operation out of the pool when it ends. */
    public void hold() {
        held = true;
        reportedTogether = false;
    }

    /** Puts a held operation back into the pool. */
    public void free() {
        held = false;
        sink = OperationSink.none();
        receiver = null;
        pool.put(this);
    }

    /**
     * Submits the operation on ranges, with the next progress. Their bounds, lengths and overlaps were checked. If this throws, the
     * operation is not in flight, and it is back in the pool unless it is held.
     *
     * @param source the map to read from; null if the type does not read
     * @param destination the map to write to; null if the type does not write
     * @param length the number of bytes to read; if a peer fills the destination, the room there
     * @throws IllegalArgumentException if the device cannot use a map in this way
     * @throws IllegalStateException if the subject cannot be used, a map is closed or its memory was freed
     * @throws DocaException if the SDK refuses
     */
    public void submit(
            @Nullable MapState source,
            long newSourceAddress,
            @Nullable MapState destination,
            long newDestinationAddress,
            long length,
            OperationSink newSink,
            @Nullable Object newReceiver) {
        TaskQueue queue = pool.queue();
        try {
            aim(source, newSourceAddress, destination, newDestinationAddress, length, queue, queue.prepare(this));
        } catch (Throwable failure) {
            queue.drop();
            refused();
            end();
            throw failure;
        }
        sendTo(newSink, newReceiver);
        queue.submitAimed(this, slot, newSourceAddress, newDestinationAddress, length);
    }

    /**
     * Does the same for operands that were checked once.
     *
     * @throws IllegalStateException if a map is closed, or its memory was freed
     */
    public void submit(RangePair pair, OperationSink newSink) {
        if (pair.isFreeable()) {
            checkAlive(pair);
        }
        submit(
                pair.source(),
                pair.sourceAddress(),
                pair.destination(),
                pair.destinationAddress(),
                pair.length(),
                newSink,
                null);
    }

    private void checkAlive(RangePair pair) {
        try {
            pair.checkAlive();
        } catch (Throwable failure) {
            end();
            throw failure;
        }
    }

    /** Gives the native task the arguments of an operation on ranges, but for the data segments of the slot's buffers. */
    private void aim(
            @Nullable MapState source,
            long newSourceAddress,
            @Nullable MapState destination,
            long newDestinationAddress,
            long length,
            TaskQueue queue,
            TaskCommands commands) {
        if (parameterized) {
            type.checkSubject(subject);
        }
        if (!onRanges || local != null || remote != null) {
            forgetBuffers();
            onRanges = true;
        }
        bytes = length;
        sourceAddress = newSourceAddress;
        destinationAddress = newDestinationAddress;
        if (!isBoundTo(source, destination) || (filledByPeer && !isFilled(newDestinationAddress, length))) {
            bind(source, destination, queue, commands);
        }
        if (parameterized) {
            arguments.setParameters(commands);
            arguments.noteParameters();
            if (resultBuffer != null) {
                type.prepareResultBuffer(this, commands);
            }
        }
    }

    /** Returns whether the native task has buffers over these maps. */
    boolean isBoundTo(@Nullable MapState source, @Nullable MapState destination) {
        return aimed && source == sourceMap && destination == destinationMap;
    }

    private boolean isFilled(long address, long length) {
        return filledAddress == address && filledLength == length;
    }

    private void bind(
            @Nullable MapState source, @Nullable MapState destination, TaskQueue queue, TaskCommands commands) {
        boolean wasAimed = aimed;
        boolean newSource = source != sourceMap;
        boolean newDestination =
                destination != destinationMap || (filledByPeer && !isFilled(destinationAddress, bytes));
        bindBuffers(source, destination);
        aimed = true;
        if (task == 0) {
            allocate(queue, userData(generation + 1, index));
            arguments.noteParameters();
        } else {
            if (!wasAimed || isNew(type.local(), newSource, newDestination)) {
                set(commands, type.setters().local(), localPointer());
            }
            if (!wasAimed || isNew(type.remote(), newSource, newDestination)) {
                set(commands, type.setters().remote(), remotePointer());
            }
        }
        Slots.setTask(slot, task);
    }

    /** Gets buffers of the slot over these maps. The native task does not have them yet. */
    private void bindBuffers(@Nullable MapState source, @Nullable MapState destination) {
        aimed = false;
        type.checkMaps(source, destination);
        slot = pool.ranges().slot(index);
        if (source != sourceMap) {
            bindSource(source);
        }
        if (destination == null || !filledByPeer) {
            if (destination != destinationMap) {
                bindDestination(destination);
            }
        } else if (destination != destinationMap || !isFilled(destinationAddress, bytes)) {
            bindDestination(destination, destinationAddress, bytes);
            filledAddress = destinationAddress;
            filledLength = bytes;
        }
    }

    private static boolean isNew(BufferRole role, boolean newSource, boolean newDestination) {
        return switch (role) {
            case NONE -> false;
            case SOURCE -> newSource;
            case DESTINATION, REMOTE_DESTINATION -> newDestination;
        };
    }

    private void set(TaskCommands commands, long setter, long value) {
        if (setter != 0) {
            commands.setPointer(setter, typed, value);
        }
    }

    /** Removes buffers of earlier operations from the arguments. */
    private void forgetBuffers() {
        buffers(null, null);
        checkedBy = null;
        arguments.forgetBuffers();
    }

    /** Gives back the buffers over a map, unless the operation is in flight. Returns how many are left. */
    int unbind(MapState map) {
        boolean source = sourceMap == map;
        boolean destination = destinationMap == map;
        if (isInFlight() && aimed) {
            return (source ? 1 : 0) + (destination ? 1 : 0);
        }
        TaskSeries whole = series;
        if (whole != null && (source || destination)) {
            whole.disarm();
        }
        if (source) {
            bindSource(null);
        }
        if (destination) {
            bindDestination(null);
        }
        return 0;
    }

    /** Gives back all buffers over maps, when the context is being destroyed. */
    void unbindAll(MapHolder holder) {
        MapState source = sourceMap;
        if (source != null) {
            bindSource(null);
            source.removeHolder(holder);
        }
        MapState destination = destinationMap;
        if (destination != null) {
            bindDestination(null);
            destination.removeHolder(holder);
        }
    }

    /** Replaces the buffer that is read by one over another map, or by none. */
    private void bindSource(@Nullable MapState map) {
        aimed = false;
        Slots.setSource(slot, pool.ranges().replace(sourceMap, Slots.source(slot), map));
        sourceMap = map;
    }

    /** Replaces the buffer that is written to by one over another map, or by none. */
    private void bindDestination(@Nullable MapState map) {
        aimed = false;
        Slots.setDestination(slot, pool.ranges().replace(destinationMap, Slots.destination(slot), map));
        destinationMap = map;
    }

    /** Replaces the buffer that is written to by one over a part of a map. */
    private void bindDestination(MapState map, long address, long length) {
        aimed = false;
        Slots.setDestination(
                slot, pool.ranges().replace(destinationMap, Slots.destination(slot), map, address, length));
        destinationMap = map;
    }

    /**
     * Submits the operation with the arguments that were set. If this throws, the operation is not in flight, and it is back in the
     * pool unless it is held.
     *
     * @param newReceiver the object that {@link #receiver()} returns to the sink
     * @throws IllegalArgumentException if the arguments are wrong
     * @throws IllegalStateException if a buffer, the subject or the event cannot be used
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the task
     */
    public void submit(OperationSink newSink, @Nullable Object newReceiver) {
        TaskQueue queue = queue();
        if (isAsChecked()) {
            submitAgain(newSink, newReceiver);
            return;
        }
        resolveOrEnd();
        if (isSplit()) {
            end();
            type.split(this, newSink, newReceiver);
            return;
        }
        boolean begun = false;
        try {
            bytes = type.check(subject, localList, remoteList);
            acquireEvent();
            begun = true;
            prepare(queue, reusable ? queue.prepare(this) : queue.prepareNow(this));
            sendTo(newSink, newReceiver);
            if (reusable) {
                queue.submit(this);
            } else {
                queue.submitNow(this);
                type.started(this);
            }
            acquireBuffers();
            noteChecked();
        } catch (Throwable failure) {
            if (begun) {
                queue.drop();
                refused();
                releaseEvent();
            }
            end();
            throw failure;
        }
    }

    private void resolveOrEnd() {
        try {
            resolve();
        } catch (Throwable failure) {
            end();
            throw failure;
        }
    }

    /** Returns whether the operation needs a task for each part of its destination. A held operation is never split. */
    private boolean isSplit() {
        BufElement to = remoteList;
        return !held && to != null && !to.isSingle() && type.remote() == BufferRole.DESTINATION;
    }

    private void sendTo(OperationSink newSink, @Nullable Object newReceiver) {
        if (newSink != sink) {
            sink = newSink;
        }
        if (newReceiver != receiver) {
            receiver = newReceiver;
        }
    }

    /**
     * Returns whether the last check is still valid. The buffers must be the same and unchanged, the destination empty again, and no
     * other operation may conflict. The thread must be the same, as it then still owns the buffers.
     */
    private boolean isAsChecked() {
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
                && to.tasks() == 0
                && task != 0;
    }

    private void submitAgain(OperationSink newSink, @Nullable Object newReceiver) {
        BufElement from = Objects.requireNonNull(localList);
        BufElement to = Objects.requireNonNull(remoteList);
        TaskQueue queue = queue();
        try {
            queue.prepare(this);
        } catch (Throwable failure) {
            end();
            throw failure;
        }
        sendTo(newSink, newReceiver);
        queue.submitAfterReset(this, to);
        from.acquire();
        to.acquireAsTarget();
    }

    /** Records the state for {@link #isAsChecked}, for reusable operations that copy one buffer to another without an event. */
    private void noteChecked() {
        BufElement from = localList;
        BufElement to = remoteList;
        boolean simple = false;
        if (from != null
                && to != null
                && local != null
                && event == null
                && reusable
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

    private void resolve() {
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

    /** Allocates the native task, or sets the arguments that have changed, and describes the buffers. */
    private void prepare(TaskQueue queue, TaskCommands commands) {
        onRanges = false;
        aimed = false;
        if (task == 0) {
            allocate(queue, userData(generation + 1, index));
        } else {
            arguments.set(commands);
        }
        arguments.note();
        describeBuffers(queue, commands);
    }

    private static long pointer(@Nullable BufElement list) {
        return list == null ? 0 : list.pointer();
    }

    /** Allocates the native task for the current arguments. */
    void allocate(TaskQueue queue, long userData) {
        queue.markUsed(index);
        int code = type.allocate(this, userData);
        if (code != DocaError.SUCCESS.code()) {
            throw queue.refusal(code, type.allocation(), this);
        }
        typed = type.allocated();
        task = type.asTask(typed);
        generation++;
    }

    /** Sets the data segments of the buffers in the SDK where they differ from those in Java. */
    private void describeBuffers(TaskQueue queue, TaskCommands commands) {
        if (resultBuffer != null) {
            type.prepareResultBuffer(this, commands);
        } else if (localList != null) {
            describe(queue, commands, type.local(), localList);
        }
        if (remoteList != null) {
            describe(queue, commands, type.remote(), remoteList);
        }
    }

    private void describe(TaskQueue queue, TaskCommands commands, BufferRole role, BufElement list) {
        switch (role) {
            case DESTINATION -> queue.updateDestination(list, this);
            case REMOTE_DESTINATION -> {
                commands.setData(list.pointer(), list.data(), 0);
                list.markListStale();
            }
            case SOURCE -> queue.updateNow(list, this);
            case NONE -> throw new AssertionError(type.function() + " has a buffer that its type does not have");
        }
    }

    /** Acquires the event. This precedes the submission, as any thread may close an event. */
    private void acquireEvent() {
        RemoteEvent peers = event;
        if (peers != null) {
            type.checkEvent(peers);
            peers.acquire();
        }
    }

    private void releaseEvent() {
        RemoteEvent peers = event;
        if (peers != null) {
            peers.release();
        }
    }

    private void acquireBuffers() {
        type.local().acquire(localList);
        type.remote().acquire(remoteList);
    }

    private void releaseBuffers() {
        type.local().release(localList);
        type.remote().release(remoteList);
    }

    /** Frees a native task that is not reusable, and returns the operation to its pool unless it is held. */
    private void end() {
        if (!reusable) {
            freeTask();
        }
        if (!held) {
            pool.put(this);
        }
    }

    /**
     * Prepares the task for a graph, which submits it. If this throws, the task is not lent to the graph.
     *
     * @param uses registers the buffers that the task uses
     * @param abandoned called if the outcome will never be known
     */
    public void lend(BufferUses uses, OperationSink abandoned) {
        TaskQueue queue = queue();
        checkedBy = null;
        resolve();
        bytes = type.checkInGraph(subject, localList, remoteList);
        acquireEvent();
        sink = abandoned;
        try {
            prepare(queue, queue.prepareNow(this));
            type.local().register(uses, localList, bytes);
            type.remote().register(uses, remoteList, bytes);
            lent = true;
            queue.lend(this);
            type.lent(this);
        } catch (Throwable failure) {
            lent = false;
            queue.drop();
            refused();
            releaseEvent();
            throw failure;
        }
    }

    /**
     * Prepares the task for a graph, with ranges as its operands. If this throws, the task is not lent to the graph.
     *
     * @param abandoned called if the outcome will never be known
     */
    public void lend(RangePair pair, OperationSink abandoned) {
        pair.checkAlive();
        TaskQueue queue = queue();
        sink = abandoned;
        try {
            TaskCommands commands = queue.prepareNow(this);
            aim(
                    pair.source(),
                    pair.sourceAddress(),
                    pair.destination(),
                    pair.destinationAddress(),
                    pair.length(),
                    queue,
                    commands);
            if (pair.source() != null) {
                commands.setData(Slots.source(slot), sourceAddress, bytes);
            }
            if (pair.destination() != null) {
                commands.setData(Slots.destination(slot), destinationAddress, 0);
            }
            lent = true;
            queue.lend(this);
            type.lent(this);
        } catch (Throwable failure) {
            lent = false;
            queue.drop();
            refused();
            throw failure;
        }
    }

    /** Reads the result of a lent task that has succeeded. */
    public void collectResult() {
        collect();
        pool.activity().succeeded(1, grow());
    }

    /** Takes the task back from the graph, whose run has ended. */
    public void takeBack() {
        releaseEvent();
        type.takenBack(this);
    }

    /** Adds the operation to a series, which submits it. */
    void join(TaskSeries newSeries, OperationSink newSink, RangePair pair) {
        forgetBuffers();
        freeTask();
        onRanges = true;
        bytes = pair.length();
        sourceAddress = pair.sourceAddress();
        destinationAddress = pair.destinationAddress();
        series = newSeries;
        sink = newSink;
    }

    /**
     * Allocates the native task for a series, and aims its buffers.
     *
     * @return the pointer to the buffer that is written to
     */
    long arm(TaskQueue queue, RangePair pair, long userData) {
        bindBuffers(pair.source(), pair.destination());
        updateNow(queue, Slots.source(slot), pair.sourceAddress(), pair.length());
        updateNow(queue, Slots.destination(slot), pair.destinationAddress(), 0);
        aimed = true;
        allocate(queue, userData);
        return Slots.destination(slot);
    }

    private void updateNow(TaskQueue queue, long buf, long address, long length) {
        int result = BufCalls.setData(buf, address, length);
        if (result != DocaError.SUCCESS.code()) {
            throw queue.refusal(result, "doca_buf_set_data", this);
        }
    }

    /** Leaves the series and goes back to the pool. */
    void leave() {
        series = null;
        free();
    }

    /** Reads the result of the task, which has succeeded and still exists. */
    void collect() {
        result = type.result(this);
    }

    /** Grows the data of the destination and returns the number of bytes moved. */
    private long grow() {
        BufElement list = destination();
        if (list == null) {
            return type.moved(this);
        }
        long growth = type.growth(this);
        list.grow(growth);
        return growth;
    }

    private @Nullable BufElement destination() {
        if (type.local() == BufferRole.DESTINATION) {
            return localList;
        }
        return type.remote() == BufferRole.DESTINATION ? remoteList : null;
    }

    /** Delivers the success of an operation that is no longer in flight. */
    void succeeded() {
        if (recorded != null) {
            record(true);
        }
        TaskSeries whole = series;
        if (whole != null) {
            whole.ended();
            sink.succeeded(this);
            return;
        }
        OperationSink receiving = sink;
        // The task may have been freed meanwhile, so that it has no buffers any more.
        if (onRanges) {
            TaskFailedException hiddenFailure = filledByPeer ? type.hiddenFailure(this) : null;
            if (hiddenFailure != null) {
                failed(hiddenFailure);
                return;
            }
            pool.activity().succeeded(1, filledByPeer ? type.growth(this) : bytes);
            if (!held) {
                pool.put(this);
            }
        } else if (checkedBy != null) {
            pool.activity().succeeded(1, bytes);
            releaseChecked();
        } else {
            TaskFailedException hiddenFailure = type.hiddenFailure(this);
            if (hiddenFailure != null) {
                failed(hiddenFailure);
                return;
            }
            pool.activity().succeeded(1, grow());
            release();
        }
        receiving.succeeded(this);
    }

    /** Delivers the failure of an operation that is no longer in flight. */
    public void failed(TaskFailedException failure) {
        if (recorded != null) {
            record(false);
        }
        Jfr.operationFailed(function(), pool.life().description(), failure.getMessage());
        if (series != null) {
            sink.failed(this, failure);
            return;
        }
        pool.activity().failed(1);
        // A graph takes the status of a native task for that of its own run, so no failed status may remain.
        freeTask();
        OperationSink receiving = sink;
        BufElement list = destination();
        if (list != null) {
            list.markListStale();
        }
        release();
        receiving.failed(this, failure);
    }

    /** Counts a failure of this operation, which belongs to a series in flight. */
    public void failedInSeries() {
        Objects.requireNonNull(series).failed(this);
    }

    private void record(boolean success) {
        OperationEvent begun = Objects.requireNonNull(recorded);
        recorded = null;
        TaskSeries whole = series;
        begun.end(function(), pool.life().description(), whole == null ? bytes : whole.bytes(), tasks(), success);
    }

    private void release() {
        releaseBuffers();
        releaseEvent();
        end();
        if (!reusable) {
            type.ended(this);
        }
    }

    /** Like {@link #release}, for operations that {@link #noteChecked} has recorded. Their destination grows by all bytes. */
    private void releaseChecked() {
        Objects.requireNonNull(localList).release();
        Objects.requireNonNull(remoteList).releaseGrown(bytes);
        if (!held) {
            pool.put(this);
        }
    }

    /** Notifies the sink that the outcome will never be known. The buffers stay in use, as the device may still access them. */
    void abandoned(RuntimeException reason) {
        if (series != null && !series.isLedBy(this)) {
            return;
        }
        int code = DocaError.SHUTDOWN.code();
        TaskFailedException failure = new TaskFailedException(
                Calls.message(code, function(), attempt(), List.of()),
                code,
                function(),
                TaskFailedException.Reason.CANCELLED);
        failure.initCause(reason);
        OperationSink receiving = sink;
        sink = OperationSink.none();
        receiving.abandoned(this, failure);
    }

    /** Marks the arguments and data segments as unknown to the SDK, as the task was not submitted. */
    void refused() {
        reportedTogether = false;
        aimed = false;
        checkedBy = null;
        arguments.forget();
        if (localList != null) {
            localList.markListStale();
        }
        if (remoteList != null) {
            remoteList.markListStale();
        }
    }

    void markSubmitted(long now) {
        submitted = now;
    }

    /** Begins the JFR event of the operation, if operations are recorded. */
    void startRecording() {
        OperationEvent begun = Jfr.startOperation();
        if (begun != null) {
            recorded = begun;
        }
    }

    /** Returns whether only the device delays the completion. A task of a graph may be submitted much later. */
    boolean isDue() {
        return !openEnded && !lent;
    }

    void markCompleted() {
        submitted = 0;
        lent = false;
    }

    /** Frees the native task. The context cannot become idle while it has allocated tasks. */
    public void freeTask() {
        if (task != 0) {
            TaskCalls.free(task);
            task = 0;
            aimed = false;
        }
    }

    /** Frees the native task unless it is in flight. */
    void freeIdleTask() {
        if (task != 0 && !isInFlight()) {
            freeTask();
        }
    }

    /** Returns whether the task is submitted or deferred, and its completion is not delivered yet. */
    public boolean isInFlight() {
        TaskSeries whole = series;
        return whole == null ? submitted != 0 : whole.isInFlight();
    }

    /** Returns the time of the submission, by the engine's clock; 0 if not in flight. Any thread may call. */
    long submitted() {
        return submitted;
    }

    /** Records whether the SDK may report the submission together with later ones. Then a failure may be that of a later one. */
    void reportTogether(boolean together) {
        reportedTogether = together;
    }

    boolean isReportedTogether() {
        return reportedTogether;
    }

    public boolean isInSeries() {
        return series != null;
    }

    /** Returns the number of tasks that are submitted and completed together with this one, including this one. */
    public int tasks() {
        TaskSeries whole = series;
        return whole == null ? 1 : whole.size();
    }

    /** Returns the operation of the series that has the native task; this operation if it is in no series. */
    public Operation member(long nativeTask) {
        TaskSeries whole = series;
        return whole == null ? this : whole.member(nativeTask);
    }

    boolean isOf(long nativeTask) {
        return typed == nativeTask;
    }

    int index() {
        return index;
    }

    /** Returns the number of this operation among those of its pool, from 0. */
    public int number() {
        return pool.number(this);
    }

    public OperationPool pool() {
        return pool;
    }

    OperationType type() {
        return type;
    }

    private TaskQueue queue() {
        return pool.queue();
    }

    /** Returns the {@code struct doca_task *}, or 0. */
    public long task() {
        return task;
    }

    /** Returns the native task of its own C type. */
    public long typed() {
        return typed;
    }

    /** Returns the user data of the native task, which no earlier or later task of the context has. */
    public long userData() {
        return userData(generation, index);
    }

    /** Returns user data that are never negative: series use the negative values. */
    private static long userData(int generation, int index) {
        return (long) (generation & Integer.MAX_VALUE) << Integer.SIZE | index;
    }

    boolean isAddressedBy(long userData) {
        return submitted != 0 && userData() == userData;
    }

    String function() {
        return type.function();
    }

    public String attempt() {
        return type.attempt(this);
    }

    @Nullable
    String meaning(int result) {
        return type.meaning(this, result);
    }

    /** Returns the text of {@link #attempt}, and whether a graph runs the task. */
    String attemptInFlight() {
        return lent ? attempt() + " (a task of a graph that runs)" : attempt();
    }

    public Object subject() {
        return Objects.requireNonNull(subject);
    }

    public @Nullable Buf local() {
        return local;
    }

    public @Nullable Buf remote() {
        return remote;
    }

    public @Nullable BufElement localList() {
        return localList;
    }

    public @Nullable BufElement remoteList() {
        return remoteList;
    }

    private @Nullable BufElement nativeLocal() {
        return resultBuffer != null ? resultBuffer : localList;
    }

    /** Returns the pointer to the local buffer, or 0. */
    public long localPointer() {
        return resultBuffer == null && aimed ? slotPointer(type.local()) : pointer(nativeLocal());
    }

    /** Returns the pointer to the remote buffer or to the event of the peer, or 0. */
    public long remotePointer() {
        if (aimed) {
            return slotPointer(type.remote());
        }
        RemoteEvent peers = event;
        return peers == null ? pointer(remoteList) : peers.pointer();
    }

    private long slotPointer(BufferRole role) {
        return switch (role) {
            case NONE -> 0;
            case SOURCE -> Slots.source(slot);
            case DESTINATION, REMOTE_DESTINATION -> Slots.destination(slot);
        };
    }

    /** Returns whether the operands of the last submission were ranges. */
    public boolean isOnRanges() {
        return onRanges;
    }

    /** Returns the map that an operation on ranges reads. */
    public @Nullable MapState sourceMap() {
        return sourceMap;
    }

    /** Returns the map that an operation on ranges writes to. */
    public @Nullable MapState destinationMap() {
        return destinationMap;
    }

    /** Returns the address that an operation on ranges reads. */
    public long sourceAddress() {
        return sourceAddress;
    }

    /** Returns the address that an operation on ranges writes to. */
    public long destinationAddress() {
        return destinationAddress;
    }

    public @Nullable RemoteEvent event() {
        return event;
    }

    public long first() {
        return first;
    }

    public long second() {
        return second;
    }

    /** Returns the number that a handler gets with the end. */
    public long tag() {
        return tag;
    }

    /** Returns the object that the sink completes: a future or a handler. */
    public Object receiver() {
        return Objects.requireNonNull(receiver);
    }

    /** Returns the number of bytes that the operation moves, as its check computed it. */
    public long bytes() {
        return bytes;
    }

    /** Returns the object that a sink creates of the result. If memory is short, the engine's reserve is used. */
    public <T> T create(Function<? super Operation, T> creation) {
        try {
            return creation.apply(this);
        } catch (OutOfMemoryError e) {
            pool.life().engine().delivery().releaseReserve();
            return creation.apply(this);
        }
    }

    /** Returns the result of the last submission that has succeeded. */
    public long result() {
        return result;
    }

    /**
     * The arguments that the native task has. Only arguments that differ from them are set again. Equal pointers do not prove equal
     * arguments: the SDK reads the key of a buffer's map when the buffer is set, and it reuses the pointers of freed buffers and
     * connections. Therefore the Java objects and the incarnations of the buffers are compared.
     */
    private final class NativeArguments {

        /** True if the subject and the numbers are known. */
        private boolean known;
        /** True if the buffers and the event are known, which are not those of the slot then. */
        private boolean buffersKnown;

        private @Nullable Object knownSubject;
        private @Nullable BufElement knownLocal;
        private int localIncarnation;
        private @Nullable BufElement knownRemote;
        private int remoteIncarnation;
        private @Nullable RemoteEvent knownEvent;
        private long knownFirst;
        private long knownSecond;

        /** Sets the arguments that differ from those of the native task. */
        void set(TaskCommands commands) {
            setParameters(commands);
            ArgumentSetters setters = type.setters();
            if (!(buffersKnown && isLocalKnown())) {
                Operation.this.set(commands, setters.local(), localPointer());
            }
            if (!(buffersKnown && isRemoteKnown())) {
                Operation.this.set(commands, setters.remote(), remotePointer());
            }
        }

        /** Sets the subject and the numbers if they differ from those of the native task. */
        void setParameters(TaskCommands commands) {
            ArgumentSetters setters = type.setters();
            if (subject != null && !(known && subject == knownSubject)) {
                Operation.this.set(commands, setters.subject(), type.pointer(subject));
            }
            if (!(known && first == knownFirst)) {
                Operation.this.set(commands, setters.first(), first);
            }
            if (!(known && second == knownSecond)) {
                Operation.this.set(commands, setters.second(), second);
            }
        }

        /** Records that the native task has the current arguments. */
        void note() {
            noteParameters();
            if (!isLocalKnown()) {
                knownLocal = nativeLocal();
                localIncarnation = incarnation(knownLocal);
            }
            if (!isRemoteKnown()) {
                knownRemote = remoteList;
                remoteIncarnation = incarnation(knownRemote);
                knownEvent = event;
            }
            buffersKnown = true;
        }

        /** Records that the native task has the current subject and numbers. */
        void noteParameters() {
            if (subject != knownSubject) {
                knownSubject = subject;
            }
            knownFirst = first;
            knownSecond = second;
            known = true;
        }

        /** Discards the record, as the native task may have other arguments. */
        void forget() {
            known = false;
            buffersKnown = false;
        }

        /** Discards the record of the buffers and the event. */
        void forgetBuffers() {
            buffersKnown = false;
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
    }
}
