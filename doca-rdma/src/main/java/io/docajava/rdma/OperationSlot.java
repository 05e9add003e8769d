/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSlot;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.core.memory.Buf;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.ffi.hot.RdmaCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task for operations of one type on connections. While it is in flight its buffers are marked as used, so that nobody can
 * take their memory away. Submitting and completing allocate nothing.
 */
@SuppressWarnings("ReferenceEquality") // references are stored only when they change, whatever they think of equality
final class OperationSlot extends TaskSlot {

    private final RdmaTaskType type;
    private final RdmaObject rdma;
    private final OperationCheck check;
    private final TaskTable<OperationSlot> table;
    private final TaskSetters setters;
    /** Where the number of this side is, of operations on a number of the peer. */
    private final @Nullable NumberCells cells;

    private final int cell;

    /** The task of its type, such as a {@code struct doca_rdma_task_send *}, and what it was told last. */
    private long operation;

    private boolean isArmed;
    private @Nullable RdmaConnection armedConnection;
    private @Nullable BufElement armedLocal;
    private int armedLocalIncarnation;
    private @Nullable BufElement armedRemote;
    private int armedRemoteIncarnation;
    private @Nullable RemoteEvent armedEvent;
    private long armedFirst;
    private long armedSecond;

    /**
     * What is done, and who is told. They stay when that is over: each reference that is stored is work for the garbage
     * collector, and the next operation may well have the same.
     */
    private @Nullable RdmaConnection connection;

    private @Nullable Buf local;
    private @Nullable BufElement here;
    private @Nullable BufElement there;
    private @Nullable RemoteEvent event;
    private long first;
    private long second;
    private @Nullable RdmaHandler handler;
    private long bytes;
    private long result;
    private boolean kept;

    /**
     * Makes a slot.
     *
     * @param cells for operations on a number of the peer; null for others
     * @param cell which of them
     */
    OperationSlot(
            int index,
            TaskTable<OperationSlot> table,
            RdmaTaskType type,
            RdmaObject rdma,
            OperationCheck check,
            TaskSetters setters,
            @Nullable NumberCells cells,
            int cell) {
        super(index);
        this.table = table;
        this.type = type;
        this.rdma = rdma;
        this.check = check;
        this.setters = setters;
        this.cells = cells;
        this.cell = cell;
    }

    RdmaTaskType type() {
        return type;
    }

    /** Keeps the slot out of the table after its completions, for a task that is submitted again. */
    void keep() {
        kept = true;
    }

    /** Puts a kept slot back. */
    void giveBack() {
        kept = false;
        handler = null;
        table.put(this);
    }

    /**
     * Submits an operation. When this throws, nothing is in flight, and a slot that is not kept is back in the table.
     *
     * @param newLocal the buffer of this side, or null
     * @param newRemote the buffer of the peer's memory, or null
     * @param newFirst the immediate data, what is compared with, or what is added
     * @param newSecond what is swapped in
     * @throws IllegalArgumentException if the buffers are not right
     * @throws IllegalStateException if a buffer or the connection cannot be used, or the context has stopped
     * @throws DocaException if the SDK refuses the task
     */
    void submit(
            RdmaConnection newConnection,
            @Nullable Buf newLocal,
            @Nullable Buf newRemote,
            long newFirst,
            long newSecond,
            RdmaHandler newHandler) {
        submit(newConnection, newLocal, newRemote, null, newFirst, newSecond, newHandler);
    }

    /**
     * Submits an operation on a sync event of the peer; otherwise as the other one.
     *
     * @param number what is set or added
     */
    void submit(RdmaConnection newConnection, RemoteSyncEvent newEvent, long number, RdmaHandler newHandler) {
        submit(newConnection, null, null, newEvent, number, 0, newHandler);
    }

