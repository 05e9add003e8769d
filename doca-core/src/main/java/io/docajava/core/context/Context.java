/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A unit of DOCA that takes tasks, {@code struct doca_ctx}: one library's work on one device, driven by one engine.
 *
 * <p>A context is running when it is handed out. It leaves that state when {@link #stop()} is called, and by itself
 * when a task fails in a way that the device cannot go on from; then all tasks in flight fail, further ones are refused
 * with a {@link ContextNotRunningException}, and {@link #restart()} makes the context usable again. Each failed
 * task has a {@link TaskFailedException} that says whether it was the root cause.
 *
 * <p>It belongs to the thread of its engine. A call by another thread is refused with an {@link IllegalStateException}
 * that names both; {@link #state()}, {@link #failure()}, {@link #stats()}, {@link #device()} and {@link #engine()} are the exceptions. Completion
 * callbacks and listeners may call all methods except those that wait, which are {@link #drain(Duration)} and, while tasks are in
 * flight, {@link #restart()}.
 */
public interface Context extends AutoCloseable {

    /** The device that does the work. */
    Device device();

    /** The engine that drives the context. */
    ProgressEngine engine();

    /** The state now ({@code doca_ctx_get_state}, as of the last call or progress). Any thread may ask. */
    ContextState state();

    /**
     * The failure that made the context stop by itself, until it is restarted. Empty while it runs, after a deliberate
     * stop, and if the SDK reported none. A listener that learns of the stop can find it here. Any thread may ask.
     */
    Optional<TaskFailedException> failure();

    /** Returns the number of tasks in flight: submitted, and their completions not delivered yet. */
    int inFlight();

    /** Returns what the context has done since it was created, and does now. Any thread may call, at any time; also after close. */
    ContextStats stats();

    /** Adds a listener, called after those added before. One that was added already is not added again. */
    void addListener(ContextListener listener);

    /** Removes a listener, if it is there. */
    void removeListener(ContextListener listener);

    /**
     * Begins to stop ({@code doca_ctx_stop}) and returns at once. Without tasks in flight the context is idle then.
     * Else it is {@link ContextState#STOPPING}, and progress ends all of them, those that the device has not carried
     * out with a failure, before the context becomes idle. Does nothing when the context is not running.
     *
     * <p>A graph that runs keeps its tasks until the run has ended: with one of them on this context it stays {@link
     * ContextState#STOPPING} that long. If another node of that graph waits, for a sync event for example, it is up to the
     * program to end that: by a change of the event, or by stopping the event's context.
     *
     * @throws IllegalStateException if the context is closed
     * @throws DocaException if the SDK refuses
     */
    void stop();

    /**
     * Progresses until no task is in flight, which includes tasks that callbacks submit meanwhile.
     *
     * @param timeout how long at most; the tasks stay in flight when it has passed
     * @throws TimeoutException if tasks were still in flight then; the message says what they do
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the context is closed, or when called by a callback
     */
    void drain(Duration timeout) throws TimeoutException, InterruptedException;

    /**
     * Starts a stopped context again ({@code doca_ctx_start}). One that is still stopping is progressed until it is
     * idle first. Reusable tasks and listeners stay.
     *
     * <p>An engine slows down with the number of starts; see {@link ProgressEngine}.
     *
     * @throws IllegalStateException if the context is running or closed, or if a callback calls while it is not idle
     * @throws DocaException if the context did not become idle in time, or the SDK cannot start it
     */
    void restart();

    /**
     * Stops, progresses until all tasks in flight have ended and the context is idle, frees its tasks and destroys it.
     * A second call does nothing.
     *
     * <p>Called by a callback while tasks are in flight it cannot wait: the context then takes no more tasks, and the
     * engine closes it when the last of them has ended.
     *
     * @throws DocaException if the tasks did not end within the context's close timeout, with a message that has their number and
     *     what they do, or if the SDK refuses; the context can be closed again
     */
    @Override
    void close();
}
