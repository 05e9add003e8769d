/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.EngineAccess;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import java.util.Objects;

/**
 * Many copies for one ring at the device's door, {@code doca_task_submit_ex}. Small copies are faster so.
 *
 * {@snippet :
 * try (DmaBatch batch = dma.batch()) {
 *     for (Block block : blocks) {
 *         batch.copy(block.source(), block.target(), handler);
 *     }
 * }
 * dma.drain(Duration.ofSeconds(1));
 * }
 *
 * <p>Copies are checked and refused as those of {@link DmaContext}, and complete in the same ways. What is special is
 * when the device begins with them: at {@link #close()} at the latest, which an exception brings about as well. The batch
 * holds its copies back, and submits them by one call into native code when it ends, so that nothing waits for more to
 * come. This is also done before each progress and each wait of the engine, in a long batch after every 32 copies, and
 * before a copy of the same context outside of the batch, which so keeps its place in the order. The batch goes on after
 * all of these.
 *
 * <p>A copy that the SDK refuses when it is submitted so fails by its own completion. For lack of
 * room in a queue it is tried again with each progress, as long as others are in flight. Should the device refuse the
 * last one for good while others wait to be reported with it, the context stops with that failure, which ends them all.
 *
 * <p>A context has one open batch at a time, and it ends when the context stops. With an SDK that lacks
 * {@code doca_task_submit_ex}, which came with DOCA 2.9, each copy is submitted by itself.
 *
 * <p>A batch is used by the engine's thread. Opening one allocates a small object, and its copies with a handler or a
 * task allocate nothing.
 */
public final class DmaBatch implements AutoCloseable {

    private final DmaContext dma;
    private final ProgressEngine engine;
    private final ContextCore core;
    private boolean closed;

    /** How completions are reported. */
    public enum Reports {
        /** Each when its copy has ended. */
        EACH,
        /**
         * Some only together with a later one, {@code DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}: less work for the
         * device, and longer waits for the first ones of a batch. Failures come at once.
         */
        TOGETHER
    }

    DmaBatch(DmaContext dma, ProgressEngine engine, ContextCore core, Reports reports) {
        this.dma = dma;
        this.engine = engine;
        this.core = core;
        core.openBatch(this, reports == Reports.TOGETHER);
    }

    /**
     * Adds a copy.
     *
     * @return completes with the number of bytes copied, or with a {@link TaskFailedException}
     * @throws IllegalArgumentException if the buffers cannot be copied so
     * @throws IllegalStateException if the batch is closed, the context is not running, no task is free, a buffer is
     *     closed, or another copy in flight uses the target or writes to the source
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> copy(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        checkOpen();
        Completion<Long> completion = EngineAccess.completion(engine);
        dma.submit(source, target, completion, true);
        return completion;
    }

    /**
     * Adds a copy that calls back when it has ended, and allocates nothing.
     *
     * @throws IllegalArgumentException if the buffers cannot be copied so
     * @throws IllegalStateException if the batch is closed, the context is not running, no task is free, a buffer is
     *     closed, or another copy in flight uses the target or writes to the source
     * @throws DocaException if the SDK refuses the task
     */
    public void copy(Buf source, Buf target, CopyHandler handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        checkOpen();
        dma.submit(source, target, handler, true);
    }

    /**
     * Adds the copy of a task of the same context, as {@link DmaTask#submit()} would submit it by itself.
     *
     * @throws IllegalArgumentException if the task belongs to another context, or the buffers cannot be copied so
     * @throws IllegalStateException if the batch is closed, the task is in flight or closed, the context is not running,
     *     a buffer is closed, or another copy in flight uses the target or writes to the source
     * @throws DocaException if the SDK refuses the task
     */
    public void submit(DmaTask task) {
        Objects.requireNonNull(task, "task");
        checkOpen();
        if (!task.prepared().belongsTo(core)) {
            throw new IllegalArgumentException("The task belongs to another context than this batch of the " + dma);
        }
        task.prepared().submitInBatch();
    }

    /**
     * Submits the copies that are held back, so that all are on their way and will be reported. A second call does nothing.
     * Throws for the wrong thread only.
     *
     * @throws IllegalStateException if called by another thread than the engine's
     */
    @Override
    public void close() {
        core.checkThreadToClose();
        if (!closed) {
            closed = true;
            core.closeBatch(this);
        }
    }

    private void checkOpen() {
        if (closed || !core.canSubmitInBatch(this)) {
            refuse();
        }
    }

    /** Tells what is wrong; nothing may be, when the thread that owned the engine has ended. */
    private void refuse() {
        core.checkUsable();
        if (closed) {
            throw new IllegalStateException("The batch of the " + dma + " is closed");
        }
        core.checkRunning();
        if (!core.isBatchOpen(this)) {
            throw new IllegalStateException("The batch of the " + dma + " ended when the context stopped");
        }
    }

    /** Returns the context. */
    @Override
    public String toString() {
        return (closed ? "Closed batch of the " : "Batch of the ") + dma;
    }
}
