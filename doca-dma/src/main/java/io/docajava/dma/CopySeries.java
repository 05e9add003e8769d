/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations of a {@link DmaSeries}, and the data segments of its buffers at its creation. */
final class CopySeries implements OperationSink {

    private final ContextCore core;
    private final List<Operation> operations;
    private final TaskSeries series;
    /** Start of the data segment of each destination before the copy. */
    private final long[] targetData;
    /** Length of the data segment of each destination before the copy. */
    private final long[] targetLengths;
    /** The maps whose memory a user may free. */
    private final List<MapState> freeable = new ArrayList<>();

    /** Called when all copies of a submission have ended, with the first failure or null. */
    private @Nullable Consumer<@Nullable TaskFailedException> listener;

    private boolean areTargetsFilled;
    /** True if the data segments of the targets are equal in the SDK and in Java when nothing is in flight. */
    private boolean areTargetsUpdated;

    private @Nullable TaskFailedException firstFailure;

    /**
     * Creates a series of pairs of buffers, each with an operation of the pool.
     *
     * @throws RuntimeException if a pair cannot be copied; all operations are free then
     */
    static CopySeries of(ContextCore core, OperationPool pool, List<Buf> sources, List<Buf> targets) {
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
            return new CopySeries(core, operations, series);
        } catch (Throwable failure) {
            Undo.after(failure, series::close);
            throw failure;
        }
    }

    private CopySeries(ContextCore core, List<Operation> operations, TaskSeries series) {
        this.core = core;
        this.operations = operations;
        this.series = series;
        targetData = new long[operations.size()];
        targetLengths = new long[operations.size()];
        series.join(this);
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

    void setListener(Consumer<@Nullable TaskFailedException> newListener) {
        listener = newListener;
    }

    int size() {
        return operations.size();
    }

    long bytes() {
        return series.bytes();
    }

    boolean isInFlight() {
        return series.isInFlight();
    }

    /** Submits all copies. If the SDK accepts only some of them, the submission fails when these have ended. */
    void submit() {
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
        } catch (Throwable failure) {
            series.disarm();
            throw failure;
        }
        series.armed();
    }

    /** Notes that a copy has failed, or was not submitted. */
    @Override
    public void failed(Operation operation, TaskFailedException failure) {
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }

    /** Handles the end of all copies. */
    @Override
    public void succeeded(Operation leader) {
        TaskFailedException failure = firstFailure;
        if (failure == null) {
            noteCopied();
        } else {
            restoreTargets();
        }
        Objects.requireNonNull(listener).accept(failure);
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

    @Override
    public void abandoned(Operation leader, TaskFailedException failure) {
        Objects.requireNonNull(listener).accept(failure);
        listener = end -> {};
    }

    /** Sets the data segments of the targets to those at the creation of the series. */
    private void restoreTargets() {
        for (int i = 0; i < operations.size(); i++) {
            target(operations.get(i)).setData(targetData[i], targetLengths[i]);
        }
        areTargetsFilled = false;
        areTargetsUpdated = false;
    }

    /** Releases the buffers and the operations. */
    void close() {
        series.close();
    }
}
