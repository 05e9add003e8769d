/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.operation.TaskSeries;
import io.docajava.dma.DmaSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link DmaSeries}. */
public final class DmaSeriesImpl implements DmaSeries {

    private final AbstractContext context;
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
    DmaSeriesImpl(AbstractContext context, OperationPool pool, List<RangePair> pairs) {
        this.context = context;
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

    @Override
    public DmaSeries onCompletion(Consumer<? super DmaSeries> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        checkIdle("change");
        handler = newHandler;
        return this;
    }

    @Override
    public void submit() {
        checkIdle("submit");
        context.checkRunning();
        firstFailure = null;
        firstFailure = series.submit();
        status = TaskStatus.IN_FLIGHT;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long bytes() {
        return series.bytes();
    }

    @Override
    public TaskStatus status() {
        context.life().checkThreadToRead();
        return status;
    }

    @Override
    public boolean isDone() {
        context.life().checkThreadToRead();
        return status == TaskStatus.SUCCEEDED || status == TaskStatus.FAILED;
    }

    @Override
    public Optional<TaskFailedException> failure() {
        context.life().checkThreadToRead();
        return Optional.ofNullable(status == TaskStatus.FAILED ? failure : null);
    }

    @Override
    public void close() {
        context.checkThreadToClose();
        if (closed) {
            return;
        }
        refuseInFlight("close");
        closed = true;
        series.close();
    }

    private void checkIdle(String purpose) {
        context.checkUsable();
        if (closed) {
            throw new IllegalStateException("The series of the " + context.description() + " is closed");
        }
        refuseInFlight(purpose);
    }

    private void refuseInFlight(String purpose) {
        if (series.isInFlight()) {
            throw new IllegalStateException("Cannot " + purpose + " a series in flight of the " + context.description()
                    + ": progress until it is done");
        }
    }

    /** Returns the number of copies, the context and the status. */
    @Override
    public String toString() {
        return "Series of " + size + " copies of the " + context.description() + ", " + (closed ? "closed" : status);
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
                callback.accept(DmaSeriesImpl.this);
            }
        }
    }
}
