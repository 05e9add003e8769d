/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.dma.CopyProgress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A copy in pieces that one task can copy each. {@link DividedCopies} decides when a piece is submitted. The copy holds its maps for
 * the pieces that were not submitted yet; a piece in flight is held by its operation.
 */
final class DividedCopy {

    private final MapRange source;
    private final MapRange target;
    private final MapState sourceMap;
    private final MapState targetMap;
    private final long pieceLength;
    private final @Nullable CopyProgress progress;
    private final Completion<Long> completion;

    /** The offset of the first piece that was never submitted. */
    private long next;
    /** The offsets of pieces to submit again; null if there were none. */
    private @Nullable ArrayDeque<Long> aborted;

    private int inFlight;
    private long copied;
    /** The failure of a piece. */
    private @Nullable Throwable failure;
    /** Why no further piece is submitted although none has failed. */
    private @Nullable Throwable stop;

    private boolean ended;

    /**
     * Begins a copy, which holds its maps until it has ended.
     *
     * @throws IllegalStateException if a map is closed
     */
    DividedCopy(
            MapRange source,
            MapRange target,
            long pieceLength,
            @Nullable CopyProgress progress,
            Completion<Long> completion) {
        this.source = source;
        this.target = target;
        this.sourceMap = MmapImpl.state(source.map());
        this.targetMap = MmapImpl.state(target.map());
        this.pieceLength = pieceLength;
        this.progress = progress;
        this.completion = completion;
        sourceMap.holdForOperation();
        try {
            targetMap.holdForOperation();
        } catch (Throwable failure) {
            sourceMap.releaseOperation();
            throw failure;
        }
    }

    MapState sourceMap() {
        return sourceMap;
    }

    MapState targetMap() {
        return targetMap;
    }

    /** Returns whether there is a piece to submit. */
    boolean hasPieces() {
        return failure == null && stop == null && (next < source.length() || isAnyAborted()) && !completion.isDone();
    }

    private boolean isAnyAborted() {
        return aborted != null && !aborted.isEmpty();
    }

    /** Takes the next piece, and returns its offset. */
    long takePiece() {
        if (aborted != null && !aborted.isEmpty()) {
            return aborted.remove();
        }
        long offset = next;
        next += length(offset);
        return offset;
    }

    /** Gives a piece back, to be submitted later. */
    void putBack(long offset) {
        ArrayDeque<Long> pieces = aborted;
        if (pieces == null) {
            pieces = new ArrayDeque<>();
            aborted = pieces;
        }
        pieces.add(offset);
    }

    /**
     * Submits a piece.
     *
     * @throws RuntimeException if it cannot be submitted; the operation is free then
     */
    void submit(Operation operation, long offset, OperationSink sink) {
        operation
                .tagged(offset)
                .submit(
                        sourceMap,
                        sourceMap.base() + source.offset() + offset,
                        targetMap,
                        targetMap.base() + target.offset() + offset,
                        length(offset),
                        sink,
                        this);
        inFlight++;
    }

    /**
     * Refuses memory that its owner has freed although its map is open.
     *
     * @throws IllegalStateException if memory was freed
     */
    void checkAlive() {
        sourceMap.checkAlive();
        targetMap.checkAlive();
    }

    private long length(long offset) {
        return Math.min(source.length() - offset, pieceLength);
    }

    /** Called when a piece has succeeded. Runs user code. */
    void pieceCopied(long offset) {
        inFlight--;
        copied += length(offset);
        if (progress != null && !completion.isDone()) {
            progress.copied(copied);
        }
    }

    /** Called when a piece has failed. */
    void pieceEnded() {
        inFlight--;
    }

    /** Fails the copy because of a piece. */
    void fail(long offset, TaskFailedException reason) {
        if (source.length() <= pieceLength) {
            fail(reason);
            return;
        }
        String message = "Copying " + source.length() + " bytes from " + source.offset() + " of " + source.map()
                + " to " + target.offset() + " of " + target.map() + " failed at offset " + offset + ": "
                + reason.error();
        fail(whole(message, reason));
    }

    private static TaskFailedException whole(String message, TaskFailedException reason) {
        TaskFailedException rootCause = reason.rootCause().orElse(reason);
        if (reason.reason() == TaskFailedException.Reason.ABORTED && !rootCause.equals(reason)) {
            return new TaskFailedException(message, reason.code(), reason.function(), rootCause);
        }
        TaskFailedException whole = new TaskFailedException(message, reason.code(), reason.function(), reason.reason());
        whole.initCause(reason);
        return whole;
    }

    /** Fails the copy: no further piece is submitted. Only the first failure counts. */
    void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Submits no further piece. If no piece in flight fails, this is the failure of the copy. */
    void stop(Throwable reason) {
        if (stop == null) {
            stop = reason;
        }
    }

    /** Ends the copy if no piece is in flight or left to submit. Runs user code. */
    void endIfIdle() {
        if (ended || inFlight > 0 || hasPieces()) {
            return;
        }
        ended = true;
        sourceMap.releaseOperation();
        targetMap.releaseOperation();
        Throwable reason = failure == null ? stop : failure;
        if (reason == null) {
            completion.complete(copied);
        } else {
            completion.completeExceptionally(reason);
        }
    }
}