    private void submit(
            RdmaConnection newConnection,
            @Nullable Buf newLocal,
            @Nullable Buf newRemote,
            @Nullable RemoteSyncEvent newEvent,
            long newFirst,
            long newSecond,
            RdmaHandler newHandler) {
        boolean isChecked = false;
        RdmaContext context = newConnection.context();
        ContextCore core = context.core();
        try {
            newConnection.checkUsable();
            BufElement newHere = newLocal == null ? null : Handles.list(newLocal);
            BufElement newThere = newRemote == null ? null : Handles.list(newRemote);
            bytes = check.check(type, newHere, newThere);
            acquire(newEvent);
            remember(newConnection, newLocal, newHere, newThere, newHandler);
            first = newFirst;
            second = newSecond;
            isChecked = true;
            boolean batched = context.isBatched();
            TaskCommands commands = core.prepare(this, batched);
            arm(core, commands);
            tell(core, commands);
            if (batched) {
                core.submitInBatch(this);
            } else {
                core.submit(this);
            }
            acquire();
        } catch (Throwable failure) {
            if (isChecked) {
                core.drop();
                refused();
                releaseEvent();
            }
            letGo();
            throw failure;
        }
    }

    /**
     * Takes part in the run of a graph, which submits the native task; otherwise as a submission. When this throws, it does not.
     *
     * @param uses where it notes the buffers that it uses
     * @param abandoned is told when nobody will learn how the operation ends
     */
    void lend(
            RdmaConnection newConnection,
            @Nullable Buf newLocal,
            @Nullable Buf newRemote,
            @Nullable RemoteSyncEvent newEvent,
            long newFirst,
            long newSecond,
            BufferUses uses,
            RdmaHandler abandoned) {
        ContextCore core = newConnection.context().core();
        newConnection.checkUsable();
        BufElement newHere = newLocal == null ? null : Handles.list(newLocal);
        BufElement newThere = newRemote == null ? null : Handles.list(newRemote);
        bytes = check.checkAlone(type, newHere, newThere);
        acquire(newEvent);
        remember(newConnection, newLocal, newHere, newThere, abandoned);
        first = newFirst;
        second = newSecond;
        try {
            TaskCommands commands = core.prepareAlone(this);
            arm(core, commands);
            // Before the target grows by what only a run will bring.
            tell(core, commands);
            note(uses);
            core.lend(this);
            newConnection.lend();
        } catch (Throwable failure) {
            core.drop();
            refused();
            releaseEvent();
            throw failure;
        }
    }

    private void note(BufferUses uses) {
        BufElement near = here;
        BufElement far = there;
        if (near != null && type == RdmaTaskType.READ) {
            uses.write(near, bytes);
        } else if (near != null) {
            uses.read(near);
        }
        if (far != null && type.isWrite()) {
            uses.useAlone(far);
        } else if (far != null) {
            uses.read(far);
        }
    }

    /** The native task of a lent slot. */
    long nativeTask() {
        return task();
    }

    /** The operation of a lent slot has succeeded; gives its result. */
    long takeResult() {
        collect();
        if (type == RdmaTaskType.READ) {
            Objects.requireNonNull(here).grow(result);
        }
        return result;
    }

    /** The run of a lent slot is over. */
    void endLending() {
        releaseEvent();
        Objects.requireNonNull(connection).giveBack();
    }

    /** Before the submission, as any thread may close an event. */
    private void acquire(@Nullable RemoteSyncEvent newEvent) {
        RemoteEvent next = newEvent == null ? null : Handles.inside(newEvent);
        if (next != null) {
            check.checkEvent(next);
            next.acquire();
        }
        if (next != event) {
            event = next;
        }
    }

    private void releaseEvent() {
        if (event != null) {
            event.release();
        }
    }

    private void remember(
            RdmaConnection newConnection,
            @Nullable Buf newLocal,
            @Nullable BufElement newHere,
            @Nullable BufElement newThere,
            RdmaHandler newHandler) {
        if (newConnection != connection) {
            connection = newConnection;
        }
        if (newLocal != local) {
            local = newLocal;
        }
        if (newHere != here) {
            here = newHere;
        }
        if (newThere != there) {
            there = newThere;
        }
        if (newHandler != handler) {
            handler = newHandler;
        }
    }

