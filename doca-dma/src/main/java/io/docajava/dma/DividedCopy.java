/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One copy of a {@link DmaCopier}, divided into parts. The loop's thread uses it, unless a method documents another thread. */
final class DividedCopy implements Callable<Completion<Long>> {

    private final DmaCopier copier;
    private final Mmap source;
    private final long sourceOffset;
    private final Mmap target;
    private final long targetOffset;
    private final long length;
    /** True if the maps are closed when the copy ends. */
    private boolean ownsMaps;

    /** Set either by the loop, which then begins the copy, or by a cancellation, after which the loop never begins it. */
    private final AtomicBoolean claimed = new AtomicBoolean();
    /** The future of the caller; null until the loop has accepted the copy. */
    private volatile @Nullable CompletableFuture<Long> future;

    private @Nullable Completion<Long> completion;
    /** The offset of the first part that was never submitted. */
    private long next;
    /** The offsets of parts to submit again. */
    private final Deque<Long> aborted = new ArrayDeque<>();

    private int inFlight;
    private boolean ended;
    private @Nullable Throwable failure;

    DividedCopy(DmaCopier copier, Mmap source, long sourceOffset, Mmap target, long targetOffset, long length) {
        this.copier = copier;
        this.source = source;
        this.sourceOffset = sourceOffset;
        this.target = target;
        this.targetOffset = targetOffset;
        this.length = length;
    }

    /** Makes the copy close its maps when it ends. Called before the copy is submitted. */
    DividedCopy owningMaps() {
        ownsMaps = true;
        return this;
    }

    /** Sets the future of the caller. No part is submitted after its completion. The caller's thread calls. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing can fail
    void follow(CompletableFuture<Long> accepted) {
        future = accepted;
        if (ownsMaps) {
            accepted.whenComplete((bytes, reason) -> cancelUnlessBegun());
        }
    }

    /** Cancels the copy unless the loop has begun it. Any thread may call. */
    void cancelUnlessBegun() {
        if (claimed.compareAndSet(false, true)) {
            closeOwned();
        }
    }

    @Override
    public Completion<Long> call() {
        Completion<Long> result = EngineAccess.completion(copier.dma().engine());
        completion = result;
        if (!claimed.compareAndSet(false, true)) {
            result.cancel(false);
            return result;
        }
        try {
            check();
        } catch (Throwable refusal) {
            Undo.after(refusal, this::closeOwned);
            throw refusal;
        }
        if (length == 0) {
            closeOwned();
            result.complete(0L);
        } else {
            copier.begin(this);
        }
        return result;
    }

    /** Checks the ranges of the whole copy for an overlap, which the checks of the parts do not detect. */
    private void check() {
        BufInventory buffers = copier.buffers();
        try (Buf from = buffers.data(source, sourceOffset, length);
                Buf to = buffers.space(target, targetOffset, length)) {
            CopyCheck.checkOverlap(Handles.list(from), Handles.list(to), length);
        }
    }

    boolean hasParts() {
        CompletableFuture<Long> result = future;
        return failure == null && (next < length || !aborted.isEmpty()) && (result == null || !result.isDone());
    }

    /** Submits the next part if there is one; returns whether the part occupies a task. */
    boolean submitPart() {
        if (!hasParts()) {
            return false;
        }
        long offset;
        if (aborted.isEmpty()) {
            offset = next;
            next += partLength(offset);
        } else {
            offset = aborted.remove();
        }
        try {
            submit(offset);
            inFlight++;
            return true;
        } catch (Throwable refusal) {
            fail(refusal);
            return false;
        }
    }

    private long partLength(long offset) {
        return Math.min(length - offset, copier.dma().capabilities().maxBufferSize());
    }

    private void submit(long offset) {
        BufInventory buffers = copier.buffers();
        long bytes = partLength(offset);
        Buf from = buffers.data(source, sourceOffset + offset, bytes);
        try {
            Buf to = buffers.space(target, targetOffset + offset, bytes);
            try {
                copier.dma().copy(from, to, new Part(offset));
            } catch (Throwable refusal) {
                Undo.after(refusal, to::close);
                throw refusal;
            }
        } catch (Throwable refusal) {
            Undo.after(refusal, from::close);
            throw refusal;
        }
    }

    /** Fails the copy: no further part is submitted. Only the first failure counts. */
    void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Ends the copy when no part is in flight or left to submit. */
    @SuppressWarnings("try") // the block does not use the steps itself
    void endIfIdle() {
        if (ended || inFlight > 0 || hasParts()) {
            return;
        }
        ended = true;
        try (Step last = copier::ended;
                Step second = this::complete) {
            closeOwned();
        }
    }

    private void complete() {
        Completion<Long> result = Objects.requireNonNull(completion);
        Throwable reason = failure;
        if (reason == null) {
            result.complete(length);
        } else {
            result.completeExceptionally(reason);
        }
    }

    /** Closes the maps if they belong to this copy. If one cannot be closed, the other is closed nevertheless. */
    @SuppressWarnings("try") // the block does not use the step itself
    private void closeOwned() {
        if (ownsMaps) {
            OwnedMaps maps = copier.ownedMaps();
            try (Step last = () -> maps.close(target)) {
                maps.close(source);
            }
        }
    }

    private RuntimeException failed(long offset, TaskFailedException reason) {
        TaskFailedException whole = new TaskFailedException(
                "Copying " + length + " bytes from " + sourceOffset + " of " + source + " to " + targetOffset + " of "
                        + target + " failed at offset " + offset + ": " + reason.error(),
                reason.code(),
                reason.function(),
                reason.reason());
        whole.initCause(reason);
        return whole;
    }

    /** A step that is taken even if those before it fail. The first failure is thrown, with the others as suppressed. */
    private interface Step extends AutoCloseable {
        @Override
        void close();
    }

    /** The handler of one part. */
    @SuppressWarnings("try") // the blocks do not use the steps themselves
    private final class Part implements CopyHandler {

        private final long offset;

        Part(long offset) {
            this.offset = offset;
        }

        @Override
        public void copied(Buf from, Buf to, long bytes) {
            try (Step last = copier::taskFreed;
                    Step second = DividedCopy.this::endIfIdle) {
                end(from, to);
            }
        }

        @Override
        public void failed(Buf from, Buf to, TaskFailedException reason) {
            boolean hadParts = hasParts();
            try (Step last = copier::taskFreedByFailure;
                    Step third = DividedCopy.this::endIfIdle;
                    Step second = () -> repeatOrFail(reason, hadParts)) {
                end(from, to);
            }
        }

        private void repeatOrFail(TaskFailedException reason, boolean hadParts) {
            if (reason.reason() == TaskFailedException.Reason.ABORTED
                    && reason.rootCause().isPresent()) {
                aborted.add(offset);
                if (!hadParts && hasParts()) {
                    copier.enqueue(DividedCopy.this);
                }
            } else {
                fail(DividedCopy.this.failed(offset, reason));
            }
        }

        private void end(Buf from, Buf to) {
            inFlight--;
            try (from;
                    to) {
                // Both are closed, even if one cannot be.
            }
        }
    }
}
