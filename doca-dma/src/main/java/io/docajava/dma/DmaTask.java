/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphTask;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.NodeTask;
import io.docajava.core.internal.context.NodeTasks;
import io.docajava.core.internal.context.PreparedTask;
import io.docajava.core.internal.memory.BufferUses;
import io.docajava.core.memory.Buf;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy that is prepared once and submitted many times, {@code struct doca_dma_task_memcpy}. Submitting and completing
 * allocate nothing.
 *
 * {@snippet :
 * try (DmaTask task = dma.task(source, target)) {
 *     for (Block block : blocks) {
 *         target.clear();
 *         task.submit();
 *         while (!task.isDone()) {
 *             engine.progress();
 *         }
 *     }
 * }
 * }
 *
 * <p>A node of a {@link Graph} can run it in place of {@link #submit()}. Then the handler is not called, and {@link #status()}
 * is as after a submission; {@link TaskStatus#NEW} when the run has failed and it is not known of this task.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile; when the context is closed, the
 * task is closed as well.
 */
public final class DmaTask implements GraphTask, AutoCloseable {

    static {
        NodeTasks.open(DmaTask.class, task -> task.new Lending());
    }

    private final ContextCore core;
    private final CopySlot slot;
    private final PreparedTask state;
    private final Outcome outcome = new Outcome();

    private Buf source;
    private Buf target;
    private long bytes;
    private @Nullable Consumer<? super DmaTask> handler;

    DmaTask(ContextCore core, CopySlot slot, Buf source, Buf target) {
        this.core = core;
        this.slot = slot;
        this.state = new PreparedTask(core, slot);
        this.source = source;
        this.target = target;
        slot.keep();
    }

    /**
     * Sets the source of the next submission ({@code doca_dma_task_memcpy_set_src}).
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask source(Buf newSource) {
        Objects.requireNonNull(newSource, "newSource");
        state.checkIdle("change");
        source = newSource;
        return this;
    }

    /**
     * Sets the target of the next submission ({@code doca_dma_task_memcpy_set_dst}).
     *
     * @param newTarget a buffer that is in no list
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask target(Buf newTarget) {
        Objects.requireNonNull(newTarget, "newTarget");
        state.checkIdle("change");
        target = newTarget;
        return this;
    }

    /**
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes
     * to the engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public DmaTask onCompletion(Consumer<? super DmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        state.checkIdle("change");
        handler = newHandler;
        return this;
    }

    /**
     * Starts the copy ({@code doca_task_submit}).
     *
     * @throws IllegalArgumentException if the buffers cannot be copied so, or the target is a list
     * @throws IllegalStateException if the task is in flight or closed, the context is not running, a buffer is closed,
     *     or another copy in flight uses the target or writes to the source
     * @throws DocaException if the SDK refuses the task
     */
    public void submit() {
        state.checkIdle("submit");
        core.checkRunning();
        submit(false);
    }

    /** Submits the task in the context's open batch, whose thread and state have been checked. */
    void submitInBatch() {
        state.refuseInUse("submit");
        submit(true);
    }

    private void submit(boolean batched) {
        slot.submit(core, source, target, outcome, batched);
        state.tookOff();
    }

    /** Whether it is a task of a context. */
    boolean belongsTo(ContextCore other) {
        return core.equals(other);
    }

    /** Where the task stands. */
    public TaskStatus status() {
        return state.status();
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        return state.isDone();
    }

    /** How many bytes the last submission copied; 0 unless it succeeded. */
    public long bytes() {
        return state.hasSucceeded() ? bytes : 0;
    }

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        return state.failure();
    }

    /**
     * Gives the task back to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    public void close() {
        if (state.close()) {
            slot.giveBack();
        }
    }

    /** What a graph does with the task. Apart from it, as users are not to do so. */
    private final class Lending implements NodeTask {

        @Override
        public ContextCore context() {
            return core;
        }

        @Override
        public void lend(BufferUses uses, Consumer<? super TaskFailedException> abandoned) {
            state.checkIdle("submit");
            core.checkRunning();
            slot.lend(core, source, target, uses, new Abandonment(abandoned));
            state.tookOff();
        }

        @Override
        public long nativeTask() {
            return slot.nativeTask();
        }

        @Override
        public void succeeded() {
            slot.growTarget();
        }

        @Override
        public TaskFailedException failure(int nativeStatus) {
            return core.lentTaskFailed(slot, nativeStatus);
        }

        @Override
        public void giveBack(Result result, @Nullable TaskFailedException reason) {
            bytes = slot.bytes();
            state.giveBack(result, reason);
        }
    }

    /** Told only when a graph's run is given up. */
    private record Abandonment(Consumer<? super TaskFailedException> abandoned) implements CopyHandler {

        @Override
        public void copied(Buf from, Buf to, long copied) {}

        @Override
        public void failed(Buf from, Buf to, TaskFailedException reason) {
            abandoned.accept(reason);
        }
    }

    /** Apart from the task, so that nobody else can tell it how it ended. */
    private final class Outcome implements CopyHandler {

        @Override
        public void copied(Buf from, Buf to, long copied) {
            state.succeeded();
            bytes = copied;
            tell();
        }

        @Override
        public void failed(Buf from, Buf to, TaskFailedException reason) {
            state.failed(reason);
            tell();
        }

        private void tell() {
            Consumer<? super DmaTask> told = handler;
            if (told != null) {
                told.accept(DmaTask.this);
            }
        }
    }
}
