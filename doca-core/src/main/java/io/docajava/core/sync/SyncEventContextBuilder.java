/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.context.ContextBuilder;
import io.docajava.core.internal.sync.SyncEventContextBuilderImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.concurrent.RejectedExecutionException;

/** Configures the tasks of a {@link SyncEventContext} and starts it. Not safe for use by several threads at once. */
public sealed interface SyncEventContextBuilder extends ContextBuilder<SyncEventContextBuilder>
        permits SyncEventContextBuilderImpl {

    /**
     * Sets the maximum number of tasks of each type in flight; 16 by default. {@link #maxTasks(SyncEventTaskType, int)} overrides
     * it for one type. A type that the device does not support has no tasks.
     *
     * @param tasks the number of tasks of a type, 1 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    SyncEventContextBuilder maxTasks(int tasks);

    /**
     * Sets the maximum number of tasks of one type in flight ({@code doca_sync_event_task_..._set_conf}).
     *
     * @param type of the tasks
     * @param tasks the number of tasks; 0 if the program does not use the type. With more than 0, {@link #start} fails if the
     *     device does not support the type. Release 2.5 does not start a context in which all types have 0
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is negative
     */
    SyncEventContextBuilder maxTasks(SyncEventTaskType type, int tasks);

    /**
     * Creates the event and starts it as a context ({@code doca_sync_event_create} or {@code doca_sync_event_create_from_export},
     * {@code doca_sync_event_task_..._set_conf}, {@code doca_sync_event_as_ctx}, {@code doca_pe_connect_ctx}, {@code
     * doca_ctx_start}).
     *
     * @param engine that progresses the context; its thread calls this method
     * @return the running context, to be closed by the engine's thread
     * @throws IllegalArgumentException if the device does not support a type that {@link #maxTasks(SyncEventTaskType, int)} was
     *     called for, or no type has tasks
     * @throws IllegalStateException if the device or the engine is closed, the calling thread is not the engine's, or the event's
     *     memory was freed
     * @throws DocaException if the SDK refuses
     */
    SyncEventContext start(ProgressEngine engine);

    /**
     * Creates the event and starts it as a context on a loop. Any thread may call, except for that of another loop. Any thread may
     * then submit operations with a future, and stop, restart and close the context.
     *
     * @param loop that progresses the context, and closes it at the end unless it is closed before
     * @return the running context
     * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
     * @throws IllegalStateException if the device is closed, the event's memory was freed, or the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     * @throws DocaException as {@link #start(ProgressEngine)}
     */
    SyncEventContext start(ProgressLoop loop);
}
