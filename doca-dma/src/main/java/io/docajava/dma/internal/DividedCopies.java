/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.ParkedOperation;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.dma.CopyProgress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a context that are divided into pieces, and all copies with a future of a context that restarts after a failure. The
 * copies take turns: each submits one piece. Their pieces use at most half of the tasks, unless the context restarts. If no task is
 * free, or other operations wait for one, the next piece waits in the line of the context.
 *
 * <p>Only the engine's thread uses it.
 */
final class DividedCopies implements OperationSink, ContextListener {

    private final AbstractContext context;
    private final OperationPool pool;
    private final WaitingLine waiting;
    private final CopyOperations type;
    private final boolean restarts;
    private final int limit;

    /** The copies that have pieces to submit. Some may have failed or been cancelled meanwhile. */
    private final Deque<DividedCopy> copies = new ArrayDeque<>();

    /** The number of pieces in flight. */
    private int inFlight;
    /** True if the next piece is in the line of the context. */
    private boolean parked;
    /** The number of copies that count as waiting, besides the piece in the line. */
    private int counted;

    DividedCopies(
            AbstractContext context, OperationPool pool, WaitingLine waiting, CopyOperations type, boolean restarts) {
        this.context = context;
        this.pool = pool;
        this.waiting = waiting;
        this.type = type;
        this.restarts = restarts;
        this.limit = restarts ? pool.size() : Math.max(pool.size() / 2, 1);
        context.life().addListener(this);
        context.onAbandon(this::stopAll);
    }

    /**
     * Begins a copy of ranges that were checked.
     *
     * @throws ContextNotRunningException if the context is not running, and not about to restart
     * @throws IllegalArgumentException if the device cannot use a map in this way
     * @throws IllegalStateException if a map is closed or its memory was freed
     */
    void begin(MapRange source, MapRange target, @Nullable CopyProgress progress, Completion<Long> completion) {
        if (!isRestartExpected()) {
            context.checkState();
        }
        DividedCopy copy = new DividedCopy(source, target, type.maxLength(), progress, completion);
        try {
            type.checkMaps(copy.sourceMap(), copy.targetMap());
        } catch (Throwable refusal) {
            copy.fail(refusal);
            copy.endIfIdle();
            throw refusal;
        }
        copies.add(copy);
        submitPieces();
    }

    /** Returns whether the context has stopped by itself and will be restarted. */
    private boolean isRestartExpected() {
        return restarts
                && !context.life().isRunning()
                && !context.life().isIdleForAll()
                && !context.life().cause().isRequested()
                && context.resource().state() == Resource.State.OPEN;
    }

    private void submitPieces() {
        while (inFlight < limit && !parked && context.life().isRunning()) {
            DividedCopy copy = first();
            if (copy == null) {
                break;
            }
            if (waiting.hasToWait(pool) || pool.available() == 0) {
                parked = true;
                waiting.park(new ParkedOperation(pool, this::submitParked, this::refuseParked));
            } else {
                submitPiece(copy);
            }
        }
        count();
    }

    /** Called when a task is free for the piece in the line. */
    private void submitParked() {
        parked = false;
        DividedCopy copy = first();
        if (copy != null) {
            submitPiece(copy);
        }
        submitPieces();
    }

    private void refuseParked(Throwable reason) {
        parked = false;
        if (isRestartExpected()) {
            count();
        } else {
            stopAll(reason);
        }
    }

    /** Returns the next copy that has a piece to submit. */
    private @Nullable DividedCopy first() {
        for (DividedCopy copy = copies.peek(); copy != null; copy = copies.peek()) {
            if (copy.hasPieces()) {
                return copy;
            }
            copies.remove();
            end(copy);
        }
        return null;
    }

    /** Submits a piece of the first copy, which becomes the last one. */
    private void submitPiece(DividedCopy copy) {
        copies.remove();
        long offset = copy.takePiece();
        try {
            copy.checkAlive();
            Operation operation = Objects.requireNonNull(pool.poll(copy.sourceMap(), copy.targetMap()));
            copy.submit(operation, offset, this);
            inFlight++;
        } catch (Throwable refusal) {
            if (isRestartExpected()) {
                copy.putBack(offset);
            } else {
                copy.fail(refusal);
            }
        }
        if (copy.hasPieces()) {
            copies.add(copy);
        } else {
            end(copy);
        }
    }

    /** Ends a copy if it is idle. A failure must not keep the other copies from being submitted. */
    private void end(DividedCopy copy) {
        try {
            copy.endIfIdle();
        } catch (Throwable failure) {
            context.engine().delivery().report(failure);
        }
    }

    /** Ends the copies that have pieces to submit: at once, or with their pieces in flight. */
    private void stopAll(Throwable reason) {
        // User code called meanwhile may begin copies, which are not stopped.
        for (int left = copies.size(); left > 0; left--) {
            DividedCopy copy = copies.poll();
            if (copy != null) {
                copy.stop(reason);
                end(copy);
            }
        }
        count();
    }

    /** Counts the copies with pieces to submit as waiting. The piece in the line counts by itself. */
    private void count() {
        int now = Math.max(parked ? copies.size() - 1 : copies.size(), 0);
        if (now != counted) {
            waiting.addWaiting(now - counted);
            counted = now;
        }
    }

    @Override
    public void succeeded(Operation operation) {
        DividedCopy copy = (DividedCopy) operation.receiver();
        inFlight--;
        try {
            copy.pieceCopied(operation.tag());
        } finally {
            submitPieces();
            end(copy);
        }
    }

    @Override
    public void failed(Operation operation, TaskFailedException failure) {
        DividedCopy copy = (DividedCopy) operation.receiver();
        inFlight--;
        copy.pieceEnded();
        boolean isQueued = copy.hasPieces();
        if (restarts
                && failure.reason() == TaskFailedException.Reason.ABORTED
                && failure.rootCause().isPresent()) {
            copy.putBack(operation.tag());
            if (!isQueued && copy.hasPieces()) {
                copies.add(copy);
            }
        } else {
            copy.fail(operation.tag(), failure);
        }
        // The SDK may report the stop of the context after the failure.
        context.engine().delivery().later(this::submitPieces);
        end(copy);
    }

    @Override
    public void stateChanged(Context changed, ContextState previous, ContextState next) {
        if (next == ContextState.RUNNING) {
            submitPieces();
        } else if (!restarts
                || context.life().cause().isRequested()
                || context.resource().state() != Resource.State.OPEN) {
            stopAll(context.life().notRunning());
        } else if (next == ContextState.IDLE) {
            restart();
        }
    }

    private void restart() {
        try {
            context.restart();
        } catch (Throwable failure) {
            stopAll(failure);
            throw failure;
        }
    }
}
