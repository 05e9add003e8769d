/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSlot;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.hot.DmaCalls;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A copy task. While it is in flight its buffers are marked as used, so that nobody can take their memory away.
 * Submitting and completing allocate nothing.
 */
@SuppressWarnings("ReferenceEquality") // the same handler or thread, whatever it thinks of equality
final class CopySlot extends TaskSlot {

    /** Told of the end of a copy that was given up, when it comes after all. */
    private static final CopyHandler NOBODY = new CopyHandler() {
        @Override
        public void copied(Buf source, Buf target, long bytes) {}

        @Override
        public void failed(Buf source, Buf target, TaskFailedException failure) {}
    };

    private static final long SOURCE_SETTER = DmaCalls.sourceSetter();
    private static final long TARGET_SETTER = DmaCalls.targetSetter();

    private final DmaObject dma;
    private final CopyCheck check;
    private final TaskTable<CopySlot> table;

    /**
     * The {@code struct doca_dma_task_memcpy *}, and the buffers that it was last aimed at, each with its {@linkplain
     * BufElement#incarnation() incarnation}; null where that is not known.
     */
    private long copy;

    private @Nullable BufElement armedSource;
    private int armedSourceIncarnation;
    private @Nullable BufElement armedTarget;
    private int armedTargetIncarnation;

    /**
     * What is copied, and who is told. They stay when that is over: each reference that is stored is work for the garbage
     * collector, and the next copy may well have the same.
     */
    private @Nullable Buf source;

    private @Nullable Buf target;
    private @Nullable BufElement from;
    private @Nullable BufElement to;
    private @Nullable CopyHandler handler;
    private long bytes;
    private boolean kept;
    private boolean hasBuffers;
    private @Nullable CopySeries series;

    /** What the buffers were like when they were checked last, and by whom; null if they are to be checked. */
    private @Nullable Thread checkedBy;

    private int fromChanges;
    private int toChanges;

