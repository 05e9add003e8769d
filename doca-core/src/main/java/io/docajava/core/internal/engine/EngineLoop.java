/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.DocaException;
import io.docajava.core.progress.Completion;
import java.util.concurrent.RejectedExecutionException;

/** The loop that owns an engine, as the contexts of that engine see it. Any thread may call. */
public interface EngineLoop {

    /** Returns the name of the loop. */
    String getName();

    /** Adds a room for operations of one kind; {@code owner} names the context in messages. */
    LoopRoom addRoom(String owner);

    /**
     * Queues an operation of two operands that the thread of the loop starts.
     *
     * @param room where the operation takes a place until it has started
     * @param start starts the operation
     * @return the future of the operation
     * @throws RejectedExecutionException as {@link io.docajava.core.progress.ProgressLoop#call} does
     */
    <T> Completion<T> enqueue(LoopRoom room, OperationStart<T> start, Object first, Object second);

    /**
     * Runs work on the thread of the loop, and waits until it has run. A full queue accepts it.
     *
     * @param attempt says what would not be possible, for a refusal: {@code "DMA context on ... cannot be stopped"}
     * @param timeoutNanos how long the work may take to begin, a second at least; then it has twice that time to end
     * @throws RejectedExecutionException if the loop is closed or has failed; the work does not run
     * @throws IllegalStateException if the thread of another loop calls
     * @throws DocaException if the thread of the loop is busy for too long. Work that has not begun does not run later
     * @throws RuntimeException that the work throws
     */
    void run(String attempt, Runnable work, long timeoutNanos);

    /** Waits until the thread of a loop that is closed or has failed has ended. Returns whether it has. */
    boolean awaitEnd(long timeoutNanos);

    /** Starts the operations of a context that other threads have queued, on the thread of the loop. */
    @FunctionalInterface
    interface OperationStart<T> {

        /** Starts an operation, whose end completes the future. An exception that this throws fails the future. */
        void start(Object first, Object second, Completion<T> completion);
    }
}
