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
import io.docajava.core.memory.Buf;
import io.docajava.ffi.hot.DmaCalls;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A copy task. While it is in flight its buffers are marked as used, so that nobody can take their memory away.
 * Submitting and completing allocate nothing.
 */
final class CopySlot extends TaskSlot {

    /** Told of the end of a copy that was given up, when it comes after all. */
    private static final CopyHandler NOBODY = new CopyHandler() {
        @Override
        public void copied(Buf source, Buf target, long bytes) {}

        @Override
        public void failed(Buf source, Buf target, TaskFailedException failure) {}
    };

    private final DmaObject dma;
    private final CopyCheck check;
    private final TaskTable<CopySlot> table;

    /** The {@code struct doca_dma_task_memcpy *} and the {@code struct doca_buf *}s that it was last aimed at. */
    private long copy;

    private long armedSource;
    private long armedTarget;

    private @Nullable Buf source;
    private @Nullable Buf target;
    private @Nullable BufElement from;
    private @Nullable BufElement to;
    private @Nullable CopyHandler handler;
    private long bytes;
    private boolean kept;

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
        try {
            BufElement newFrom = Handles.list(newSource);
            BufElement newTo = Handles.list(newTarget);
            bytes = check.check(newFrom, newTo);
            from = newFrom;
            to = newTo;
            arm(core, newFrom.pointer(), newTo.pointer());
            if (batched) {
                core.submitInBatch(this);
            } else {
                core.submit(this);
            }
            newFrom.acquire();
            newTo.acquireAsTarget();
        } catch (Throwable failure) {
            forget();
            throw failure;
        }
        source = newSource;
        target = newTarget;
        handler = newHandler;
    }

    private void arm(ContextCore core, long newSource, long newTarget) {
        if (task() == 0) {
            int result = dma.allocate(newSource, newTarget, nextUserData());
            if (result != DocaError.SUCCESS.code()) {
                throw core.refused(result, "doca_dma_task_memcpy_alloc_init", this);
            }
            copy = dma.allocated();
            adopt(DmaCalls.asTask(copy));
        } else {
            if (newSource != armedSource) {
                DmaCalls.setSource(copy, newSource);
            }
            if (newTarget != armedTarget) {
                DmaCalls.setTarget(copy, newTarget);
            }
        }
        armedSource = newSource;
        armedTarget = newTarget;
    }

    @Override
    protected void succeeded() {
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
        CopyHandler told = Objects.requireNonNull(handler);
        handler = NOBODY;
        told.failed(Objects.requireNonNull(source), Objects.requireNonNull(target), failure);
    }

    private void release() {
        Objects.requireNonNull(from).release();
        Objects.requireNonNull(to).releaseAsTarget();
        forget();
    }

    /** Lets go of the copy, and of the slot itself, so that whoever is told next can use all of them. */
    private void forget() {
        source = null;
        target = null;
        from = null;
        to = null;
        handler = null;
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
