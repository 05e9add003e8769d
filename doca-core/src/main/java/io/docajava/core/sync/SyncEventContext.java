/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.sync.SyncEventContextImpl;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.concurrent.RejectedExecutionException;

/**
 * A sync event whose operations are tasks of a {@link ProgressEngine} ({@code struct doca_sync_event} as a context). It has the
 * operations of a {@link SyncEvent}. {@link SyncEventBuilder#tasks()} creates one, and {@link #fromExport} imports one from
 * another process.
 *
 * {@snippet :
 * SyncEventContext event = SyncEvent.builder(device)
 *         .publisher(SyncLocation.REMOTE_PCI)
 *         .subscriber(SyncLocation.CPU)
 *         .tasks()
 *         .start(engine);
 * event.submit(SyncEventOperation.waitEqual(1)).await();
 * }
 *
 * <p>A context belongs to the thread of its engine, as {@link Context} describes. On a loop, any thread may export the event and
 * submit operations with a future.
 *
 * <p>A {@link SyncEventOperation} runs in one of three forms. {@link #submit(SyncEventOperation)} returns a future. {@link
 * #submit(SyncEventOperation, Handler)} calls a handler and allocates nothing. {@link #task} returns a {@link
 * SyncEventTask}, which can be submitted many times, or run by a {@link io.docajava.core.graph.Graph}. A wait is in flight until
 * its condition holds or the context stops. Other operations can be submitted meanwhile, and may complete before it.
 *
 * <p>When the context stops, the event ends, also for processes that have imported it. The SDK starts an event only once: a program
 * that needs another one closes the context and creates a new one.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits if no task of its type is free, whereas an
 * operation with a handler fails. Operations of different types do not wait for each other, so the operation that ends a wait may
 * be submitted after the wait.
 */
public sealed interface SyncEventContext extends Context permits SyncEventContextImpl {

    /**
     * Begins to configure a context for an event that a process on the other side of the PCI bus has exported ({@code
     * doca_sync_event_create_from_export}).
     *
     * @param device of this side, which cannot be closed before the context
     * @param export the result of {@link SyncEvent#exportPci} or {@link #exportPci} in the other process
     * @return a builder, which imports the event when the context is started
     * @throws IllegalArgumentException if the export is for RDMA
     */
    static SyncEventContextBuilder fromExport(Device device, SyncEventExport export) {
        return SyncEventContextImpl.fromExport(device, export);
    }

    /**
     * Returns the number of operations of a type that can be in flight at the same time.
     *
     * @param type of the tasks
     * @return the number that the builder was set to; 0 for a type that the device does not support
     */
    int maxTasks(SyncEventTaskType type);

    /**
     * Submits an operation and returns a future. If the context is on a loop, any thread may call.
     *
     * @param operation of a type that this context has tasks for
     * @return a future of the operation's result, as in {@link SyncEventOperation}. It fails with a {@link TaskFailedException}
     *     if the task fails, a {@link ContextNotRunningException} if the context is not running, a {@link
     *     ResourceExhaustedException} if no task is free, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalStateException if the context is closed or has no tasks of this type, or the event's memory was freed
     * @throws RejectedExecutionException if the context is on a loop that does not accept the operation
     */
    Completion<Long> submit(SyncEventOperation operation);

    /**
     * Submits an operation that calls a handler when it has ended. This allocates nothing. On the engine of a loop, it does not
     * wait for a free task.
     *
     * @param operation of a type that this context has tasks for
     * @param handler called once by the engine's thread, unless this method throws
     * @throws ResourceExhaustedException if no task is free
     * @throws ContextNotRunningException if the context is not running
     * @throws IllegalStateException if the context is closed or has no tasks of this type, or the event's memory was freed
     * @throws DocaException if the SDK refuses the task
     */
    void submit(SyncEventOperation operation, Handler<? super SyncEventEnd> handler);

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph.
     *
     * @param operation of the first submission; later ones may have other operations of the same type
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks}
     * @throws IllegalStateException if the context is closed or has no tasks of this type
     * @throws ResourceExhaustedException if no task is free
     */
    SyncEventTask task(SyncEventOperation operation);

    /**
     * Exports the event to processes on the other side of the PCI bus ({@code doca_sync_event_export_to_remote_pci}). They can
     * import it until the context stops.
     *
     * @param exporting the event's {@link #device()}
     * @return the export, to be imported by {@link SyncEvent#fromExport} or {@link #fromExport}
     * @throws IllegalArgumentException if {@code exporting} is another device
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_PCI} is not a location of the event, the event is imported, the
     *     device or the context is closed, or the event's memory was freed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
    SyncEventExport exportPci(Device exporting);

    /**
     * Exports the event to RDMA peers ({@code doca_sync_event_export_to_remote_net}). They can use it as a {@link RemoteSyncEvent}
     * until the context is closed. This exports a second event with the same value ({@code doca_sync_event_start}),
     * because release 2.5 crashes the process when it exports an event that runs as a context.
     *
     * @return the export; a peer needs a connection to this process to use it
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is not a location of the event, the event is imported, the
     *     context is closed, or the event's memory was freed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
    SyncEventExport exportRdma();

    /**
     * Refuses to start the event again, because the SDK starts an event only once. Close the context and create a new one.
     *
     * @throws IllegalStateException always
     */
    @Override
    void restart();
}