    /**
     * Gives the native task its arguments, but for those that it has. The SDK takes the key of a remote buffer when that is set, and
     * uses the pointers of closed buffers, connections and events for new ones: so an equal pointer does not mean that nothing
     * has changed.
     */
    private void arm(ContextCore core, TaskCommands commands) {
        RdmaConnection on = Objects.requireNonNull(connection);
        BufElement near = cells != null ? cells.buffer(cell) : here;
        BufElement far = there;
        boolean sameLocal = near == armedLocal && incarnation(near) == armedLocalIncarnation;
        boolean sameRemote = far == armedRemote && incarnation(far) == armedRemoteIncarnation && event == armedEvent;
        long remotePointer = event == null ? pointer(far) : event.pointer();
        if (task() == 0) {
            allocate(core, on.pointer(), pointer(near), remotePointer);
        } else {
            boolean all = !isArmed;
            set(commands, setters.connection(), all || on != armedConnection, on.pointer());
            set(commands, setters.local(), all || !sameLocal, pointer(near));
            set(commands, setters.remote(), all || !sameRemote, remotePointer);
            set(commands, setters.first(), all || first != armedFirst, first);
            set(commands, setters.second(), all || second != armedSecond, second);
        }
        isArmed = true;
        if (on != armedConnection) {
            armedConnection = on;
        }
        if (!sameLocal) {
            armedLocal = near;
            armedLocalIncarnation = incarnation(near);
        }
        if (!sameRemote) {
            armedRemote = far;
            armedRemoteIncarnation = incarnation(far);
            armedEvent = event;
        }
        armedFirst = first;
        armedSecond = second;
    }

    private static int incarnation(@Nullable BufElement element) {
        return element == null ? 0 : element.incarnation();
    }

    private void set(TaskCommands commands, long setter, boolean isNew, long value) {
        if (isNew && setter != 0) {
            commands.setPointer(setter, operation, value);
        }
    }

    private static long pointer(@Nullable BufElement element) {
        return element == null ? 0 : element.pointer();
    }

    private void allocate(ContextCore core, long connectionPointer, long localPointer, long remotePointer) {
        int outcome =
                rdma.allocate(type, connectionPointer, localPointer, remotePointer, first, second, nextUserData());
        if (outcome != DocaError.SUCCESS.code()) {
            throw core.refused(outcome, type.prefix() + "_allocate_init", this);
        }
        operation = rdma.allocated();
        adopt(RdmaObject.asTask(type, operation));
    }

    /**
     * Tells the SDK the data segments. It puts a result behind the data of its buffer, and what is written to a peer behind the
     * data of the remote buffer, and counts both as data then. To Java these buffers stay empty, so they are emptied before
     * each operation.
     */
    private void tell(ContextCore core, TaskCommands commands) {
        BufElement near = here;
        BufElement far = there;
        if (cells != null) {
            tellCell(cells, commands);
        } else if (near != null) {
            if (type == RdmaTaskType.READ) {
                core.tellTarget(near, this);
            } else {
                core.tellNow(near, this);
            }
        }
        if (far == null) {
            return;
        }
        if (type.isWrite()) {
            commands.setData(far.pointer(), far.data(), 0);
            far.markListStale();
        } else {
            core.tellNow(far, this);
        }
    }

    private void tellCell(NumberCells numbers, TaskCommands commands) {
        BufElement number = numbers.buffer(cell);
        if (type == RdmaTaskType.EVENT_SET) {
            numbers.set(cell, first);
            commands.setData(number.pointer(), number.head(), Long.BYTES);
        } else {
            commands.setData(number.pointer(), number.head(), 0);
        }
    }

    private void acquire() {
        if (here != null) {
            if (type == RdmaTaskType.READ) {
                here.acquireAsTarget();
            } else {
                here.acquire();
            }
        }
        if (there != null) {
            if (type.isWrite()) {
                there.acquireAsTarget();
            } else {
                there.acquire();
            }
        }
    }

