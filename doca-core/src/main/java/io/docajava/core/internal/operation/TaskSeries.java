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
    private final TaskCommands commands;
    private final SeriesCounter counter = new SeriesCounter();

    /** The number of commands up to the end of each task. */
    private final int[] commandEnds;

    private long bytes;
    /** The number of operations of the submission in flight that have not failed. */
    private int sound;
    /** The number of bytes that those operations move. */
    private long soundBytes;

    /**
     * Creates a series. The caller {@linkplain #join joins} its operations next.
     *
     * @param pool the pool of the operations
     * @param preparations the number of commands that prepare all operations for a submission
     */
    public TaskSeries(OperationPool pool, List<Operation> operations, int preparations) {
        this.life = pool.life();
        this.queue = pool.queue();
        this.activity = pool.activity();
        this.operations = operations;
        commandEnds = new int[operations.size()];
        int flushes = Math.ceilDiv(operations.size(), LONGEST_RUN);
        commands = TaskCommands.open(life.engine().mode(), preparations + operations.size() + flushes);
    }

    /**
     * Adds the operations with their arguments. If this throws, the caller closes the series.
     *
     * @param sink called by the leader when all operations have ended, and before that for each failure
     * @throws RuntimeException as {@link OperationType#check} does
     */
    public void join(OperationSink sink) {
        for (Operation operation : operations) {
            operation.join(this, sink);
            bytes += operation.bytes();
        }
    }

    /** Allocates the native task of an operation. */
    public void allocate(Operation operation) {
        operation.allocate(queue, counter.taskData());
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

    /** Returns whether the native tasks are allocated. A context that stops frees them. */
    public boolean isArmed() {
        return operations.getFirst().task() != 0;
    }

    public boolean isInFlight() {
        return operations.getFirst().submitted() != 0;
    }

    /** Clears the commands. The caller then allocates the native tasks and adds their submissions. */
    public TaskCommands arm() {
        commands.clear();
        return commands;
    }

    /** Adds the submission of the next operation, after the commands that prepare it. */
    public void addSubmission(int number) {
        long task = operations.get(number).task();
        commands.submit(task, NONE);
        endSubmission(number);
    }

    /** Adds the submission of a task whose only preparation is to empty the data segment of a buffer. */
    public void addSubmissionAfterReset(int number, long buf) {
        long task = operations.get(number).task();
        commands.resetAndSubmit(buf, task, NONE);
        endSubmission(number);
    }

    private void endSubmission(int number) {
        commandEnds[number] = commands.size();
        if (number == operations.size() - 1 || number % LONGEST_RUN == LONGEST_RUN - 1) {
            commands.flush(life.nativeContext());
        }
    }

    /** Frees the native tasks and clears the commands. */
    public void disarm() {
        operations.forEach(Operation::freeTask);
        commands.clear();
    }

    /** Completes the preparation that {@link #arm()} began. */
    public void armed() {
        counter.setUserData(operations.getFirst().userData());
    }

    /**
     * Submits all tasks, after the deferred tasks of the context.
     *
     * @return null, or the reason why the last tasks were not submitted while the others are in flight
     * @throws ContextNotRunningException if the context is not running; nothing is in flight
     * @throws DocaException if the SDK refuses the first one; nothing is in flight
     */
    public @Nullable TaskFailedException submit() {
        Operation leader = operations.getFirst();
        queue.prepareNow(leader);
        counter.setLeft(operations.size());
        commands.rewind();
        int result = commands.run();
        sound = operations.size();
        soundBytes = bytes;
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
        sound--;
        soundBytes -= operation.bytes();
    }

    /** Counts the operations of the submission that have succeeded, when all have ended. */
    void ended() {
        activity.succeeded(sound, soundBytes);
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
