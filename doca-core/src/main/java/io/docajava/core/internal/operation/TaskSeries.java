/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.completion.SeriesCounter;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.submission.TaskCommands;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a context that are prepared once and submitted together many times, such as those of a {@code DmaSeries}. The
 * commands that submit them are written once and reused, and native code counts the completions. The cost of a submission in Java
 * therefore does not depend on the number of operations.
 *
 * <p>The first operation is the leader. The context sees only the leader in flight, on behalf of all operations.
 */
public final class TaskSeries implements AutoCloseable {

    /** The number of tasks after which the series flushes, which lets the device begin while more tasks are submitted. */
    private static final int LONGEST_RUN = 32;

    private static final int NONE = DocaCommon.DOCA_TASK_SUBMIT_FLAG_NONE();

    private final ContextLife life;
    private final Activity activity;
    private final TaskQueue queue;
    private final List<Operation> operations;
    private final List<RangePair> pairs;
    private final TaskCommands commands;
    private final SeriesCounter counter = new SeriesCounter();

    /** The number of commands up to the end of each task. */
    private final int[] commandEnds;

    /** The operands whose memory its owner may free. */
    private final List<RangePair> freeable = new ArrayList<>();

    private long bytes;
    /** The number of operations of the submission in flight that have not failed. */
    private int succeeded;
    /** The number of bytes that those operations move. */
    private long succeededBytes;

    /**
     * Creates a series of held operations.
     *
     * @param pairs the operands of each operation
     * @param sink called by the leader when all operations have ended, and before that for each failure
     */
    public TaskSeries(OperationPool pool, List<Operation> operations, List<RangePair> pairs, OperationSink sink) {
        this.life = pool.life();
        this.queue = pool.queue();
        this.activity = pool.activity();
        this.operations = operations;
        this.pairs = pairs;
        commandEnds = new int[operations.size()];
        int flushes = Math.ceilDiv(operations.size(), LONGEST_RUN);
        commands = TaskCommands.open(life.engine().mode(), operations.size() + flushes);
        for (int i = 0; i < operations.size(); i++) {
            operations.get(i).join(this, sink, pairs.get(i));
            bytes += pairs.get(i).length();
            if (pairs.get(i).isFreeable()) {
                freeable.add(pairs.get(i));
            }
        }
    }

    int size() {
        return operations.size();
    }

    /** Returns the number of bytes that all operations move. */
    public long bytes() {
        return bytes;
    }

    boolean isLedBy(Operation operation) {
        return operations.getFirst().equals(operation);
    }

    /** Returns the operation that a native task of its own C type belongs to. */
    Operation member(long nativeTask) {
        return operations.stream()
                .filter(operation -> operation.isOf(nativeTask))
                .findFirst()
                .orElseThrow(() -> new AssertionError("A task of a series that is not in it"));
    }

    /** Returns whether the native tasks are allocated. A context that stops frees them, and so does a map that closes. */
    private boolean isArmed() {
        return operations.getFirst().task() != 0;
    }

    public boolean isInFlight() {
        return operations.getFirst().submitted() != 0;
    }

    /**
     * Allocates the native tasks and records their submissions. A task changes nothing of its source buffer, and only the data length
     * of its destination, so each submission empties the latter.
     */
    private void arm() {
        commands.clear();
        try {
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                long destination = operation.arm(queue, pairs.get(i), counter.taskData());
                commands.resetAndSubmit(destination, operation.task(), NONE);
                commandEnds[i] = commands.size();
                if (i == operations.size() - 1 || i % LONGEST_RUN == LONGEST_RUN - 1) {
                    commands.flush(life.nativeContext());
                }
            }
        } catch (Throwable failure) {
            disarm();
            throw failure;
        }
        counter.setUserData(operations.getFirst().userData());
    }

    /** Frees the native tasks. The next submission allocates them again. */
    void disarm() {
        operations.forEach(Operation::freeTask);
        commands.clear();
    }

    /**
     * Submits all tasks, after the deferred tasks of the context.
     *
     * @return null, or the reason why the last tasks were not submitted while the others are in flight
     * @throws ContextNotRunningException if the context is not running; nothing is in flight
     * @throws DocaException if the SDK refuses the first one; nothing is in flight
     * @throws IllegalStateException if a map is closed, or its memory was freed; nothing is in flight
     */
    public @Nullable TaskFailedException submit() {
        for (int i = 0; i < freeable.size(); i++) {
            freeable.get(i).checkAlive();
        }
        if (!isArmed()) {
            arm();
        }
        Operation leader = operations.getFirst();
        queue.prepareNow(leader);
        counter.setLeft(operations.size());
        commands.rewind();
        int result = commands.run();
        succeeded = operations.size();
        succeededBytes = bytes;
        if (result == 0) {
            queue.markSubmitted(leader);
            return null;
        }
        String function = commands.failedFunction();
        int submitted = 0;
        while (commandEnds[submitted] <= commands.position()) {
            submitted++;
        }
        if (submitted == 0) {
            throw queue.refusal(result, function, leader);
        }
        counter.setLeft(submitted);
        queue.markSubmitted(leader);
        operations.subList(submitted, operations.size()).forEach(this::failed);
        TaskFailedException refusal = queue.refusedInSeries(operations.get(submitted), result, function);
        if (life.isRunning()) {
            // The flush behind the refused task was not run.
            queue.startSubmitted();
        }
        return refusal;
    }

    /** Counts a failed operation of the submission. */
    void failed(Operation operation) {
        activity.failed(1);
        succeeded--;
        succeededBytes -= operation.bytes();
    }

    /** Counts the operations of the submission that have succeeded, when all have ended. */
    void ended() {
        activity.succeeded(succeeded, succeededBytes);
    }

    /** Frees the native tasks and memory. The series is not in flight. */
    @Override
    public void close() {
        // The native tasks refer to the counter.
        disarm();
        operations.forEach(Operation::leave);
        commands.close();
        counter.close();
    }
}
