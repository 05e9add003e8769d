/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSlot;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.ffi.submission.TaskCommands;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task of one type of a sync event. Submitting and completing allocate nothing. */
final class EventSlot extends TaskSlot {

    private final SyncEventContext context;
    private final TaskTable<EventSlot> table;
    private final SyncEventTaskType type;
    private final EventObject object;
    private final EventSetters setters;
    /** Where the SDK puts the value that was read, or that was there before. */
    private final MemorySegment cell;

    /** The task of its type, and what it was told last. */
    private long operation;

    private boolean isArmed;
    private long armedNumber;
    private long armedMask;

    private long number;
    private long mask;
    private long result;
    private @Nullable SyncEventHandler handler;
    private boolean kept;

    private EventSlot(
            int index,
            TaskTable<EventSlot> table,
            SyncEventContext context,
            SyncEventTaskType type,
            EventObject object,
            EventSetters setters,
            MemorySegment cell) {
        super(index);
        this.table = table;
        this.context = context;
        this.type = type;
        this.object = object;
        this.setters = setters;
        this.cell = cell;
    }

    /**
     * Makes all tasks of a type.
     *
     * @param firstIndex of the first slot
     * @param size how many; none of a type that the SDK may lack
     */
    static TaskTable<EventSlot> table(
            SyncEventTaskType type, int firstIndex, int size, SyncEventContext context, EventObject object) {
        EventSetters setters = size == 0 ? EventSetters.NONE : EventSetters.of(type);
        MemorySegment cells = object.allocateCells(size);
        return new TaskTable<>(
                "task to " + type.words(),
                "maxTasks(SyncEventTaskType." + type + ", n)",
                firstIndex,
                size,
                (index, table) -> new EventSlot(
                        index,
                        table,
                        context,
                        type,
                        object,
                        setters,
                        cells.asSlice((long) (index - firstIndex) * Long.BYTES, Long.BYTES)));
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
     * Submits the task. When this throws, nothing is in flight, and a slot that is not kept is back in the table.
     *
     * @param newNumber what is set, added or waited for
     * @param newMask the bits that a wait looks at
     * @throws IllegalStateException if the context has stopped
     * @throws DocaException if the SDK refuses the task
     */
    void submit(long newNumber, long newMask, SyncEventHandler newHandler) {
        ContextCore core = context.core();
        number = newNumber;
        mask = newMask;
        handler = newHandler;
        try {
            arm(core, core.prepare(this, false));
            core.submit(this);
        } catch (Throwable failure) {
            core.drop();
            refused();
            letGo();
            throw failure;
        }
    }

    /**
     * Takes part in the run of a graph, which submits the native task. When this throws, it does not.
     *
     * @param abandoned is told when nobody will learn how the task ends
     */
    void lend(long newNumber, long newMask, SyncEventHandler abandoned) {
        ContextCore core = context.core();
        number = newNumber;
        mask = newMask;
        handler = abandoned;
        try {
            arm(core, core.prepareAlone(this));
            core.lend(this);
        } catch (Throwable failure) {
            core.drop();
            refused();
            throw failure;
        }
    }

    /** The native task of a lent slot. */
    long nativeTask() {
        return task();
    }

    /** The result of a lent slot whose task has succeeded. */
    long collectResult() {
        collect();
        return result;
    }

    /** Lets go of the slot, so that whoever is told next can use it. */
    private void letGo() {
        if (!kept) {
            table.put(this);
        }
    }

    private void arm(ContextCore core, TaskCommands commands) {
        if (task() == 0) {
            allocate(core);
        } else {
            set(commands, setters.number(), !isArmed || number != armedNumber, number);
            set(commands, setters.mask(), !isArmed || mask != armedMask, mask);
        }
        isArmed = true;
        armedNumber = number;
        armedMask = mask;
    }

    private void set(TaskCommands commands, long setter, boolean isNew, long value) {
        if (isNew && setter != 0) {
            commands.setPointer(setter, operation, value);
        }
    }

    private void allocate(ContextCore core) {
        int outcome = object.allocate(type, cell, number, mask, nextUserData());
        if (outcome != DocaError.SUCCESS.code()) {
            throw core.refused(outcome, type.prefix() + "_alloc_init", this);
        }
        operation = object.allocated();
        adopt(EventObject.asTask(type, operation));
    }

    @Override
    protected void refused() {
        isArmed = false;
    }

    @Override
    protected void collect() {
        result = switch (type) {
            case GET, ADD -> cell.get(JAVA_LONG, 0);
            case SET, WAIT_EQUAL, WAIT_NOT_EQUAL -> number;
        };
    }

    @Override
    protected void succeeded() {
        SyncEventHandler told = Objects.requireNonNull(handler);
        long value = result;
        letGo();
        told.succeeded(context, value);
    }

    @Override
    protected void failed(TaskFailedException failure) {
        SyncEventHandler told = Objects.requireNonNull(handler);
        letGo();
        told.failed(context, failure);
    }

    @Override
    protected void abandoned(RuntimeException reason) {
        SyncEventHandler told = Objects.requireNonNull(handler);
        handler = Nobody.INSTANCE;
        int code = DocaError.SHUTDOWN.code();
        TaskFailedException failure = new TaskFailedException(
                Calls.message(code, function(), attempt(), List.of()),
                code,
                function(),
                TaskFailedException.Reason.STOPPED);
        failure.initCause(reason);
        told.failed(context, failure);
    }

    @Override
    protected String function() {
        return type.prefix();
    }

    @Override
    protected String attempt() {
        String event = context.toString();
        return switch (type) {
            case GET -> "reading the " + event;
            case SET -> "setting the " + event + " to " + SyncCondition.text(number);
            case ADD -> "adding " + number + " to the " + event;
            case WAIT_EQUAL, WAIT_NOT_EQUAL ->
                "waiting for the " + event + " to be " + new SyncCondition(type.relation(), number, mask);
        };
    }

    /** Told of the end of a task that was given up, when it comes after all. */
    private enum Nobody implements SyncEventHandler {
        INSTANCE;

        @Override
        public void succeeded(SyncEventContext event, long value) {}

        @Override
        public void failed(SyncEventContext event, TaskFailedException failure) {}
    }
}
