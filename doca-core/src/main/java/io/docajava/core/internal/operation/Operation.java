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
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.internal.memory.MapHolder;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.ffi.hot.TaskCalls;
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

    /** In its pool, or taken to be submitted at once. */
    private static final byte FREE = 0;
    /** Kept by a prepared task or a series. */
    private static final byte HELD = 1;
    /** Submitted or deferred; its completion is not delivered yet. */
    private static final byte IN_FLIGHT = 2;
    /** A graph has the task, and may submit it much later. */
    private static final byte LENT = 3;
    /** In flight or lent when its engine ended, so that its outcome will never be known. */
    private static final byte ABANDONED = 4;

    private final int index;
    private final int number;
    private final OperationPool pool;
    private final OperationType type;
    private final boolean openEnded;
    private final boolean reusable;
    private final boolean filledByPeer;
    /** True if a task of the type has nothing but two buffers. */
    private final boolean plain;

    private final TaskParameters parameters;
    private final BufOperands bufs;
    private final SlotBuffers slots;

    private int generation;
    /** The user data of the native task, which no earlier or later task of the context has. */
    private long userData;
    /** The {@code struct doca_task *}; 0 if none is allocated. */
    private long task;
    /** The pointer to the same task as its own C type. */
    private long typed;

    /** One of the states above. A number, as each store of a reference is work for the garbage collector. */
    private byte state;
    /** The state that it returns to when it has ended. */
    private byte home;

    /** The time of the submission, by the engine's clock; 0 if not in flight. Other threads read it, see {@link Activity}. */
    private long submitted;
    /** True if the SDK may report the last submission together with later ones, see {@link TaskQueue}. */
    private boolean reportedTogether;

    private @Nullable TaskSeries series;

    private long tag;

    /** True if the operands of the last submission were ranges. */
    private boolean onRanges;

    private long sourceAddress;
    private long destinationAddress;

    private OperationSink sink = OperationSink.none();
    private @Nullable Object receiver;

    private long bytes;
    private long result;

    private @Nullable OperationEvent recorded;

    Operation(int index, OperationPool pool, OperationType type, int number) {
        this.index = index;
        this.number = number;
        this.pool = pool;
        this.type = type;
        this.openEnded = type.isOpenEnded();
        this.reusable = type.isReusable();
        this.filledByPeer = type.isFilledByPeer();
        this.parameters = new TaskParameters(type);
        this.plain = !filledByPeer && !parameters.areAny();
        this.bufs = new BufOperands(type, number);
        this.slots = new SlotBuffers(index, pool, type);
    }

    /** Sets the subject of the operation, such as a connection. */
    public Operation on(@Nullable Object newSubject) {
        parameters.setSubject(newSubject);
        return this;
    }

    /** Sets the buffers. Each may be the first of a list. */
    public Operation buffers(@Nullable Buf newLocal, @Nullable Buf newRemote) {
        return local(newLocal).remote(newRemote);
    }

    /** Sets the local buffer: the source of a copy, send or write, or the destination of a read or receive. */
    public Operation local(@Nullable Buf newLocal) {
        onRanges = false;
        bufs.setLocal(newLocal);
        return this;
    }

    /** Sets the remote buffer: a buffer in the peer's memory, or the destination of a copy. */
    public Operation remote(@Nullable Buf newRemote) {
        onRanges = false;
        bufs.setRemote(newRemote);
        return this;
    }

    /** Sets the sync event of the peer. */
    public Operation event(@Nullable RemoteEvent newEvent) {
        bufs.setEvent(newEvent);
        return this;
    }

    /** Sets the numbers: the immediate data, or the operands of an atomic operation. */
    public Operation numbers(long newFirst, long newSecond) {
        parameters.setNumbers(newFirst, newSecond);
        return this;
    }

    /** Sets the number that a handler gets with the end. */
    public Operation tagged(long newTag) {
        tag = newTag;
        return this;
    }

    /** Keeps the operation out of the pool when it ends. */
    public void hold() {
        home = HELD;
        state = HELD;
        reportedTogether = false;
    }

    /** Puts a held operation back into the pool. */
    public void free() {
        home = FREE;
        state = FREE;
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
        queue.submitAimed(this, slots.address(), newSourceAddress, newDestinationAddress, length);
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

    /**
     * Submits the operation on ranges of the maps that its task has buffers over: see {@link #isReadyFor}. It allocates nothing, makes
     * no native call, and needs no check of the stack. If a stack overflow cuts it short, it is as if this was not called, see
     * {@link TaskQueue#repair()}.
     */
    void submitBound(
            TaskQueue queue,
            long newSourceAddress,
            long newDestinationAddress,
            long length,
            OperationSink newSink,
            @Nullable Object newReceiver) {
        bytes = length;
        sourceAddress = newSourceAddress;
        destinationAddress = newDestinationAddress;
        sendTo(newSink, newReceiver);
        submitted = queue.deferBound(this, slots.address(), newSourceAddress, newDestinationAddress, length);
        // No call may follow.
        state = IN_FLIGHT;
    }

    /**
     * Does the same for a held operation.
     *
     * @return false if nothing was done: the caller checks the stack, and calls {@link #submit(RangePair, OperationSink)}
     */
    public boolean submitBound(RangePair pair, OperationSink newSink) {
        TaskQueue queue = pool.queue();
        if (pair.isFreeable() || !isReadyFor(pair.source(), pair.destination()) || !queue.canDefer()) {
            return false;
        }
        queue.begin();
        submitBound(queue, pair.sourceAddress(), pair.destinationAddress(), pair.length(), newSink, null);
        return true;
    }

    /** Returns whether only addresses and length differ between an operation on ranges of these maps and the last submission. */
    boolean isReadyFor(@Nullable MapState source, @Nullable MapState destination) {
        return onRanges && plain && slots.areOver(source, destination);
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
        boolean parameterized = parameters.areAny();
        if (parameterized) {
            parameters.check();
        }
        if (!onRanges) {
            bufs.clear();
            onRanges = true;
        }
        bytes = length;
        sourceAddress = newSourceAddress;
        destinationAddress = newDestinationAddress;
        if (!slots.areFor(source, destination, newDestinationAddress, length)) {
            bind(source, destination, queue, commands);
        }
        if (parameterized) {
            parameters.set(commands, typed);
            parameters.note();
            if (bufs.hasResultBuffer()) {
                type.prepareResultBuffer(this, commands);
            }
        }
    }

    private void bind(
            @Nullable MapState source, @Nullable MapState destination, TaskQueue queue, TaskCommands commands) {
        slots.bind(source, destination, destinationAddress, bytes);
        if (task == 0) {
            allocate(queue, nextUserData());
            parameters.note();
        } else {
            setIfNew(commands, type.local(), type.setters().local());
            setIfNew(commands, type.remote(), type.setters().remote());
        }
        slots.set(task);
    }

    private void setIfNew(TaskCommands commands, BufferRole role, long setter) {
        if (setter != 0 && slots.isNew(role)) {
            commands.setPointer(setter, typed, slots.pointer(role));
        }
    }

    /** Returns whether the native task has buffers over these maps. */
    boolean isBoundTo(@Nullable MapState source, @Nullable MapState destination) {
        return slots.areOver(source, destination);
    }

    /** Gives back the buffers over a map, unless the operation is in flight. Returns how many are left. */
    int unbind(MapState map) {
        int uses = slots.uses(map);
        if (uses == 0 || (isInFlight() && slots.areSet())) {
            return uses;
        }
        TaskSeries whole = series;
        if (whole != null) {
            whole.disarm();
        }
        slots.unbind(map);
        return 0;
    }

    /** Gives back all buffers over maps, when the context is being destroyed. */
    void unbindAll(MapHolder holder) {
        slots.unbindAll(holder);
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
        if (task != 0 && bufs.areAsChecked(bytes)) {
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
            bytes = type.check(parameters.subjectOrNull(), bufs.localList(), bufs.remoteList());
            bufs.acquireEvent();
            begun = true;
            prepare(queue, reusable ? queue.prepare(this) : queue.prepareNow(this));
            sendTo(newSink, newReceiver);
            if (reusable) {
                queue.submit(this);
            } else {
                queue.submitNow(this);
                type.started(this);
            }
            bufs.acquireBuffers();
            bufs.noteChecked();
        } catch (Throwable failure) {
            if (begun) {
                queue.drop();
                refused();
                bufs.releaseEvent();
            }
            end();
            throw failure;
        }
    }

    private void resolveOrEnd() {
        try {
            bufs.resolve();
        } catch (Throwable failure) {
            end();
            throw failure;
        }
    }

    /** Returns whether the operation needs a task for each part of its destination. A held operation is never split. */
    private boolean isSplit() {
        BufElement to = bufs.remoteList();
        return home != HELD && to != null && !to.isSingle() && type.remote() == BufferRole.DESTINATION;
    }

    private void sendTo(OperationSink newSink, @Nullable Object newReceiver) {
        if (newSink != sink) {
            sink = newSink;
        }
        if (newReceiver != receiver) {
            receiver = newReceiver;
        }
    }

    private void submitAgain(OperationSink newSink, @Nullable Object newReceiver) {
        TaskQueue queue = queue();
        try {
            queue.prepare(this);
        } catch (Throwable failure) {
            end();
            throw failure;
        }
        sendTo(newSink, newReceiver);
        queue.submitAfterReset(this, bufs.checkedDestination());
        bufs.acquireChecked();
    }

    /** Allocates the native task, or sets the arguments that have changed, and describes the buffers. */
    private void prepare(TaskQueue queue, TaskCommands commands) {
        onRanges = false;
        slots.unset();
        if (task == 0) {
            allocate(queue, nextUserData());
        } else {
            parameters.set(commands, typed);
            bufs.set(commands, typed);
        }
        parameters.note();
        bufs.note();
        bufs.describe(queue, commands, this);
    }

    /** Allocates the native task for the current arguments. */
    void allocate(TaskQueue queue, long taskData) {
        queue.markUsed(index);
        int code = type.allocate(this, taskData);
        if (code != DocaError.SUCCESS.code()) {
            throw queue.refusal(code, type.allocation(), this);
        }
        typed = type.allocated();
        task = type.asTask(typed);
        userData = nextUserData();
        generation++;
    }

    /** Frees a native task that is not reusable, and returns the operation to its pool unless it is held. */
    private void end() {
        if (!reusable) {
            freeTask();
        }
        if (home == FREE) {
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
        bufs.forgetCheck();
        bufs.resolve();
        bytes = type.checkInGraph(parameters.subjectOrNull(), bufs.localList(), bufs.remoteList());
        bufs.acquireEvent();
        sink = abandoned;
        try {
            prepare(queue, queue.prepareNow(this));
            bufs.register(uses, bytes);
            state = LENT;
            queue.lend(this);
            type.lent(this);
        } catch (Throwable failure) {
            state = home;
            queue.drop();
            refused();
            bufs.releaseEvent();
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
                commands.setData(slots.sourcePointer(), sourceAddress, bytes);
            }
            if (pair.destination() != null) {
                commands.setData(slots.destinationPointer(), destinationAddress, 0);
            }
            state = LENT;
            queue.lend(this);
            type.lent(this);
        } catch (Throwable failure) {
            state = home;
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
        bufs.releaseEvent();
        type.takenBack(this);
    }

    /** Adds the operation to a series, which submits it. */
    void join(TaskSeries newSeries, OperationSink newSink, RangePair pair) {
        bufs.clear();
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
        slots.bind(pair.source(), pair.destination(), pair.destinationAddress(), pair.length());
        updateNow(queue, slots.sourcePointer(), pair.sourceAddress(), pair.length());
        updateNow(queue, slots.destinationPointer(), pair.destinationAddress(), 0);
        allocate(queue, userData);
        slots.set(task);
        return slots.destinationPointer();
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
        BufElement list = bufs.destination();
        if (list == null) {
            return type.moved(this);
        }
        long growth = type.growth(this);
        list.grow(growth);
        return growth;
    }

    /**
     * Delivers the success of an operation that is no longer in flight.
     *
     * @param activity counts the success; that of the context
     */
    void succeeded(Activity activity) {
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
            activity.succeeded(1, filledByPeer ? type.growth(this) : bytes);
            if (home == FREE) {
                pool.put(this);
            }
        } else if (bufs.areChecked()) {
            activity.succeeded(1, bytes);
            releaseChecked();
        } else {
            TaskFailedException hiddenFailure = type.hiddenFailure(this);
            if (hiddenFailure != null) {
                failed(hiddenFailure);
                return;
            }
            activity.succeeded(1, grow());
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
        BufElement list = bufs.destination();
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
        bufs.releaseBuffers();
        bufs.releaseEvent();
        end();
        if (!reusable) {
            type.ended(this);
        }
    }

    /** Like {@link #release}, for operations whose check is still valid. Their destination grows by all bytes. */
    private void releaseChecked() {
        bufs.releaseChecked(bytes);
        if (home == FREE) {
            pool.put(this);
        }
    }

    /** Notifies the sink that the outcome will never be known. The buffers stay in use, as the device may still access them. */
    void abandoned(RuntimeException reason) {
        if (state == ABANDONED || (series != null && !series.isLedBy(this))) {
            return;
        }
        int code = DocaError.SHUTDOWN.code();
        TaskFailedException failure = new TaskFailedException(
                Calls.message(code, function(), attempt(), List.of()),
                code,
                function(),
                TaskFailedException.Reason.CANCELLED);
        failure.initCause(reason);
        state = ABANDONED;
        sink.abandoned(this, failure);
    }

    /** Marks the arguments and data segments as unknown to the SDK, as the task was not submitted. */
    void refused() {
        reportedTogether = false;
        slots.unset();
        parameters.forget();
        bufs.refused();
    }

    void markSubmitted(long now) {
        submitted = now;
        if (state != LENT) {
            state = IN_FLIGHT;
        }
    }

    /** Begins the JFR event of the operation, if operations are recorded. */
    void startRecording() {
        OperationEvent begun = Jfr.startOperation();
        if (begun != null) {
            recorded = begun;
        }
    }

    /** Returns whether the operation waits for more than the device. */
    boolean isOpenEnded() {
        return openEnded;
    }

    /** Returns whether only the device delays the completion. A task of a graph may be submitted much later. */
    boolean isDue() {
        return !openEnded && state != LENT;
    }

    void markCompleted() {
        submitted = 0;
        state = home;
    }

    /** Frees the native task. The context cannot become idle while it has allocated tasks. */
    public void freeTask() {
        if (task != 0) {
            TaskCalls.free(task);
            task = 0;
            slots.unset();
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
        return whole == null ? state >= IN_FLIGHT : whole.isInFlight();
    }

    /** Returns whether the operation is in its pool, or was taken to be submitted at once. */
    boolean isFree() {
        return state == FREE;
    }

    /** Returns the number of tasks that count as in flight because of this operation. */
    int countedTasks() {
        return state >= IN_FLIGHT ? tasks() : 0;
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
        return number;
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
        return userData;
    }

    /** Returns the user data of the native task that is allocated next. They are never negative: series use the negative values. */
    private long nextUserData() {
        return (long) ((generation + 1) & Integer.MAX_VALUE) << Integer.SIZE | index;
    }

    boolean isAddressedBy(long reported) {
        return userData == reported && state >= IN_FLIGHT;
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
        return state == LENT ? attempt() + " (a task of a graph that runs)" : attempt();
    }

    public Object subject() {
        return parameters.subject();
    }

    public @Nullable Buf local() {
        return bufs.local();
    }

    public @Nullable Buf remote() {
        return bufs.remote();
    }

    public @Nullable BufElement localList() {
        return bufs.localList();
    }

    public @Nullable BufElement remoteList() {
        return bufs.remoteList();
    }

    /** Returns the pointer to the local buffer, or 0. */
    public long localPointer() {
        return onRanges && !bufs.hasResultBuffer() ? slots.pointer(type.local()) : bufs.localPointer();
    }

    /** Returns the pointer to the remote buffer or to the event of the peer, or 0. */
    public long remotePointer() {
        return onRanges ? slots.pointer(type.remote()) : bufs.remotePointer();
    }

    /** Returns whether the operands of the last submission were ranges. */
    public boolean isOnRanges() {
        return onRanges;
    }

    /** Returns the map that an operation on ranges reads. */
    public @Nullable MapState sourceMap() {
        return slots.source();
    }

    /** Returns the map that an operation on ranges writes to. */
    public @Nullable MapState destinationMap() {
        return slots.destination();
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
        return bufs.event();
    }

    public long first() {
        return parameters.first();
    }

    public long second() {
        return parameters.second();
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
}
