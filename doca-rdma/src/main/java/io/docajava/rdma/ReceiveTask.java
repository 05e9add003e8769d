/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.ContextCore;
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

    private static final int NEW = 0;
    private static final int IN_FLIGHT = 1;
    private static final int SUCCEEDED = 2;
    private static final int FAILED = 3;

    private final RdmaContext context;
    private final ContextCore core;
    private final ReceiveSlot slot;
    private final Outcome outcome = new Outcome();

    private @Nullable Buf buffer;
    private int status = NEW;
    private long length;
    private @Nullable ReceivedKind kind;
    private int immediate;
    private @Nullable RdmaConnection connection;
    private @Nullable TaskFailedException failure;
    private @Nullable Consumer<? super ReceiveTask> handler;
    private boolean closed;

    ReceiveTask(RdmaContext context, ReceiveSlot slot, @Nullable Buf buffer) {
        this.context = context;
        this.core = context.core();
        this.slot = slot;
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
        checkIdle("change");
        buffer = Objects.requireNonNull(newBuffer, "buffer");
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
        checkIdle("change");
        handler = Objects.requireNonNull(newHandler, "handler");
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
        checkIdle("submit");
        core.checkRunning();
        slot.submit(buffer, outcome);
        if (failure != null) {
            failure = null;
        }
        status = IN_FLIGHT;
    }

    /** Where the task stands. */
    public TaskStatus status() {
        core.checkThread();
        return switch (status) {
            case IN_FLIGHT -> TaskStatus.IN_FLIGHT;
            case SUCCEEDED -> TaskStatus.SUCCEEDED;
            case FAILED -> TaskStatus.FAILED;
            default -> TaskStatus.NEW;
        };
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        core.checkThread();
        return status == SUCCEEDED || status == FAILED;
    }

    /** The bytes of the message, as in {@link Received#length}; 0 unless the last submission succeeded. */
    public long length() {
        core.checkThread();
        return status == SUCCEEDED ? length : 0;
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
        core.checkThread();
        return status == SUCCEEDED ? immediate : 0;
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
        core.checkThread();
        if (status != SUCCEEDED || value == null) {
            throw new IllegalStateException("Nothing was received by this task of the " + context);
        }
        return value;
    }

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        core.checkThread();
        return Optional.ofNullable(failure);
    }

    /**
     * Gives the task back to its context. A second call does nothing.
     *
     * @throws IllegalStateException if the task is in flight
     */
    @Override
    public void close() {
        core.checkThread();
        if (closed) {
            return;
        }
        if (slot.isInFlight()) {
            throw inFlight("close");
        }
        closed = true;
        slot.giveBack();
    }

    private void checkIdle(String purpose) {
        core.checkUsable();
        if (closed) {
            throw new IllegalStateException("The task of the " + context + " is closed");
        }
        if (slot.isInFlight()) {
            throw inFlight(purpose);
        }
    }

    private IllegalStateException inFlight(String purpose) {
        return new IllegalStateException(
                "Cannot " + purpose + " a task in flight of the " + context + ": progress until it is done");
    }

    /** Apart from the task, so that nobody else can tell it how it ended. */
    private final class Outcome implements ReceiveHandler {

        @Override
        public void received(@Nullable Buf filled, long bytes, ReceivedKind what, int number, RdmaConnection from) {
            status = SUCCEEDED;
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
            status = FAILED;
            failure = reason;
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