    CopySlot(int index, DmaObject dma, CopyCheck check, TaskTable<CopySlot> table) {
        super(index);
        this.dma = dma;
        this.check = check;
        this.table = table;
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
     * Submits a copy. When this throws, nothing is in flight, and a slot that is not kept is back in the table.
     *
     * @param batched whether it is part of the context's open batch
     * @throws IllegalArgumentException if the buffers cannot be copied so
     * @throws IllegalStateException if a buffer cannot be used, or the context has stopped
     * @throws DocaException if the SDK refuses the task
     */
    void submit(ContextCore core, Buf newSource, Buf newTarget, CopyHandler newHandler, boolean batched) {
        if (batched && newSource == source && newTarget == target && newHandler == handler && isAsChecked()) {
            submitAgain(core);
        } else {
            submitAnew(core, newSource, newTarget, newHandler, batched);
        }
    }

    /**
     * Whether a check would find what it found before: the same buffers, unchanged, the target empty again, no other copy in
     * the way, and the same thread, so that no other one owns the buffers now.
     */
    private boolean isAsChecked() {
        BufElement first = from;
        BufElement second = to;
        return checkedBy == Thread.currentThread()
                && first != null
                && second != null
                && first.changes() == fromChanges
                && second.changes() == toChanges
                && first.dataLength() == bytes
                && !first.isStale()
                && second.dataLength() == 0
                && !first.isTarget()
                && second.tasks() == 0
                && task() != 0;
    }

    private void submitAgain(ContextCore core) {
        try {
            core.prepare(this, true);
        } catch (Throwable failure) {
            letGo();
            throw failure;
        }
        core.submitInBatchAfterReset(this, to());
        from().acquire();
        to().acquireAsTarget();
    }

    /** So that the next submission may take the short way. */
    private void noteChecked(BufElement newFrom, BufElement newTo) {
        boolean isSimple = newFrom.isAlone()
                && newTo.isAlone()
                && !newFrom.map().isFreeable()
                && !newTo.map().isFreeable();
        Thread thread = isSimple && newTo.dataLength() == 0 ? Thread.currentThread() : null;
        if (checkedBy != thread) {
            checkedBy = thread;
        }
        fromChanges = newFrom.changes();
        toChanges = newTo.changes();
    }

    private void submitAnew(ContextCore core, Buf newSource, Buf newTarget, CopyHandler newHandler, boolean batched) {
        BufElement newFrom;
        BufElement newTo;
        try {
            newFrom = Handles.list(newSource);
            newTo = Handles.list(newTarget);
        } catch (Throwable failure) {
            letGo();
            throw failure;
        }
        if (newTo.isAlone() || kept) {
            submitPart(core, newSource, newTarget, newFrom, newTo, newHandler, batched);
        } else {
            letGo();
            long length = check.checkToList(newFrom, newTo);
            ListCopy.submit(core, table, newSource, newTarget, newFrom, newTo, length, newHandler, batched);
        }
    }

    /**
     * Submits the copy of two buffers for a copy that is known by two others, perhaps the same ones.
     *
     * @param newSource what the handler is told, as is {@code newTarget}
     */
    void submitPart(
            ContextCore core,
            Buf newSource,
            Buf newTarget,
            BufElement newFrom,
            BufElement newTo,
            CopyHandler newHandler,
            boolean batched) {
        boolean isChecked = false;
        try {
            bytes = check.check(newFrom, newTo);
            remember(newSource, newTarget, newFrom, newTo, newHandler);
            isChecked = true;
            TaskCommands commands = core.prepare(this, batched);
            arm(core, commands);
            core.tellNow(newFrom, this);
            core.tellTarget(newTo, this);
            if (batched) {
                core.submitInBatch(this);
            } else {
                core.submit(this);
            }
            newFrom.acquire();
            newTo.acquireAsTarget();
            noteChecked(newFrom, newTo);
        } catch (Throwable failure) {
            if (isChecked) {
                core.drop();
                refused();
            }
            letGo();
            throw failure;
        }
    }

    private void remember(Buf newSource, Buf newTarget, BufElement newFrom, BufElement newTo, CopyHandler newHandler) {
        if (newSource != source) {
            source = newSource;
        }
        if (newTarget != target) {
            target = newTarget;
        }
        if (newFrom != from) {
            from = newFrom;
        }
        if (newTo != to) {
            to = newTo;
        }
        if (newHandler != handler) {
            handler = newHandler;
        }
    }

    /**
     * Aims the native task at the buffers. The SDK takes the key of a target when it is set, so equal pointers do not mean that
     * nothing has changed.
     */
    private void arm(ContextCore core, TaskCommands commands) {
        BufElement newSource = from();
        BufElement newTarget = to();
        boolean hasTask = task() != 0;
        if (!hasTask) {
            allocate(core, nextUserData());
        }
        if (newSource != armedSource || newSource.incarnation() != armedSourceIncarnation) {
            if (hasTask) {
                commands.setPointer(SOURCE_SETTER, copy, newSource.pointer());
            }
            armedSource = newSource;
            armedSourceIncarnation = newSource.incarnation();
        }
        if (newTarget != armedTarget || newTarget.incarnation() != armedTargetIncarnation) {
            if (hasTask) {
                commands.setPointer(TARGET_SETTER, copy, newTarget.pointer());
            }
            armedTarget = newTarget;
            armedTargetIncarnation = newTarget.incarnation();
        }
    }

    /** Allocates the native task, for the buffers that the slot has. */
    void allocate(ContextCore core, long userData) {
        int result = dma.allocate(from().pointer(), to().pointer(), userData);
        if (result != DocaError.SUCCESS.code()) {
            throw core.refused(result, "doca_dma_task_memcpy_alloc_init", this);
        }
        copy = dma.allocated();
        adopt(DmaCalls.asTask(copy));
    }

    /** Takes two buffers into use, which a series keeps until {@link #leave()}. */
    void use(Buf newSource, Buf newTarget) {
        keep();
        checkedBy = null;
        BufElement newFrom = Handles.list(newSource);
        BufElement newTo = Handles.list(newTarget);
        bytes = check.check(newFrom, newTo);
        remember(newSource, newTarget, newFrom, newTo, NOBODY);
        newFrom.acquire();
        newTo.acquireAsTarget();
        hasBuffers = true;
    }

    /**
     * Takes part in the run of a graph, which submits the native task. When this throws, it does not.
     *
     * @param abandoned is told when nobody will learn how the copy ends
     */
    void lend(ContextCore core, Buf newSource, Buf newTarget, BufferUses uses, CopyHandler abandoned) {
        BufElement newFrom = Handles.list(newSource);
        BufElement newTo = Handles.list(newTarget);
        checkedBy = null;
        bytes = check.checkAlone(newFrom, newTo);
        remember(newSource, newTarget, newFrom, newTo, abandoned);
        try {
            TaskCommands commands = core.prepareAlone(this);
            // Before the target grows by what only a run will bring.
            core.tellNow(newFrom, this);
            core.tellNow(newTo, this);
            uses.read(newFrom);
            uses.write(newTo, bytes);
            arm(core, commands);
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

    /** The copy of a lent slot has been made. */
    void growTarget() {
        to().grow(bytes);
    }

    /** Becomes part of a series, which learns of completions. */
    void join(CopySeries newSeries) {
        series = newSeries;
    }

    /** Gives the buffers of {@link #use} back, and the slot to the table. */
    void leave() {
        series = null;
        if (hasBuffers) {
            hasBuffers = false;
            from().release();
            to().releaseAsTarget();
        }
        giveBack();
    }

    long bytes() {
        return bytes;
    }

    BufElement from() {
        return Objects.requireNonNull(from);
    }

    BufElement to() {
        return Objects.requireNonNull(to);
    }

    /** Whether the native task is this slot's. */
    boolean isOf(long otherCopy) {
        return copy == otherCopy;
    }

    @Override
    protected TaskSlot member(long nativeTask) {
        CopySeries whole = series;
        return whole == null ? this : whole.slotOf(nativeTask);
    }

    @Override
    protected void refused() {
        checkedBy = null;
        armedSource = null;
        armedTarget = null;
        Objects.requireNonNull(from).markListStale();
        Objects.requireNonNull(to).markListStale();
    }

    @Override
    protected void succeeded() {
        CopySeries whole = series;
        if (whole != null) {
            whole.ended();
            return;
        }
        Buf copiedSource = Objects.requireNonNull(source);
        Buf copiedTarget = Objects.requireNonNull(target);
        CopyHandler told = Objects.requireNonNull(handler);
        Objects.requireNonNull(to).grow(bytes);
        long copied = bytes;
        release();
        told.copied(copiedSource, copiedTarget, copied);
    }

    @Override
    protected void failed(TaskFailedException failure) {
        CopySeries whole = series;
        if (whole != null) {
            whole.failed(failure);
            return;
        }
        Buf failedSource = Objects.requireNonNull(source);
        Buf failedTarget = Objects.requireNonNull(target);
        CopyHandler told = Objects.requireNonNull(handler);
        release();
        told.failed(failedSource, failedTarget, failure);
    }

    @Override
    protected void abandoned(RuntimeException reason) {
        TaskFailedException failure = new TaskFailedException(
                Calls.message(DocaError.SHUTDOWN.code(), function(), attempt(), List.of()),
                DocaError.SHUTDOWN.code(),
                function(),
                TaskFailedException.Reason.STOPPED);
        failure.initCause(reason);
        CopySeries whole = series;
        if (whole != null) {
            whole.abandoned(this, failure);
            return;
        }
        CopyHandler told = Objects.requireNonNull(handler);
        handler = NOBODY;
        if (told instanceof ListCopy copy) {
            copy.abandoned(failure);
        } else {
            told.failed(Objects.requireNonNull(source), Objects.requireNonNull(target), failure);
        }
    }

    private void release() {
        Objects.requireNonNull(from).release();
        Objects.requireNonNull(to).releaseAsTarget();
        letGo();
    }

    /** Lets go of the slot, so that whoever is told next can use it. */
    private void letGo() {
        if (!kept) {
            table.put(this);
        }
    }

    @Override
    protected String function() {
        return "doca_dma_task_memcpy";
    }

    @Override
    protected String attempt() {
        BufElement first = Objects.requireNonNull(from);
        BufElement second = Objects.requireNonNull(to);
        return "copying " + bytes + " bytes from " + place(first, first.data()) + " to " + place(second, second.tail());
    }

    private static String place(BufElement element, long address) {
        return (address - element.map().base()) + " of " + element.map();
    }
}
