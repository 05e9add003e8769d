/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.PreparedTask;
import io.docajava.core.memory.Buf;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A receive that is prepared once and posted many times, {@code struct doca_rdma_task_receive}. Posting and completing allocate
 * nothing.
 *
 * <p>A task is used by the engine's thread. Its context may stop and restart meanwhile; when the context is closed, the task is
 * closed as well.
 */
public final class ReceiveTask implements AutoCloseable {

    private final RdmaContext context;
    private final ContextCore core;
    private final ReceiveSlot slot;
    private final PreparedTask state;
    private final Outcome outcome = new Outcome();

    private @Nullable Buf buffer;
    private long length;
    private @Nullable ReceivedKind kind;
    private int immediate;
    private @Nullable RdmaConnection connection;
    private @Nullable Consumer<? super ReceiveTask> handler;

    ReceiveTask(RdmaContext context, ReceiveSlot slot, @Nullable Buf buffer) {
        this.context = context;
        this.core = context.core();
        this.slot = slot;
        this.state = new PreparedTask(core, slot);
        this.buffer = buffer;
        slot.keep();
    }

    /**
     * Sets the buffer of the next submission.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask buffer(Buf newBuffer) {
        Objects.requireNonNull(newBuffer, "newBuffer");
        state.checkIdle("change");
        buffer = newBuffer;
        return this;
    }

    /**
     * Sets what is called when a submission of this task has ended. It may submit the task again. What it throws goes to the
     * engine's error handler.
     *
     * @return this task
     * @throws IllegalStateException if the task is in flight or closed
     */
    public ReceiveTask onCompletion(Consumer<? super ReceiveTask> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        state.checkIdle("change");
        handler = newHandler;
        return this;
    }

    /**
     * Posts the receive ({@code doca_task_submit}), in the context's open batch if there is one.
     *
     * @throws IllegalArgumentException if the buffer is not one to receive into
     * @throws IllegalStateException if the task is in flight or closed, the context is not running, or the buffer is closed or
     *     otherwise in use
     * @throws DocaException if the SDK refuses the task
     */
    public void submit() {
        state.checkIdle("submit");
        core.checkRunning();
        slot.submit(buffer, outcome);
        state.tookOff();
    }

    /** Where the task stands. */
    public TaskStatus status() {
        return state.status();
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        return state.isDone();
    }

    /** The bytes of the message, as in {@link Received#length}; 0 unless the last submission succeeded. */
    public long length() {
        return state.hasSucceeded() ? length : 0;
    }

    /**
     * What the peer did.
     *
     * @throws IllegalStateException unless the last submission succeeded
     */
    public ReceivedKind kind() {
        return received(kind);
    }

    /** The 4 bytes that came with the message, as a number; 0 if none did. */
    public int immediate() {
        return state.hasSucceeded() ? immediate : 0;
    }

    /**
     * By which connection the message came.
     *
     * @throws IllegalStateException unless the last submission succeeded
     */
    public RdmaConnection connection() {
        return received(connection);
    }

    private <T> T received(@Nullable T value) {
        if (!state.hasSucceeded() || value == null) {
            throw new IllegalStateException("Nothing was received by this task of the " + context);
        }
        return value;
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

    /** Apart from the task, so that nobody else can tell it how it ended. */
    private final class Outcome implements ReceiveHandler {

        @Override
        public void received(@Nullable Buf filled, long bytes, ReceivedKind what, int number, RdmaConnection from) {
            state.succeeded();
            length = bytes;
            immediate = number;
            if (kind != what) {
                kind = what;
            }
            if (!from.equals(connection)) {
                connection = from;
            }
            tell();
        }

        @Override
        public void failed(@Nullable Buf unfilled, TaskFailedException reason) {
            state.failed(reason);
            tell();
        }

        private void tell() {
            Consumer<? super ReceiveTask> told = handler;
            if (told != null) {
                told.accept(ReceiveTask.this);
            }
        }
    }
}
