/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A context ({@code struct doca_ctx}) takes the tasks of one DOCA library for one device. One engine progresses it.
 *
 * <p>A builder returns a running context. The context stops when {@link #stop()} is called, and by itself when a task fails with
 * an error from which the device cannot recover. Then all tasks in flight fail, and new ones are refused with a {@link
 * ContextNotRunningException} until {@link #restart()} makes the context usable again. Each failed task has a {@link
 * TaskFailedException}, which distinguishes the root cause from aborted tasks.
 *
 * <p>A context belongs to the thread of its engine. Calls by another thread throw an {@link IllegalStateException} that names
 * both threads. Any thread may call {@link #state()}, {@link #failure()}, {@link #stats()}, {@link #device()} and {@link
 * #engine()}. If the engine belongs to a {@link io.docajava.core.progress.ProgressLoop}, any thread may also call {@link #stop()},
 * {@link #restart()} and {@link #close()}, and the forms of operations that return a future. Completion callbacks and listeners
 * may call all methods except those that wait, which are {@link #drain(Duration)} and, while tasks are in flight, {@link
 * #restart()}. Only doca-java's modules implement this interface.
 */
public interface Context extends AutoCloseable {

    /** {@return the device that executes the tasks, which cannot be closed before this context} Any thread may call. */
    Device device();

    /** {@return the engine that progresses this context and whose thread owns it} Any thread may call. */
    ProgressEngine engine();

    /** {@return the state as of the last call or round of progress ({@code doca_ctx_get_state})} Any thread may call. */
    ContextState state();

    /**
     * Returns the failure that made the context stop by itself. It is set before listeners are notified of the stop, and cleared
     * by a restart. Any thread may call.
     *
     * @return the root cause; empty while the context is running, after a deliberate stop, and if the SDK reported no failure
     */
    Optional<TaskFailedException> failure();

    /**
     * {@return the number of submitted tasks whose completions have not been delivered yet}
     *
     * @throws IllegalStateException if the context is closed
     */
    int inFlight();

    /**
     * {@return a snapshot of the operations of this context, since it was created and at present} Any thread may call, also after
     * close.
     */
    ContextStats stats();

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener to be called by the engine's thread until it is removed; if it was added before, nothing changes
     * @throws IllegalStateException if the context is closed
     */
    void addListener(ContextListener listener);

    /**
     * Removes a listener. If listeners are being notified of a change, this listener may still be called for that change.
     *
     * @param listener that was added; nothing changes if it was not
     * @throws IllegalStateException if the context is closed
     */
    void removeListener(ContextListener listener);

    /**
     * Begins to stop the context ({@code doca_ctx_stop}) and returns at once. Without tasks in flight the context is then idle.
     * With tasks in flight it is {@link ContextState#STOPPING} until progress has ended all of them; tasks that the device has
     * not executed fail. Does nothing if the context is not running.
     *
     * <p>The tasks of a running graph stay in flight until the run has ended, so a context with one of them stays {@link
     * ContextState#STOPPING} until then. If another node of the graph waits, for a sync event for example, the program has to end
     * that wait by changing the event or stopping its context.
     *
     * @throws IllegalStateException if the context is closed
     * @throws DocaException if the SDK refuses
     */
    void stop();

    /**
     * Progresses until no task is in flight, including tasks that callbacks submit meanwhile.
     *
     * @param timeout the longest time to wait; 0 or less means one round of progress
     * @throws TimeoutException if tasks are still in flight after that time; they stay in flight, and the message describes them
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the context is closed, or when called by a callback
     */
    void drain(Duration timeout) throws TimeoutException, InterruptedException;

    /**
     * Starts a stopped context again ({@code doca_ctx_start}). If the context is still stopping, this progresses until it is
     * idle, for at most the context's close timeout. Prepared tasks and listeners stay.
     *
     * <p>Each start makes the engine slightly slower; see {@link ProgressEngine}.
     *
     * @throws IllegalStateException if the context is running or closed, or if called by a callback while it is not idle
     * @throws DocaException if the context did not become idle in time, or the SDK cannot start it
     */
    void restart();

    /**
     * Stops the context, progresses until all tasks in flight have ended and the context is idle, frees its tasks and destroys
     * it. A second call does nothing.
     *
     * <p>If called by a callback while tasks are in flight, this returns without waiting: the context accepts no more tasks, and
     * the engine closes it when the last task has ended.
     *
     * @throws DocaException if the tasks did not end within the context's close timeout, in which case the message describes
     *     them, or if the SDK refuses; the context can be closed again
     */
    @Override
    void close();
}