    private void release() {
        if (here != null) {
            if (type == RdmaTaskType.READ) {
                here.releaseAsTarget();
            } else {
                here.release();
            }
        }
        if (there != null) {
            if (type.isWrite()) {
                there.releaseAsTarget();
            } else {
                there.release();
            }
        }
        releaseEvent();
        letGo();
    }

    /** Lets go of the slot, so that whoever is told next can use it. */
    private void letGo() {
        if (!kept) {
            table.put(this);
        }
    }

    @Override
    protected void refused() {
        isArmed = false;
        if (here != null) {
            here.markListStale();
        }
        if (there != null) {
            there.markListStale();
        }
    }

    @Override
    protected void collect() {
        result = switch (type) {
            case READ -> Integer.toUnsignedLong(RdmaCalls.readLength(operation));
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD, EVENT_GET, EVENT_ADD ->
                Objects.requireNonNull(cells).value(cell);
            case EVENT_SET -> first;
            default -> bytes;
        };
    }

    @Override
    protected void succeeded() {
        RdmaConnection on = Objects.requireNonNull(connection);
        Buf buffer = local;
        RdmaHandler told = Objects.requireNonNull(handler);
        long value = result;
        if (type == RdmaTaskType.READ) {
            Objects.requireNonNull(here).grow(value);
        }
        release();
        told.succeeded(on, buffer, value);
    }

    @Override
    protected void failed(TaskFailedException failure) {
        RdmaConnection on = Objects.requireNonNull(connection);
        Buf buffer = local;
        RdmaHandler told = Objects.requireNonNull(handler);
        if (type == RdmaTaskType.READ) {
            Objects.requireNonNull(here).markListStale();
        }
        release();
        told.failed(on, buffer, failure);
    }

    @Override
    protected void abandoned(RuntimeException reason) {
        RdmaHandler told = Objects.requireNonNull(handler);
        handler = Nobody.INSTANCE;
        told.failed(Objects.requireNonNull(connection), local, Failures.abandoned(function(), attempt(), reason));
    }

    @Override
    protected String function() {
        return type.prefix();
    }

    @Override
    protected String attempt() {
        String peer = " on " + connection;
        return switch (type) {
            case SEND, SEND_IMM -> "sending " + bytes + " bytes" + from(here) + peer;
            case WRITE, WRITE_IMM -> "writing " + bytes + " bytes" + from(here) + to(there) + peer;
            case READ -> "reading " + bytes + " bytes" + from(there) + to(here) + peer;
            case ATOMIC_CMP_SWP -> "comparing and swapping 8 bytes" + at(there) + peer;
            case ATOMIC_FETCH_ADD -> "adding to 8 bytes" + at(there) + peer;
            case EVENT_GET -> "reading " + event + peer;
            case EVENT_SET -> "setting " + event + " to " + Long.toUnsignedString(first) + peer;
            case EVENT_ADD -> "adding " + first + " to " + event + peer;
            case RECEIVE -> throw new AssertionError("A receive is on no connection");
        };
    }

    private static String from(@Nullable BufElement element) {
        return element == null ? "" : " from " + place(element, element.data());
    }

    private static String to(@Nullable BufElement element) {
        return element == null ? "" : " to " + place(element, element.tail());
    }

    private static String at(@Nullable BufElement element) {
        return element == null ? "" : " at " + place(element, element.data());
    }

    private static String place(BufElement element, long address) {
        return (address - element.map().base()) + " of " + element.map();
    }

    /** Told of the end of an operation that was given up, when it comes after all. */
    private enum Nobody implements RdmaHandler {
        INSTANCE;

        @Override
        public void succeeded(RdmaConnection on, @Nullable Buf buffer, long value) {}

        @Override
        public void failed(RdmaConnection on, @Nullable Buf buffer, TaskFailedException failure) {}
    }
}
