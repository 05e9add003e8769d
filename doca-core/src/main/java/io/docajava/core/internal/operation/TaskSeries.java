/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.engine.Activity;
import io.docajava.core.internal.state.ContextLife;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.completion.SeriesCounter;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.submission.TaskCommands;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a context that are prepared once, then submitted together again and again. The commands that submit them are
 * written once and stay, and their completions are counted in native code: a submission costs Java the same, however many
 * operations there are.
 *
 * <p>The first operation leads: to the context it is in flight, and stands for all of them.
 */
public final class TaskSeries implements AutoCloseable {

    /** So many tasks in a row go without a flush at most, so that the device begins while others are submitted. */
    private static final int LONGEST_RUN = 32;

    private static final boolean HAS_FLAGS = DocaLibrary.load().has("doca_task_submit_ex");
    private static final boolean HAS_FLUSH = DocaLibrary.load().has("doca_ctx_flush_tasks");

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
    /** Of the submission in flight, the number of operations that have not failed. */
    private int sound;
    /** The bytes that those move. */
    private long soundBytes;

    /**
     * Creates a series, which its operations {@linkplain #join join} next.
     *
     * @param pool that of the operations
     * @param preparations how many commands prepare all operations for a submission
     */
    public TaskSeries(OperationPool pool, List<Operation> operations, int preparations) {
        this.life = pool.life();
        this.queue = pool.queue();
        this.activity = pool.activity();
        this.operations = operations;
        commandEnds = new int[operations.size()];
        commands = TaskCommands.open(life.engine().mode(), preparations + operations.size());
    }

    /**
     * Takes the operations with their arguments. When this throws, close the series.
     *
     * @param sink is called by the first operation when all have ended, and for each failure before
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

    /** Returns how many bytes all operations move. */
    long bytes() {
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

    /** Returns whether there are native tasks; a context that stops takes them away. */
    public boolean isArmed() {
        return operations.getFirst().task() != 0;
    }

    /** Returns whether it is in flight. */
    public boolean isInFlight() {
        return operations.getFirst().isLeaderInFlight();
    }

    /** Begins to note the commands anew, when the native tasks are to be allocated. */
    public TaskCommands arm() {
        commands.clear();
        return commands;
    }

    /** Adds the submission of the next operation, behind what prepares it. */
    public void addSubmission(int number) {
        long task = operations.get(number).task();
        if (isFlushed(number)) {
            commands.submit(task);
        } else {
            commands.submit(task, NONE);
        }
        commandEnds[number] = commands.size();
    }

    /** The same for a task that needs no other preparation than that the data segment of a buffer is emptied. */
    public void addSubmissionAfterReset(int number, long buf) {
        long task = operations.get(number).task();
        if (isFlushed(number)) {
            commands.resetAndSubmit(buf, task);
        } else {
            commands.resetAndSubmit(buf, task, NONE);
        }
        commandEnds[number] = commands.size();
    }

    private boolean isFlushed(int number) {
        return number == operations.size() - 1 || number % LONGEST_RUN == LONGEST_RUN - 1;
    }

    /** Takes back what was done since {@link #arm()}. */
    public void disarm() {
        operations.forEach(Operation::freeTask);
        commands.clear();
    }

    /** All is noted. */
    public void armed() {
        counter.setUserData(operations.getFirst().userData());
    }

    /**
     * Submits all tasks, behind what a batch of the context holds back.
     *
     * @return null, or why the last ones were not submitted, while the others are in flight
     * @throws ContextNotRunningException if the context is not running; nothing is in flight
     * @throws DocaException if the SDK refuses the first one; nothing is in flight
     */
    public @Nullable TaskFailedException submit() {
        Operation leader = operations.getFirst();
        queue.prepareAlone(leader);
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
        beginWithoutLast(refusal);
        return refusal;
    }

    /** An operation of the submission has failed. */
    void failed(Operation operation) {
        activity.failed(1);
        sound--;
        soundBytes -= operation.bytes();
    }

    /** Counts the operations of the submission that have succeeded, when all have ended. */
    void ended() {
        activity.succeeded(sound, soundBytes);
    }

    /** Those that were submitted may wait for a flush, which the last one would have brought. */
    private void beginWithoutLast(TaskFailedException refusal) {
        if (!HAS_FLAGS || !life.isRunning()) {
            return;
        }
        if (HAS_FLUSH) {
            queue.flushNative();
        } else {
            queue.stopAfter(refusal);
        }
    }

    /** Frees what is native, when it is not in flight. */
    @Override
    public void close() {
        // The native tasks refer to the counter.
        disarm();
        operations.forEach(Operation::leave);
        commands.close();
        counter.close();
    }
}
