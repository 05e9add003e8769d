/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

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
import io.docajava.core.sync.RemoteSyncEvent;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
        NodeTasks.open(RdmaTask.class, task -> task.new Lending());
    }

    private final RdmaContext context;
    private final ContextCore core;
    private final OperationSlot slot;
    private final PreparedTask state;
    private final RdmaTaskType type;
    private final Outcome outcome = new Outcome();

    private RdmaConnection connection;
    private @Nullable Buf local;
    private @Nullable Buf remote;
    private @Nullable RemoteSyncEvent event;
    private long first;
    private long second;
    private boolean hasResult;
    private long result;
    private @Nullable Consumer<? super RdmaTask> handler;

    RdmaTask(
            RdmaContext context,
            OperationSlot slot,
            RdmaConnection connection,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteSyncEvent event,
            long first,
            long second) {
        this.context = context;
        this.core = context.core();
        this.slot = slot;
        this.state = new PreparedTask(core, slot);
        this.type = slot.type();
        this.connection = connection;
        this.local = local;
        this.remote = remote;
        this.event = event;
        this.first = first;
        this.second = second;
        slot.keep();
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
        state.checkIdle("change");
        context.checkOwn(newConnection);
        connection = newConnection;
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
        checkHas(!type.hasCell(), "buffer of this side");
        local = buffer;
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
        checkHas(type.isRemote(), "buffer of the peer's memory");
        remote = buffer;
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
        checkHas(type.isOnEvent(), "sync event");
        event = newEvent;
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
        checkHas(type == RdmaTaskType.EVENT_SET, "value");
        first = value;
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
        checkHas(type.hasImmediate(), "immediate data");
        first = Integer.toUnsignedLong(immediate);
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
        checkHas(type == RdmaTaskType.ATOMIC_FETCH_ADD || type == RdmaTaskType.EVENT_ADD, "addend");
        first = addend;
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
        checkHas(type == RdmaTaskType.ATOMIC_CMP_SWP, "expected value");
        first = expected;
        second = replacement;
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
        state.checkIdle("change");
        handler = newHandler;
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
        state.checkIdle("submit");
        core.checkRunning();
        if (event != null) {
            slot.submit(connection, event, first, outcome);
        } else {
            slot.submit(connection, local, remote, first, second, outcome);
        }
        tookOff();
    }

    private void tookOff() {
        hasResult = false;
        state.tookOff();
    }

    private void takeResult(long newResult) {
        result = newResult;
        hasResult = true;
    }

    /** Where the task stands. */
    public TaskStatus status() {
        return state.status();
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        return state.isDone();
    }

    /**
     * How many bytes the last submission sent, wrote or read; for an atomic operation, and one that adds to a sync event, the
     * value that was there before; the value of a sync event that was read or set. 0 unless it succeeded.
     */
    public long result() {
        core.checkThread();
        return hasResult ? result : 0;
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

    private void checkHas(boolean has, String what) {
        state.checkIdle("change");
        if (!has) {
            throw new IllegalArgumentException("A task to " + type.words() + " has no " + what);
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
            slot.lend(connection, local, remote, event, first, second, uses, new Abandonment(abandoned));
            tookOff();
        }

        @Override
        public long nativeTask() {
            return slot.nativeTask();
        }

        @Override
        public void succeeded() {
            takeResult(slot.takeResult());
        }

        @Override
        public TaskFailedException failure(int nativeStatus) {
            return core.lentTaskFailed(slot, nativeStatus);
        }

        @Override
        public void giveBack(Result ending, @Nullable TaskFailedException reason) {
            slot.endLending();
            state.giveBack(ending, reason);
        }
    }

    /** Told only when a graph's run is given up. */
    private record Abandonment(Consumer<? super TaskFailedException> abandoned) implements RdmaHandler {

        @Override
        public void succeeded(RdmaConnection on, @Nullable Buf buffer, long value) {}

        @Override
        public void failed(RdmaConnection on, @Nullable Buf buffer, TaskFailedException reason) {
            abandoned.accept(reason);
        }
    }

    /** Apart from the task, so that nobody else can tell it how it ended. */
    private final class Outcome implements RdmaHandler {

        @Override
        public void succeeded(RdmaConnection on, @Nullable Buf buffer, long value) {
            state.succeeded();
            takeResult(value);
            tell();
        }

        @Override
        public void failed(RdmaConnection on, @Nullable Buf buffer, TaskFailedException reason) {
            state.failed(reason);
            tell();
        }

        private void tell() {
            Consumer<? super RdmaTask> told = handler;
            if (told != null) {
                told.accept(RdmaTask.this);
            }
        }
    }
}
