/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation with a future that waits for a free task, on the engine of a loop. Its buffers and its event stay in use until it is
 * submitted, and are then used by the submission.
 */
public final class ParkedOperation {

    private final OperationPool pool;
    private final @Nullable Object subject;
    private final @Nullable BufElement local;
    private final @Nullable BufElement remote;
    private final @Nullable RemoteEvent event;
    private final Completion<?> completion;
    private final BooleanSupplier submission;

    /**
     * Checks the arguments of an operation and keeps them.
     *
     * @param submission submits the operation, and returns false if it has to wait again before all others
     * @throws RuntimeException as {@link OperationType#check} does
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
        this.local = local == null ? null : Handles.list(local);
        this.remote = remote == null ? null : Handles.list(remote);
        this.event = event;
        this.completion = completion;
        this.submission = submission;
        check(pool, subject, this.local, this.remote, event);
        if (event != null) {
            event.acquire();
        }
        if (this.local != null) {
            pool.type().local().park(this.local);
        }
        if (this.remote != null) {
            pool.type().remote().park(this.remote);
        }
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
        check(
                pool,
                subject,
                local == null ? null : Handles.list(local),
                remote == null ? null : Handles.list(remote),
                event);
    }

    private static void check(
            OperationPool pool,
            @Nullable Object subject,
            @Nullable BufElement local,
            @Nullable BufElement remote,
            @Nullable RemoteEvent event) {
        pool.type().checkParked(subject, local, remote);
        if (event != null) {
            pool.type().checkEvent(event);
        }
    }

    OperationPool pool() {
        return pool;
    }

    boolean isReady() {
        return pool.type().isReady(subject);
    }

    /** Returns whether its future was cancelled, or completed by other means, so that it is not to be submitted. */
    boolean isCancelled() {
        return completion.isDone();
    }

    /** Submits the operation, now that a task is free; returns false if it has to wait again. A failure goes to the future. */
    boolean submit() {
        release();
        try {
            return submission.getAsBoolean();
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
            return true;
        }
    }

    /** Ends the wait of an operation that is not to be submitted, for which {@link #isCancelled} has returned true. */
    void drop() {
        // The future is done, but its listener may not know: not all ways to complete a future call it.
        refuse(new CancellationException());
    }

    void refuse(RuntimeException reason) {
        release();
        completion.completeExceptionally(reason);
    }

    /** Releases what the operation holds. Called once, by each way in which its wait ends. */
    private void release() {
        if (event != null) {
            event.release();
        }
        if (local != null) {
            pool.type().local().unpark(local);
        }
        if (remote != null) {
            pool.type().remote().unpark(remote);
        }
    }
}
