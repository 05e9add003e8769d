/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.internal.lifecycle.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A context, as its engine sees it: the engine delivers to it what the SDK has recorded, and has it submit what it holds back before
 * progress. But for {@link #stats()}, all is called by the engine's thread.
 */
public interface EngineContext {

    /** Returns the name of the context in messages. */
    String description();

    /** Returns whether it is the inside of a context. */
    boolean isOf(Context context);

    /** Returns the {@code struct doca_ctx *}. */
    long nativeContext();

    /** Returns the resource of the context. */
    Resource resource();

    /** Returns the numbers of its operations. */
    Activity activity();

    /** Returns the numbers of the context. Any thread may call. */
    ContextStats stats();

    /**
     * Takes note of the time.
     *
     * @param limit how long operations may be in flight without that one completes, in nanoseconds
     * @return a warning if that has been so for longer, and was not returned before
     */
    @Nullable
    String tick(long now, long limit);

    /** Returns whether the context is starting or stopping. */
    boolean isInTransition();

    /**
     * Refuses calls that only a running context supports, by what the SDK says now.
     *
     * @throws ContextNotRunningException if the context is not running
     */
    void checkRunningNow();

    /** A task has completed, or the last one of a series. */
    void taskSucceeded(long userData);

    /**
     * A task has failed.
     *
     * @param nativeTask the task of its library, such as a {@code struct doca_dma_task_memcpy *}
     */
    void taskFailed(long userData, long nativeTask);

    /** The state has changed. */
    void stateChanged(ContextState previous, ContextState next);

    /**
     * An event of the library's own has come.
     *
     * @param number of its callback
     * @param object what it is about
     * @param userData of the object; 0 where the callback has none
     */
    void event(int number, long object, long userData);

    /** Submits the tasks that a batch holds back. */
    void flushBatch();

    /** Submits operations that wait, as long as tasks are free. */
    void submitWaiting();

    /** Stops the context, unless it has stopped. */
    void requestStop();

    /** Closes the context, and waits for its operations within a time. */
    void close(long timeoutNanos);

    /** Gives up all operations in flight, as their end will never be known. */
    void abandon(RuntimeException reason);
}
