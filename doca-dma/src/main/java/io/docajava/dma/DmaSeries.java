/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.TaskSeries;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.submission.TaskCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies that are prepared once and submitted together many times. This is the cheapest way to copy: one native call submits all
 * copies, one completion reports the end of all, and the cost in Java does not depend on the number of copies.
 *
 * {@snippet :
 * try (DmaSeries series = dma.series(sources, targets)) {
 *     while (produce(sourceMemory)) {
 *         series.submit();
 *         while (!series.isDone()) {
 *             engine.progress();
 *         }
 *         consume(targetMemory);
 *     }
 * }
 * }
 *
 * <p>The ranges of bytes are fixed when the series is created: each submission reads the data that the sources had then, and writes
 * behind the data that the targets had then. Every submission writes to the same places. The buffers belong to the series until it
 * is closed. They cannot be changed or closed, and cannot be the target of other copies; other operations may read the sources.
 * The first submission that succeeds makes the copied bytes part of the data of the targets, and later submissions overwrite them.
 *
 * <p>A series uses as many tasks of its context as it has copies. It belongs to the engine's thread. It outlasts a stop and restart
 * of its context. Close it before its buffers, even if its context is closed.
 */
public final class DmaSeries implements AutoCloseable {

    private final ContextCore core;
    private final List<Operation> operations;
    private final TaskSeries series;
    /** Start of the data segment of each target before the copy. */
    private final long[] targetData;
    /** Length of the data segment of each target before the copy. */
    private final long[] targetLengths;
    /** The maps whose memory a user may free. */
    private final List<MapState> freeable = new ArrayList<>();

    private boolean areTargetsFilled;
    /** True if the data segments of the targets are equal in the SDK and in Java when nothing is in flight. */
    private boolean areTargetsUpdated;

    private TaskStatus status = TaskStatus.NEW;
    /** The first failure of the last submission that has ended. */
    private @Nullable TaskFailedException failure;
    /** The first failure of the submission in flight. */
    private @Nullable TaskFailedException firstFailure;

    private @Nullable Consumer<? super DmaSeries> handler;
    private boolean closed;

    /**
     * Creates a series of pairs of buffers, each with an operation of the pool.
     *
     * @throws RuntimeException if a pair cannot be copied; all operations are free then
     */
    static DmaSeries of(ContextCore core, OperationPool pool, List<Buf> sources, List<Buf> targets) {
        List<Operation> operations = new ArrayList<>(sources.size());
        TaskSeries series;
        try {
            for (int i = 0; i < sources.size(); i++) {
                operations.add(pool.take());
                operations.getLast().buffers(sources.get(i), targets.get(i)).hold();
            }
            series = new TaskSeries(pool, operations, operations.size());
        } catch (Throwable failure) {
            operations.forEach(Operation::free);
            throw failure;
        }
        try {
            return new DmaSeries(core, operations, series);
        } catch (Throwable failure) {
            Undo.after(failure, series::close);
            throw failure;
        }
    }

