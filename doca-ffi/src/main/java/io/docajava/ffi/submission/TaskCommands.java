/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.submission;

import io.docajava.ffi.completion.CompletionMode;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.UncheckedMemory;

/**
 * A list of DOCA calls on the tasks of a context and their buffers. The submission code of a context records the calls,
 * then runs them in order:
 *
 * {@snippet :
 * commands.setData(buf, address, length);
 * commands.submit(task);
 * int result = commands.run();
 * commands.clear();
 * }
 *
 * <p>With the helper library, a single native call makes all of them. Pointers are not checked and must be valid.
 *
 * <p>Only one thread at a time may use a list. After {@link #close()} it is empty and accepts no commands.
 */
public abstract sealed class TaskCommands implements AutoCloseable permits NativeTaskCommands, JavaTaskCommands {

    static final int SUBMIT = 0;
    static final int SUBMIT_FLAGS = 1;
    static final int SET_DATA = 2;
    static final int RESET_AND_SUBMIT = 3;
    static final int RESET_AND_SUBMIT_FLAGS = 4;
    static final int SET_POINTER = 5;
    static final int FLUSH = 6;
    static final int AIM_AND_SUBMIT = 7;
    static final int AIM_AND_SUBMIT_FLAGS = 8;

    /** The largest number of bytes of {@link #aimAndSubmit}. */
    public static final long MAX_LENGTH = (1L << 48) - 1;

    /** Without a flush, tasks would never start if the SDK refused the one that was to start them. */
    private static final boolean HAS_FLAGS = NativeLoading.sdk().has("doca_task_submit_ex")
            && NativeLoading.sdk().has("doca_ctx_flush_tasks");

    /** The number of longs in a record, which is {@code struct command} of {@code docajava_commands.c}. */
    static final int LONGS = 4;

    private static final int OBJECT = 1;
    private static final int FIRST = 2;
    private static final int SECOND = 3;

    /** In the first long: the bits of the kind, of kind and flags, and the position of the length behind them. */
    private static final long KIND = 0xff;

    private static final int FLAGS_SHIFT = 8;
    private static final long KIND_AND_FLAGS = 0xffff;
    private static final int LENGTH_SHIFT = 16;

    private static final long[] NONE = {};

    private final int capacity;

    /** The commands; empty after close. */
    private long[] records;

    /** True if a command was written since {@link #copyTo}. */
    private boolean isChanged;

    private int size;
    private int position;

    TaskCommands(int capacity) {
        this.capacity = capacity;
        this.records = new long[capacity * LONGS];
    }

