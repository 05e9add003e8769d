/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation with a future that waits in a {@link WaitingLine} for a free task. It holds its buffers and its event
 * until it is submitted; then the submission holds them.
 */
public final class ParkedOperation {

    private final OperationPool pool;
    private final @Nullable Object subject;
    private final @Nullable BufElement local;
    private final @Nullable BufElement remote;
    private final @Nullable RemoteEvent event;
    private final @Nullable MapState source;
    private final @Nullable MapState destination;
    /** Null if the operation has no future of its own. */
    private final @Nullable Completion<?> completion;
    /** Called if the operation is not submitted or its submission fails. */
    private final Consumer<? super Throwable> refusal;

    private final BooleanSupplier submission;

    /**
     * Checks the arguments of an operation as {@link #check} does, and keeps them.
     *
     * @param submission submits the operation; returns false if it has to wait again, as the first of the line
     */
    public ParkedOperation(
            OperationPool pool,
            @Nullable Object subject,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteEvent event,
            Completion<?> completion,
            BooleanSupplier submission) {
        this.pool = pool;
        this.subject = subject;
        this.local = list(local);
        this.remote = list(remote);
        this.event = event;
        this.source = null;
        this.destination = null;
        this.completion = completion;
        this.refusal = completion::completeExceptionally;
        this.submission = submission;
        check(pool, subject, local, remote, event);
        hold();
    }

    /**
     * Keeps an operation on ranges, which were checked.
     *
     * @param submission submits the operation
     * @throws IllegalArgumentException if the device cannot use a map in this way
     * @throws IllegalStateException if a map is closed or its memory was freed
     */
    public ParkedOperation(
            OperationPool pool,
            @Nullable MapState source,
            @Nullable MapState destination,
            Completion<?> completion,
            Runnable submission) {
        this.pool = pool;
        this.subject = null;
        this.local = null;
        this.remote = null;
        this.event = null;
        this.source = source;
        this.destination = destination;
        this.completion = completion;
        this.refusal = completion::completeExceptionally;
        this.submission = () -> {
            submission.run();
            return true;
        };
        pool.type().checkMaps(source, destination);
        hold();
    }

    /**
     * Keeps the place of an operation in the line. The caller keeps the operation itself, with its operands and its future.
     *
     * @param submission submits the operation; throws nothing
     * @param refusal called instead if no task will become free for it, or the context stops or is abandoned
     */
    public ParkedOperation(OperationPool pool, Runnable submission, Consumer<? super Throwable> refusal) {
        this.pool = pool;
        this.subject = null;
        this.local = null;
        this.remote = null;
        this.event = null;
        this.source = null;
        this.destination = null;
        this.completion = null;
        this.refusal = refusal;
        this.submission = () -> {
            submission.run();
            return true;
        };
    }

    /**
     * Checks the arguments of an operation.
     *
     * @throws RuntimeException as {@link OperationType#check} does
     */
    static void check(
            OperationPool pool,
            @Nullable Object subject,
            @Nullable Buf local,
            @Nullable Buf remote,
            @Nullable RemoteEvent event) {
        pool.type().checkParked(subject, list(local), list(remote));
        if (event != null) {
            pool.type().checkEvent(event);
        }
    }

    private static @Nullable BufElement list(@Nullable Buf buf) {
        return buf == null ? null : BufImpl.list(buf);
    }

    OperationPool pool() {
        return pool;
    }

    boolean isReady() {
        return pool.type().isReady(subject);
    }

    /** Returns whether its future is already done, for example cancelled. The operation must not be submitted then. */
    boolean isCancelled() {
        return completion != null && completion.isDone();
    }

    /**
     * Submits the operation when a task is free. Returns false if it has to wait again. A failure completes the future.
     */
    boolean submit() {
        release();
        try {
            if (submission.getAsBoolean()) {
                return true;
            }
            hold();
            return false;
        } catch (Throwable failure) {
            refusal.accept(failure);
            return true;
        }
    }

    /** Ends the wait of an operation for which {@link #isCancelled} has returned true. */
    void drop() {
        // The future is done, but its listener may not have been called: not every way to complete a future does that.
        refuse(new CancellationException());
    }

    void refuse(RuntimeException reason) {
        release();
        refusal.accept(reason);
    }

    /**
     * Holds the operands.
     *
     * @throws IllegalStateException if the event or a map is closed; nothing is held then
     */
    private void hold() {
        if (event != null) {
            event.acquire();
        }
        holdMaps();
        pool.type().local().park(local);
        pool.type().remote().park(remote);
    }

    private void holdMaps() {
        if (source != null) {
            source.holdForOperation();
        }
        if (destination != null) {
            try {
                destination.holdForOperation();
            } catch (Throwable failure) {
                if (source != null) {
                    source.releaseOperation();
                }
                throw failure;
            }
        }
    }

    /** Reverts {@link #hold()}. */
    private void release() {
        if (event != null) {
            event.release();
        }
        if (source != null) {
            source.releaseOperation();
        }
        if (destination != null) {
            destination.releaseOperation();
        }
        pool.type().local().unpark(local);
        pool.type().remote().unpark(remote);
    }
}