    private DmaSeries(ContextCore core, List<Operation> operations, TaskSeries series) {
        this.core = core;
        this.operations = operations;
        this.series = series;
        targetData = new long[operations.size()];
        targetLengths = new long[operations.size()];
        series.join(new Sink());
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            BufElement target = target(operation);
            targetData[i] = target.data();
            targetLengths[i] = target.dataLength();
            noteFreeable(source(operation));
            noteFreeable(target);
        }
    }

    private static BufElement source(Operation operation) {
        return Objects.requireNonNull(operation.localList());
    }

    private static BufElement target(Operation operation) {
        return Objects.requireNonNull(operation.remoteList());
    }

    private void noteFreeable(BufElement list) {
        for (BufElement element = list; element != null; element = element.next()) {
            if (element.map().isFreeable() && !freeable.contains(element.map())) {
                freeable.add(element.map());
            }
        }
    }

    /**
     * Sets the handler that is called when all copies of a submission have ended, in place of the one before.
     *
     * @param newHandler called with this series by the engine's thread; it may submit the series again. Exceptions that it throws
     *     go to the engine's error handler
     * @return this series
     * @throws IllegalStateException if the series is in flight or closed, or another thread than the engine's calls
     */
    public DmaSeries onCompletion(Consumer<? super DmaSeries> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        checkIdle("change");
        handler = newHandler;
        return this;
    }

    /**
     * Submits all copies ({@code doca_task_submit_ex}, and {@code doca_task_submit} for the last one and each 32nd).
     *
     * <p>If the SDK accepts only some of the copies, the series is in flight until these have ended, and then fails with the reason
     * of the refusal.
     *
     * @throws IllegalStateException if the series is in flight or closed, memory of a buffer was freed, or another thread than the
     *     engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses all copies
     */
    public void submit() {
        checkIdle("submit");
        core.checkRunning();
        for (int i = 0; i < freeable.size(); i++) {
            freeable.get(i).checkAlive();
        }
        firstFailure = null;
        try {
            if (!series.isArmed()) {
                arm();
            }
            firstFailure = series.submit();
        } catch (Throwable refusal) {
            // Some targets may have been emptied before.
            operations.forEach(operation -> target(operation).markListStale());
            areTargetsUpdated = false;
            throw refusal;
        }
        status = TaskStatus.IN_FLIGHT;
    }

    private void arm() {
        TaskCommands commands = series.arm();
        try {
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                series.allocate(operation);
                core.queue().updateNow(source(operation), operation);
                BufElement target = target(operation);
                if (targetLengths[i] == 0) {
                    // Each submission empties the target, which is the cheapest, and keeps the start of its data.
                    core.queue().updateNow(target, targetData[i], 0, operation);
                    series.addSubmissionAfterReset(i, target.pointer());
                } else {
                    commands.setData(target.pointer(), targetData[i], targetLengths[i]);
                    series.addSubmission(i);
                }
            }
        } catch (Throwable failed) {
            series.disarm();
            throw failed;
        }
        series.armed();
    }

    /** {@return the number of copies of each submission, which does not change} */
    public int size() {
        return operations.size();
    }

    /** {@return the number of bytes that all copies of a submission copy together, which does not change} */
    public long bytes() {
        return series.bytes();
    }

    /** {@return whether the series is new or in flight, and otherwise whether its last submission succeeded or failed} */
    public TaskStatus status() {
        core.life().checkThreadToRead();
        return status;
    }

    /** {@return whether the last submission has succeeded or failed; false for a series that is new or in flight} */
    public boolean isDone() {
        core.life().checkThreadToRead();
        return status == TaskStatus.SUCCEEDED || status == TaskStatus.FAILED;
    }

    /**
     * Returns the failure of the last submission. After a failure it is not known which of the copies were made, so the data of the
     * targets includes none of them.
     *
     * @return the failure of the copy that failed first; empty unless the last submission has failed
     */
    public Optional<TaskFailedException> failure() {
        core.life().checkThreadToRead();
        return Optional.ofNullable(status == TaskStatus.FAILED ? failure : null);
    }

    /**
     * Returns the tasks to the context, and releases the buffers for other uses. A second call does nothing.
     *
     * @throws IllegalStateException if the series is in flight, or another thread than the engine's calls
     */
    @Override
    public void close() {
        core.checkThreadToClose();
        if (closed) {
            return;
        }
        refuseInFlight("close");
        closed = true;
        series.close();
    }

    private void checkIdle(String purpose) {
        core.checkUsable();
        if (closed) {
            throw new IllegalStateException("The series of the " + core.description() + " is closed");
        }
        refuseInFlight(purpose);
    }

    private void refuseInFlight(String purpose) {
        if (series.isInFlight()) {
            throw new IllegalStateException("Cannot " + purpose + " a series in flight of the " + core.description()
                    + ": progress until it is done");
        }
    }

    static void check(List<Buf> sources, List<Buf> targets) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("A series has at least 1 copy");
        }
        if (sources.size() != targets.size()) {
            throw new IllegalArgumentException("A series has as many targets as sources, and not " + sources.size()
                    + " sources and " + targets.size() + " targets");
        }
    }

    /** Returns the number of copies, the context and the status. */
    @Override
    public String toString() {
        return "Series of " + operations.size() + " copies of the " + core.description() + ", "
                + (closed ? "closed" : status);
    }

    private final class Sink implements OperationSink {

        /** Notes that a copy has failed, or was not submitted. */
        @Override
        public void failed(Operation operation, TaskFailedException reason) {
            if (firstFailure == null) {
                firstFailure = reason;
            }
        }

        /** Handles the end of all copies. */
        @Override
        public void succeeded(Operation leader) {
            if (firstFailure == null) {
                noteCopied();
            } else {
                restoreTargets();
            }
            end(firstFailure);
        }

        @Override
        public void abandoned(Operation leader, TaskFailedException reason) {
            end(reason);
        }

        /** Adds the copied bytes to the data of the targets, unless an earlier submission has done so. */
        private void noteCopied() {
            if (!areTargetsFilled) {
                operations.forEach(operation -> target(operation).grow(operation.bytes()));
                areTargetsFilled = true;
            }
            if (!areTargetsUpdated) {
                operations.forEach(operation -> target(operation).markListUpdated());
                areTargetsUpdated = true;
            }
        }

        /** Sets the data segments of the targets to those at the creation of the series. */
        private void restoreTargets() {
            for (int i = 0; i < operations.size(); i++) {
                target(operations.get(i)).setData(targetData[i], targetLengths[i]);
            }
            areTargetsFilled = false;
            areTargetsUpdated = false;
        }

        private void end(@Nullable TaskFailedException reason) {
            failure = reason;
            status = reason == null ? TaskStatus.SUCCEEDED : TaskStatus.FAILED;
            Consumer<? super DmaSeries> callback = handler;
            if (callback != null) {
                callback.accept(DmaSeries.this);
            }
        }
    }
}