    /**
     * Creates an empty list.
     *
     * @param mode {@link CompletionMode#NATIVE} for one native call for all commands; otherwise each command is a
     *     native call
     * @param capacity the largest number of commands
     */
    public static TaskCommands open(CompletionMode mode, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("A list of commands has room for 1 or more, and not " + capacity);
        }
        NativeLoading.sdk().require("doca_task_submit");
        return switch (mode) {
            case NATIVE -> new NativeTaskCommands(capacity);
            case UPCALL -> new JavaTaskCommands(capacity);
        };
    }

    /** Returns whether the SDK has {@code doca_task_submit_ex}, and {@code doca_ctx_flush_tasks} to start what was submitted. */
    public static boolean hasFlags() {
        return HAS_FLAGS;
    }

    /** {@code doca_task_submit}: submits a task that starts at once and is reported. */
    public final void submit(long task) {
        add(SUBMIT, 0, task, 0, 0);
    }

    /**
     * {@code doca_task_submit_ex}: submits a task with flags of {@code enum doca_task_submit_flag}. Without
     * {@linkplain #hasFlags() flags} this is {@link #submit(long)}.
     */
    public final void submit(long task, int flags) {
        if (HAS_FLAGS) {
            add(SUBMIT_FLAGS, flags, task, 0, 0);
        } else {
            submit(task);
        }
    }

    /** {@code doca_buf_reset_data_len} for a buffer and then {@link #submit(long)} for a task, as one command. */
    public final void resetAndSubmit(long buf, long task) {
        add(RESET_AND_SUBMIT, 0, task, buf, 0);
    }

    /** {@code doca_buf_reset_data_len} for a buffer and then {@link #submit(long, int)} for a task, as one command. */
    public final void resetAndSubmit(long buf, long task, int flags) {
        if (HAS_FLAGS) {
            add(RESET_AND_SUBMIT_FLAGS, flags, task, buf, 0);
        } else {
            resetAndSubmit(buf, task);
        }
    }

    /**
     * Aims the buffers of a {@linkplain Slots slot} by {@code doca_buf_set_data}, and submits its task as {@link #submit(long, int)}
     * does, as one command.
     *
     * @param slot the address of the slot
     * @param source the address to read from
     * @param destination the address to write to
     * @param length the number of bytes to read, 0 to {@link #MAX_LENGTH}
     */
    public final void aimAndSubmit(long slot, long source, long destination, long length, int flags) {
        write(HAS_FLAGS ? AIM_AND_SUBMIT_FLAGS : AIM_AND_SUBMIT, flags, length, slot, source, destination);
    }

    /** {@code doca_buf_set_data}: sets the data segment of a buffer. */
    public final void setData(long buf, long data, long length) {
        add(SET_DATA, 0, buf, data, length);
    }

    /**
     * Calls a setter function for a pointer of a task, {@code void (*)(task, pointer)}.
     *
     * @param function the address of the setter, such as {@link io.docajava.ffi.hot.DmaCalls#sourceSetter()}
     */
    public final void setPointer(long function, long task, long pointer) {
        add(SET_POINTER, 0, task, function, pointer);
    }

    /**
     * {@code doca_ctx_flush_tasks}: starts all tasks of a context that were submitted without a flush, and reports those with
     * optimized reports. The flush flag of a task starts only the tasks of one queue of the context: DOCA 3.0 has a queue for
     * plain copies and another one for copies of lists. Without {@linkplain #hasFlags() flags} this does nothing.
     */
    public final void flush(long context) {
        if (HAS_FLAGS) {
            add(FLUSH, 0, context, 0, 0);
        }
    }

    private void add(int kind, int flags, long object, long first, long second) {
        write(kind, flags, 0, object, first, second);
    }

    private void write(int kind, int flags, long length, long object, long first, long second) {
        int at = size * LONGS;
        if (at >= records.length) {
            throw new IllegalStateException("The list of commands has no room for more than " + capacity);
        }
        records[at] = length << LENGTH_SHIFT | (long) flags << FLAGS_SHIFT | kind;
        records[at + OBJECT] = object;
        records[at + FIRST] = first;
        records[at + SECOND] = second;
        size++;
        isChanged = true;
    }

    /** Makes the last command, which submits a task, start and report that task. */
    public final void startLast() {
        int last = size - 1;
        int kind = switch (kind(last)) {
            case SUBMIT_FLAGS -> SUBMIT;
            case RESET_AND_SUBMIT_FLAGS -> RESET_AND_SUBMIT;
            case AIM_AND_SUBMIT_FLAGS -> AIM_AND_SUBMIT;
            default -> kind(last);
        };
        rewrite(last, kind, 0);
    }

    /** Removes the flags of the last command, which submits a task: it is not started, and its report does not wait. */
    public final void reportLast() {
        rewrite(size - 1, kind(size - 1), 0);
    }

    private void rewrite(int index, int kind, int flags) {
        int at = index * LONGS;
        records[at] = (records[at] & ~KIND_AND_FLAGS) | (long) flags << FLAGS_SHIFT | kind;
        isChanged = true;
    }

    /** Copies the first commands to native memory, if any was written since they were copied last. */
    final void copyTo(long address, int count) {
        if (isChanged) {
            UncheckedMemory.copy(records, address, count * LONGS);
            isChanged = false;
        }
    }

    /** Returns the kind of a command: one of the constants above. */
    final int kind(int index) {
        return (int) (records[index * LONGS] & KIND);
    }

    /** Returns the flags of a command. */
    final int flags(int index) {
        return (int) ((records[index * LONGS] & KIND_AND_FLAGS) >> FLAGS_SHIFT);
    }

    /** Returns the length of a command. */
    final long length(int index) {
        return records[index * LONGS] >>> LENGTH_SHIFT;
    }

    /** Returns the object of a command. */
    final long object(int index) {
        return records[index * LONGS + OBJECT];
    }

    /** Returns the first argument of a command. */
    final long first(int index) {
        return records[index * LONGS + FIRST];
    }

    /** Returns the second argument of a command. */
    final long second(int index) {
        return records[index * LONGS + SECOND];
    }

    /** Returns the number of commands, including those that were run. */
    public final int size() {
        return size;
    }

    /** Removes the last commands, which must not have been run. */
    public final void truncate(int newSize) {
        if (newSize < position || newSize > size) {
            throw new IllegalArgumentException(
                    "Cannot cut " + size + " commands of which " + position + " were run to " + newSize);
        }
        size = newSize;
    }

    /** Removes all commands. */
    public final void clear() {
        size = 0;
        position = 0;
    }

    /**
     * Runs the remaining commands until one fails.
     *
     * @return success, or the {@code doca_error_t} of the failed command. That command is at {@link #position()}, and
     *     the next run begins with it
     */
    public final int run() {
        if (position == size) {
            return 0;
        }
        long outcome = run(position, size);
        position = (int) outcome;
        return (int) (outcome >>> Integer.SIZE);
    }

    /** Returns the index of the command with which the next run begins; {@link #size()} if all were run. */
    public final int position() {
        return position;
    }

    /** Makes the next run begin with the first command again. */
    public final void rewind() {
        position = 0;
    }

    /** Skips commands: the next run begins at the given position. */
    public final void skipTo(int newPosition) {
        position = newPosition;
    }

    /** Returns the name of the C function of the failed command, which is at {@link #position()}. */
    public final String failedFunction() {
        return switch (kind(position)) {
            case SUBMIT, RESET_AND_SUBMIT, AIM_AND_SUBMIT -> "doca_task_submit";
            case SUBMIT_FLAGS, RESET_AND_SUBMIT_FLAGS, AIM_AND_SUBMIT_FLAGS -> "doca_task_submit_ex";
            case SET_DATA -> "doca_buf_set_data";
            default -> throw new AssertionError("A function without a result cannot fail");
        };
    }

    /** Frees the memory. Closing twice does nothing. */
    @Override
    public final void close() {
        clear();
        records = NONE;
        free();
    }

    /** Runs a range of commands. The lower half of the result is the index where the run stopped, the upper half is the error code. */
    abstract long run(int from, int to);

    abstract void free();
}
