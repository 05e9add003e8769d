/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.lifecycle.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of a context. {@link Delivery} passes completions and events to it, and {@link EngineImpl} flushes
 * its deferred tasks before progress. Only the engine's thread calls, except for {@link #oldestInFlight()}.
 */
public interface EngineContext {

    String description();

    /** Returns the {@code struct doca_ctx *}. */
    long nativeContext();

    Resource resource();

    Activity activity();

    /** Returns the number of tasks in flight, without that of a submission that was cut short. */
    int countInFlight();

    /**
     * Returns when the oldest operation in flight was submitted, by the engine's clock; 0 if none is. Any thread may call.
     */
    long oldestInFlight();

    /**
     * Updates the statistics with the engine's time, and checks for operations that take too long.
     *
     * @param limit the time without a completion after which a warning is due, in nanoseconds
     * @return a warning, once for each time that the limit is exceeded; otherwise null
     */
    @Nullable
    String tick(long now, long limit);

    /** Returns whether the context is starting or stopping. */
    boolean isInTransition();

    /**
     * Returns whether the context may lose events while its engine is armed ({@code doca_pe_request_notification}). The engine then
     * polls.
     */
    boolean losesEventsWhenArmed();

    /**
     * Called when a task has failed.
     *
     * @param nativeTask the library's task, such as a {@code struct doca_dma_task_memcpy *}
     */
    void taskFailed(long userData, long nativeTask);

    /** Called when the SDK has changed the state from one {@code enum doca_ctx_states} to another. */
    void stateChanged(int previous, int next);

    /**
     * Called for an event of the library.
     *
     * @param number of its callback
     * @param object the address of the object concerned
     * @param userData of the object; 0 where the callback has none
     */
    void event(int number, long object, long userData);

    /** Submits all deferred tasks. Tasks that are still deferred are submitted again with the next progress. */
    void flushTasks();

    /** Submits waiting operations while tasks are free. */
    void submitWaiting();

    /** Stops the context, unless it has stopped. */
    void requestStop();

    /** Closes the context, and waits up to a timeout for its operations. */
    void close(long timeoutNanos);

    /** Fails all operations in flight and all other futures, because their completions will never be delivered. */
    void abandon(RuntimeException reason);
}
