/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.engine.EngineCore;
import io.docajava.core.internal.engine.LoopWait;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A copier of any number of bytes between two memory maps or segments, for any thread. It runs on a {@link ProgressLoop}, with a
 * {@link DmaContext} and buffers of its own.
 *
 * {@snippet :
 * try (ProgressLoop loop = ProgressLoop.start();
 *         DmaCopier copier = DmaCopier.start(loop, device)) {
 *     long bytes = copier.copy(sourceMemory, 0, targetMemory, 0, sourceMemory.byteSize()).join();
 * }
 * }
 *
 * <p>A copy is divided into parts of at most {@link DmaCapabilities#maxBufferSize()} bytes. The number of parts in flight is
 * limited by the number of tasks of the context. When several copies are waiting, each submits one part in turn. A copy counts as
 * queued in the loop until all its parts are submitted: at the limit of {@link ProgressLoop.Builder#maxQueued}, the caller waits
 * or the copy is refused, as the loop is configured.
 *
 * <p>A future completes when none of its parts is in flight any more. On success, its result is the number of bytes. If a part
 * fails, no further part of that copy is submitted. The future fails with a {@link TaskFailedException} that names the offset of
 * the part and has the failure of the part as its cause; any bytes of the target may have been written. If a failure stops the
 * context, the copier restarts the context and repeats those parts of other copies that the stop has aborted. A cancelled future
 * ends at once: parts in flight are carried out, and no further ones are submitted.
 *
 * <p>Both maps must be registered with the device of the copier and stay open until the future is complete. The thread of the
 * loop completes the futures, so stages without an executor run there and must not block.
 */
public final class DmaCopier implements AutoCloseable {

    private static final long RETRY_NANOS = 1_000_000;

    private final ProgressLoop loop;
    private final EngineCore engine;
    private final DmaContext dma;
    private final BufInventory buffers;
    private final OwnedMaps ownedMaps = new OwnedMaps();

    private volatile boolean closed;

    // Only the loop's thread uses the following fields.

    /** The copies that have parts to submit. */
    private final Deque<DividedCopy> waiting = new ArrayDeque<>();

    private int freeTasks;
    /** The number of copies that have begun and not ended. */
    private int open;
    /** Completes when all copies have ended; null unless the copier is being closed. */
    private @Nullable Completion<Boolean> idle;

    private DmaCopier(ProgressLoop loop, ProgressEngine engine, DmaContext dma) {
        this.loop = loop;
        this.engine = EngineAccess.core(engine);
        this.dma = dma;
        this.freeTasks = dma.maxTasks();
        // Each task has a source and a target; the check of a whole copy needs two more.
        this.buffers = BufInventory.create(2 * freeTasks + 2);
        dma.addListener((context, previous, next) -> {
            if (next == ContextState.IDLE) {
                submitParts();
            }
        });
    }

    /**
     * Starts a copier with the defaults of {@link DmaContext#builder}.
     *
     * @param loop whose thread runs the copies; it must not be closed before the copier
     * @param device that copies, which cannot be closed before the copier
     * @return the copier, to be closed by any thread except that of a {@link ProgressLoop}
     * @throws IllegalArgumentException if the device can have fewer than 64 tasks
     * @throws IllegalStateException if the device is closed, or the thread of a {@link ProgressLoop} calls
     * @throws RejectedExecutionException if the loop is closed or refuses the start
     * @throws DocaException if the device has no DMA engine, or the SDK refuses
     */
    public static DmaCopier start(ProgressLoop loop, Device device) {
        return start(loop, DmaContext.builder(device));
    }

    /**
     * Starts a copier.
     *
     * @param loop whose thread runs the copies; it must not be closed before the copier
     * @param context configures the context of the copier; the builder must not be used by another thread meanwhile
     * @return the copier, to be closed by any thread except that of a {@link ProgressLoop}
     * @throws IllegalArgumentException if the context has more tasks than the device can have
     * @throws IllegalStateException if the device is closed, or the thread of a {@link ProgressLoop} calls
     * @throws RejectedExecutionException if the loop is closed or refuses the start
     * @throws DocaException if the device has no DMA engine, or the SDK refuses
     */
    public static DmaCopier start(ProgressLoop loop, DmaContext.Builder context) {
        Objects.requireNonNull(loop, "loop");
        Objects.requireNonNull(context, "context");
        LoopWait.refuseLoopThread("A DmaCopier cannot be started");
        return LoopWait.join(loop.call(engine -> {
            DmaContext dma = context.start(engine);
            try {
                return new DmaCopier(loop, engine, dma);
            } catch (Throwable failure) {
                Undo.after(failure, dma::close);
                throw failure;
            }
        }));
    }

    /**
     * Copies bytes from one map to another. The maps may be the same if the ranges do not overlap.
     *
     * @param source a map that is registered with the copier's device, and stays open until the future is complete
     * @param sourceOffset the position in bytes of the first byte in the source
     * @param target a map as the source, which the device may write to
     * @param targetOffset the position in bytes of the first byte in the target
     * @param length the number of bytes; a copy of 0 bytes succeeds without the device, in any map
     * @return a future of the length. It fails with a {@link TaskFailedException} if a part fails, an {@link
     *     IllegalArgumentException} if the ranges overlap, or a map is not registered with the device or lacks a permission, an
     *     {@link IllegalStateException} if a map is closed before all parts are submitted, or a {@link DocaException} if the
     *     context cannot be restarted
     * @throws IndexOutOfBoundsException if a range is not inside of its map
     * @throws RejectedExecutionException if the copier is closed, or as {@link ProgressLoop#submit} throws it
     */
    public CompletableFuture<Long> copy(Mmap source, long sourceOffset, Mmap target, long targetOffset, long length) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        checkInside(source, sourceOffset, length);
        checkInside(target, targetOffset, length);
        return submit(new DividedCopy(this, source, sourceOffset, target, targetOffset, length));
    }

    /**
     * Copies the bytes of one segment to another of the same size. This registers both with the device until the copy has ended,
     * which often takes longer than the copy itself: use an {@link Mmap} for memory that is copied repeatedly.
     *
     * <p>A registration that cannot be ended does not change the result of the copy. The {@linkplain
     * ProgressLoop.Builder#errorHandler error handler} of the loop gets the failure. Later copies of segments and {@link #close()}
     * try again.
     *
     * @param source a segment that {@link Mmap#register} accepts; it may be read-only
     * @param target a segment that {@link Mmap#register} accepts
     * @return a future, as from {@link #copy(Mmap, long, Mmap, long, long)}
     * @throws IllegalArgumentException if the sizes differ, or a segment cannot be registered
     * @throws RejectedExecutionException if the copier is closed, or as {@link ProgressLoop#submit} throws it
     * @throws DocaException if the SDK refuses to register a segment
     */
    public CompletableFuture<Long> copy(MemorySegment source, MemorySegment target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        if (source.byteSize() != target.byteSize()) {
            throw new IllegalArgumentException("The source has " + source.byteSize() + " bytes and the target "
                    + target.byteSize() + ": the sizes of segments must be equal");
        }
        checkOpen();
        ownedMaps.retry();
        Mmap from = Mmap.register(dma.device(), source, Access.LOCAL_READ_ONLY);
        Mmap to;
        try {
            to = Mmap.register(dma.device(), target, Access.LOCAL_READ_WRITE);
        } catch (Throwable failure) {
            Undo.after(failure, () -> ownedMaps.close(from));
            throw failure;
        }
        DividedCopy copy = new DividedCopy(this, from, 0, to, 0, source.byteSize()).owningMaps();
        try {
            return submit(copy);
        } catch (Throwable failure) {
            Undo.after(failure, copy::cancelUnlessBegun);
            throw failure;
        }
    }

    private CompletableFuture<Long> submit(DividedCopy copy) {
        checkOpen();
        CompletableFuture<Long> future = loop.submit(copy);
        copy.follow(future);
        return future;
    }

    private void checkOpen() {
        if (closed) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    private static void checkInside(Mmap map, long offset, long length) {
        if (offset < 0 || length < 0 || offset > map.byteSize() - length) {
            throw new IndexOutOfBoundsException(
                    "A copy of " + length + " bytes at " + offset + " is not inside of " + map);
        }
    }

    /**
     * Closes the copier: refuses further copies, waits until the queued ones have ended, and closes the context, the buffers and
     * the maps of segments that could not be closed before. Copies that have not ended within the close timeout of the context
     * are aborted. The loop does this after the work that it has queued already, so a loop that is busy or full delays the end of
     * this call. Any thread may call, except that of a {@link ProgressLoop}. A further call does nothing, unless the previous one
     * has thrown an exception: then it closes the rest.
     *
     * @throws IllegalStateException if the thread of a {@link ProgressLoop} calls, or the loop is closed meanwhile
     * @throws DocaException if the context does not stop in time, or the SDK refuses
     * @throws RejectedExecutionException if the loop refuses the close until the close timeout of the context has passed, because
     *     its queue stays full and it {@linkplain ProgressLoop.Builder#rejectWhenFull rejects} further work, or because it is
     *     being closed
     */
    @Override
    public void close() {
        LoopWait.refuseLoopThread(this + " cannot be closed");
        closed = true;
        long deadline = System.nanoTime() + Math.min(dma.closeTimeoutNanos(), Long.MAX_VALUE / 2);
        boolean interrupted = false;
        try {
            while (!closeOrRefuse(deadline)) {
                // An interrupted thread does not park.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the copier. Returns false if the loop is full, and will have room soon. */
    private boolean closeOrRefuse(long deadline) {
        try {
            return closeOnLoop(deadline);
        } catch (RejectedExecutionException refused) {
            if (!loop.thread().isAlive()) {
                closeAll();
                return true;
            }
            if (deadline - System.nanoTime() <= 0) {
                throw refused;
            }
            return false;
        }
    }

    private boolean closeOnLoop(long deadline) {
        CompletableFuture<Boolean> allEnded = loop.submit(this::awaitIdle);
        try {
            allEnded.orTimeout(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS)
                    .join();
        } catch (CompletionException late) {
            // Closing the context aborts the remaining copies.
        }
        return LoopWait.join(loop.call(own -> {
            closeAll();
            return true;
        }));
    }

    private void closeAll() {
        dma.close();
        buffers.close();
        ownedMaps.closeRest();
    }

    @Override
    public String toString() {
        return "DmaCopier on " + dma.device().info().displayName();
    }

    private Completion<Boolean> awaitIdle() {
        Completion<Boolean> completion = idle;
        // Another call of close() may be waiting for the same.
        if (completion == null || completion.isDone()) {
            completion = EngineAccess.completion(dma.engine());
            idle = completion;
        }
        completeWhenIdle();
        return completion;
    }

    private void completeWhenIdle() {
        if (open == 0 && idle != null) {
            idle.complete(true);
        }
    }

    // DividedCopy calls the following methods on the loop's thread.

    BufInventory buffers() {
        return buffers;
    }

    OwnedMaps ownedMaps() {
        return ownedMaps;
    }

    DmaContext dma() {
        return dma;
    }

    /** Begins a copy that has at least one part. */
    void begin(DividedCopy copy) {
        open++;
        enqueue(copy);
        submitParts();
    }

    void ended() {
        open--;
        completeWhenIdle();
    }

    /** Reuses the task of a part that has succeeded. */
    void taskFreed() {
        freeTasks++;
        submitParts();
    }

    /** Reuses the task of a part that has failed, after the next progress: only then it is known whether the context stops. */
    @SuppressWarnings("FutureReturnValueIgnored") // the copies have futures of their own
    void taskFreedByFailure() {
        freeTasks++;
        try {
            loop.call(own -> {
                submitParts();
                return true;
            });
        } catch (RejectedExecutionException loopIsClosing) {
            submitParts();
        }
    }

    void enqueue(DividedCopy copy) {
        waiting.add(copy);
        engine.delivery().addWaiting(1);
    }

    private DividedCopy dequeue() {
        engine.delivery().addWaiting(-1);
        return waiting.remove();
    }

    private void submitParts() {
        while (freeTasks > 0 && !waiting.isEmpty() && isRunning()) {
            DividedCopy copy = dequeue();
            if (copy.submitPart()) {
                freeTasks--;
            }
            if (copy.hasParts()) {
                enqueue(copy);
            } else {
                endIfIdle(copy);
            }
        }
    }

    /** Ends a copy if it is idle. A failure must not keep the other copies from being submitted. */
    private void endIfIdle(DividedCopy copy) {
        try {
            copy.endIfIdle();
        } catch (Throwable failure) {
            engine.delivery().report(failure);
        }
    }

    /** Restarts an idle context, and returns whether parts can be submitted now. If the restart fails, all copies fail. */
    private boolean isRunning() {
        if (dma.state() == ContextState.IDLE) {
            try {
                dma.restart();
            } catch (Throwable failure) {
                for (int left = waiting.size(); left > 0; left--) {
                    DividedCopy copy = dequeue();
                    copy.fail(failure);
                    endIfIdle(copy);
                }
            }
        }
        return dma.state() == ContextState.RUNNING;
    }
}
