/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.operation.TaskSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of ranges that are prepared once and submitted together many times. This is the cheapest way to copy: one native call submits
 * all copies, one completion reports the end of all, and the cost in Java does not depend on the number of copies.
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
 * <p>The ranges are fixed when the series is created. Their maps may close while the series is not in flight; submissions are refused
 * from then on.
 *
 * <p>A series uses as many tasks of its context as it has copies. It belongs to the engine's thread. It outlasts a stop and restart
 * of its context.
 */
public final class DmaSeries implements AutoCloseable {

    private final ContextCore core;
    private final int size;
    private final TaskSeries series;

    private TaskStatus status = TaskStatus.NEW;
    /** The first failure of the last submission that has ended. */
    private @Nullable TaskFailedException failure;
    /** The first failure of the submission in flight. */
    private @Nullable TaskFailedException firstFailure;

    private @Nullable Consumer<? super DmaSeries> handler;
    private boolean closed;

    /** Creates a series with an operation of the pool for each pair of ranges, which were checked. */
    DmaSeries(ContextCore core, OperationPool pool, List<RangePair> pairs) {
        this.core = core;
        this.size = pairs.size();
        List<Operation> operations = new ArrayList<>(size);
        try {
            for (int i = 0; i < size; i++) {
                operations.add(pool.take());
                operations.getLast().hold();
            }
            series = new TaskSeries(pool, operations, pairs, new Sink());
        } catch (Throwable failed) {
            operations.forEach(Operation::free);
            throw failed;
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
     * Submits all copies ({@code doca_task_submit_ex}, and {@code doca_ctx_flush_tasks} after the last one and each 32nd).
     *
     * <p>If the SDK accepts only some of the copies, the series is in flight until these have ended, and then fails with the reason
     * of the refusal.
     *
     * @throws IllegalStateException if the series is in flight or closed, a map is closed or its memory was freed, or another thread
     *     than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses all copies
     */
    public void submit() {
        checkIdle("submit");
        core.checkRunning();
        firstFailure = null;
        firstFailure = series.submit();
        status = TaskStatus.IN_FLIGHT;
    }

    /** {@return the number of copies of each submission, which does not change} */
    public int size() {
        return size;
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
     * Returns the failure of the last submission. After a failure it is not known which of the copies were made.
     *
     * @return the failure of the copy that failed first; empty unless the last submission has failed
     */
    public Optional<TaskFailedException> failure() {
        core.life().checkThreadToRead();
        return Optional.ofNullable(status == TaskStatus.FAILED ? failure : null);
    }

    /**
     * Returns the tasks to the context. A second call does nothing.
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

    /** Returns the number of copies, the context and the status. */
    @Override
    public String toString() {
        return "Series of " + size + " copies of the " + core.description() + ", " + (closed ? "closed" : status);
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
            end(firstFailure);
        }

        @Override
        public void abandoned(Operation leader, TaskFailedException reason) {
            end(reason);
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
