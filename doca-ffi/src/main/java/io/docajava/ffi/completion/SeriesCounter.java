/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.internal.UncheckedMemory;
import java.lang.foreign.Arena;

/**
 * Counts the completions of a series of tasks that were submitted together, in the callbacks ({@code struct
 * docajava_series} in C). The queue gets a record of each failure, and one {@link CompletionQueue#TASK_SUCCEEDED} when
 * all tasks have ended. The owner of the series creates the counter and sets it before each submission.
 *
 * <p>Only one thread at a time may use it. It must not be closed while a task of the series is in flight.
 */
public final class SeriesCounter implements AutoCloseable {

    /** Marks the user data of tasks of a series. */
    private static final long OF_SERIES = Long.MIN_VALUE;

    private static final long LEFT = 0;
    private static final long USER_DATA = 8;
    private static final long SIZE = 16;

    /** Shared, because another thread than the one that created the counter may close it. */
    private final Arena arena;

    private final long address;
    private boolean closed;

    /** Creates a counter with value 0. */
    public SeriesCounter() {
        arena = Arena.ofShared();
        try {
            address = arena.allocate(SIZE, Long.BYTES).address();
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /** Returns the user data for the native tasks of the series. */
    public long taskData() {
        return OF_SERIES | address;
    }

    /** Sets the user data of the records; not negative. */
    public void setUserData(long userData) {
        checkOpen();
        UncheckedMemory.setLong(address + USER_DATA, userData);
    }

    /**
     * Sets the number of tasks in flight. Called before they are submitted, while no native code runs that counts
     * completions.
     */
    public void setLeft(long tasks) {
        checkOpen();
        UncheckedMemory.setLong(address + LEFT, tasks);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }

    /** Returns whether a task with this user data belongs to a series. */
    static boolean isOfSeries(long taskData) {
        return taskData < 0;
    }

    /** Counts the end of a task, and returns whether it was the last one. */
    static boolean endsWithOneMore(long taskData) {
        long at = (taskData & ~OF_SERIES) + LEFT;
        long left = UncheckedMemory.getLong(at) - 1;
        UncheckedMemory.setLong(at, left);
        return left == 0;
    }

    /** Returns the user data of the records. */
    static long userData(long taskData) {
        return UncheckedMemory.getLong((taskData & ~OF_SERIES) + USER_DATA);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The counter of a series is closed");
        }
    }
}
