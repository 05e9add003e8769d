/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.internal.UncheckedMemory;
import java.lang.foreign.Arena;

/**
 * Counts the completions of tasks that were submitted together where they arrive: the queue has a record of each failure,
 * and {@link CompletionQueue#TASK_SUCCEEDED} when all have ended. {@code struct docajava_series} in C.
 *
 * <p>It is used by one thread at a time, and closed when no task that leads to it is in flight.
 */
public final class SeriesCounter implements AutoCloseable {

    /** Marks the user data of tasks of a series. */
    private static final long OF_SERIES = Long.MIN_VALUE;

    private static final long LEFT = 0;
    private static final long USER_DATA = 8;
    private static final long SIZE = 16;

    /** Shared, because another thread than the one that made it may close it. */
    private final Arena arena = Arena.ofShared();

    private final long address = arena.allocate(SIZE, Long.BYTES).address();
    private boolean closed;

    /** Makes a counter at 0. */
    public SeriesCounter() {}

    /** The user data for the native tasks of the series. */
    public long taskData() {
        return OF_SERIES | address;
    }

    /** Sets the user data that records have; not negative. */
    public void setUserData(long userData) {
        checkOpen();
        UncheckedMemory.setLong(address + USER_DATA, userData);
    }

    /** Sets how many tasks are in flight, or about to be; while no native code runs that may count. */
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

    /** Returns whether a task with this user data is one of a series. */
    static boolean isOfSeries(long taskData) {
        return taskData < 0;
    }

    /** A task has ended; whether it was the last one. */
    static boolean endsWithOneMore(long taskData) {
        long at = (taskData & ~OF_SERIES) + LEFT;
        long left = UncheckedMemory.getLong(at) - 1;
        UncheckedMemory.setLong(at, left);
        return left == 0;
    }

    /** The user data of records. */
    static long userData(long taskData) {
        return UncheckedMemory.getLong((taskData & ~OF_SERIES) + USER_DATA);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The counter of a series is closed");
        }
    }
}
