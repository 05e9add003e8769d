/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphTask;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.NodeTasks;
import io.docajava.core.internal.context.Operation;
import io.docajava.core.internal.context.PreparedOperation;
import io.docajava.core.memory.Buf;
import io.docajava.core.sync.RemoteSyncEvent;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An operation on a connection that is prepared once and submitted many times, such as {@code struct doca_rdma_task_write}.
 * Submitting and completing allocate nothing.
 *
 * {@snippet :
 * try (RdmaTask task = connection.writeTask(source, remote)) {
 *     for (Block block : blocks) {
 *         source.aimData(block.offset(), block.length());
 *         remote.aimSpace(block.remoteOffset(), block.length());
 *         task.submit();
 *         while (!task.isDone()) {
 *             engine.progress();
 *         }
 *     }
 * }
 * }
 *
 * <p>A node of a {@link Graph} can run it in place of {@link #submit()}. Then the handler is not called, and {@link #status()}
 * is as after a submission; {@link TaskStatus#NEW} when the run has failed and it is not known of this task. The {@link
 * #result()} is there for the user nodes that depend on the task. A buffer of the peer's memory that one task of a run writes to
 * is used by no other one.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile: then it needs another {@link
 * #connection}. When the context is closed, the task is closed as well.
 */
public final class RdmaTask implements GraphTask, AutoCloseable {

    static {
        NodeTasks.open(RdmaTask.class, task -> task.prepared);
    }

    private final RdmaContext context;
    private final RdmaTaskType type;
    private final PreparedOperation<RdmaTask> prepared;

    RdmaTask(RdmaContext context, RdmaTaskType type, Operation operation) {
        this.context = context;
        this.type = type;
        this.prepared = new PreparedOperation<>(this, operation);
    }

    /** What it does. */
    public RdmaTaskType type() {
        return type;
    }

    /**
     * Sets the connection of the next submission.
     *
     * @return this task
     * @throws IllegalArgumentException if it is another context's
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask connection(RdmaConnection newConnection) {
        Objects.requireNonNull(newConnection, "newConnection");
        Operation operation = prepared.change();
        context.checkOwn(newConnection);
        operation.on(newConnection);
        return this;
    }

    /**
     * Sets the buffer of this side for the next submission: the source of a send or a write, the target of a read.
     *
     * @return this task
     * @throws IllegalArgumentException if the task is an atomic operation, or one on a sync event
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask local(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        change(!type.hasCell(), "buffer of this side").local(buffer);
        return this;
    }

    /**
     * Sets the buffer of the peer's memory for the next submission.
     *
     * @return this task
     * @throws IllegalArgumentException if the task is a send, or one on a sync event
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask remote(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        change(type.isRemote(), "buffer of the peer's memory").remote(buffer);
        return this;
    }

    /**
     * Sets the sync event of the peer for the next submission.
     *
     * @return this task
     * @throws IllegalArgumentException if the task is not on a sync event
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask event(RemoteSyncEvent newEvent) {
        Objects.requireNonNull(newEvent, "newEvent");
        change(type.isOnEvent(), "sync event").event(Handles.inside(newEvent));
        return this;
    }

    /**
     * Sets what the next submission sets a sync event to.
     *
     * @return this task
     * @throws IllegalArgumentException if the task is not to set a sync event
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask value(long value) {
        change(type == RdmaTaskType.EVENT_SET, "value").numbers(value, 0);
        return this;
    }

    /**
     * Sets the immediate data of the next submission.
     *
     * @return this task
     * @throws IllegalArgumentException if the task has none
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask immediate(int immediate) {
        change(type.hasImmediate(), "immediate data").numbers(Integer.toUnsignedLong(immediate), 0);
        return this;
    }

    /**
     * Sets what the next submission adds.
     *
     * @return this task
     * @throws IllegalArgumentException if the task adds nothing
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask addend(long addend) {
        change(type == RdmaTaskType.ATOMIC_FETCH_ADD || type == RdmaTaskType.EVENT_ADD, "addend")
                .numbers(addend, 0);
        return this;
    }

    /**
     * Sets what the next submission compares with and swaps in.
     *
     * @return this task
     * @throws IllegalArgumentException if the task is no compare-and-swap
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask expect(long expected, long replacement) {
        change(type == RdmaTaskType.ATOMIC_CMP_SWP, "expected value").numbers(expected, replacement);
        return this;
    }

    /**
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes to the
     * engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public RdmaTask onCompletion(Consumer<? super RdmaTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        prepared.onCompletion(newHandler);
        return this;
    }

    /**
     * Starts the operation ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffers are not right, or the sync event is another device's
     * @throws IllegalStateException if the task is in flight or closed, the connection cannot be used, the context is not
     *     running, the sync event is closed, or a buffer is closed or otherwise in use
     * @throws DocaException if the SDK refuses the task
     */
    public void submit() {
        prepared.submit(context.isBatched());
    }

    /** Where the task stands. */
    public TaskStatus status() {
        return prepared.status();
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        return prepared.isDone();
    }

    /**
     * How many bytes the last submission sent, wrote or read; for an atomic operation, and one that adds to a sync event, the
     * value that was there before; the value of a sync event that was read or set. 0 unless it succeeded.
     */
    public long result() {
        return prepared.result();
    }

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        return prepared.failure();
    }

    /**
     * Gives the task back to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    public void close() {
        prepared.close();
    }

    private Operation change(boolean has, String what) {
        Operation operation = prepared.change();
        if (!has) {
            throw new IllegalArgumentException("A task to " + type.words() + " has no " + what);
        }
        return operation;
    }

    /** Returns the type, the context and the status. */
    @Override
    public String toString() {
        return prepared.text("Task to " + type.words());
    }
}
