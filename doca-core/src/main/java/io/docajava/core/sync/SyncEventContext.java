/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

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
 * <p>A {@link SyncEventOperation} runs in one of three forms. {@link #submit(SyncEventOperation)} returns a future. {@link
 * #submit(SyncEventOperation, Handler)} calls a handler and allocates nothing. {@link #task} returns a {@link
 * SyncEventTask}, which can be submitted many times, or run by a {@link io.docajava.core.graph.Graph}. A wait is in flight until
 * its condition holds or the context stops. Other operations can be submitted meanwhile, and may complete before it.
 *
 * <p>When the context stops, the event ends, also for processes that have imported it. {@link #restart()} creates a new event,
 * whose first value is 0 or the number in the caller's memory. Other processes need a new export.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits if no task of its type is free, whereas an
 * operation with a handler fails. Operations of different types do not wait for each other, so the operation that ends a wait may
 * be submitted after the wait.
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class SyncEventContext extends ContextBase {

    private final EventOrigin origin;
    private final EventObject object;
    private final Map<SyncEventTaskType, OperationPool> pools = new EnumMap<>(SyncEventTaskType.class);
    private final Map<SyncEventTaskType, WaitingLine> lines = new EnumMap<>(SyncEventTaskType.class);
    private final ContextCore core;
    private final OperationSink handlers = new Handlers();
    private final EngineLoop.OperationStart<Long> queued =
            (operation, context, completion) -> start((SyncEventOperation) operation, completion);

    SyncEventContext(
            Device device,
            EventOrigin origin,
            ProgressEngine engine,
            EventObject object,
            String description,
            Map<SyncEventTaskType, Integer> tasks,
            Duration closeTimeout) {
        super(device, engine);
        this.origin = origin;
        this.object = object;
        int index = 0;
        for (SyncEventTaskType type : SyncEventTaskType.values()) {
            int size = tasks.getOrDefault(type, 0);
            pools.put(type, EventOperations.pool(type, index, size, this, object));
            index += size;
        }
        this.core = new ContextCore(
                this, description, device, EngineImpl.of(engine), object, List.copyOf(pools.values()), closeTimeout);
        setCore(core);
        pools.keySet().forEach(type -> lines.put(type, core.openLine()));
    }

    /**
     * Begins to configure a context for an event that a process on the other side of the PCI bus has exported ({@code
     * doca_sync_event_create_from_export}).
     *
     * @param device of this side, which cannot be closed before the context
     * @param export the result of {@link SyncEvent#exportPci} or {@link #exportPci} in the other process
     * @return a builder, which imports the event when the context is started
     * @throws IllegalArgumentException if the export is for RDMA
     */
    public static SyncEventContextBuilder fromExport(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        return new SyncEventContextBuilder(device, SyncEvent.imported(export));
    }

    /**
     * Returns the number of operations of a type that can be in flight at the same time.
     *
     * @param type of the tasks
     * @return the number that the builder was set to; 0 for a type that the device does not support
     */
    public int maxTasks(SyncEventTaskType type) {
        Objects.requireNonNull(type, "type");
        return pool(type).size();
    }

    /**
     * Submits an operation and returns a future. If the context is on a loop, any thread may call.
     *
     * @param operation of a type that this context has tasks for
     * @return a future of the operation's result, as in {@link SyncEventOperation}. It fails with a {@link TaskFailedException}
     *     if the task fails, a {@link ContextNotRunningException} if the context is not running, a {@link
     *     ResourceExhaustedException} if no task is free, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalStateException if the context is closed or has no tasks of this type, the event's memory was freed, or the
     *     calling thread is not the engine's and the context is not on a loop
     * @throws RejectedExecutionException if the context is on a loop that does not accept the operation
     */
    public Completion<Long> submit(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        EngineLoop loop = core.loopOrCheck();
        object.event().checkMemory();
        checkOffered(operation.type());
        if (loop != null) {
            return loop.enqueue(queued, operation, this);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(operation, completion);
        return completion;
    }

    /** Starts an operation on the engine's thread, also one that another thread has queued. */
    private void start(SyncEventOperation operation, Completion<Long> completion) {
        SyncEventTaskType type = operation.type();
        core.checkOpen();
        object.event().checkMemory();
        OperationPool pool = pool(type);
        WaitingLine line = Objects.requireNonNull(lines.get(type));
        line.start(
                pool,
                null,
                null,
                null,
                null,
                completion,
                () -> take(operation).submit(OperationSink.future(), completion));
    }

    /**
     * Submits an operation that calls a handler when it has ended. This allocates nothing. On the engine of a loop, it does not
     * wait for a free task.
     *
     * @param operation of a type that this context has tasks for
     * @param handler called once by the engine's thread, unless this method throws
     * @throws ResourceExhaustedException if no task is free
     * @throws ContextNotRunningException if the context is not running
     * @throws IllegalStateException if the context is closed or has no tasks of this type, the event's memory was freed, or the
     *     calling thread is not the engine's
     * @throws DocaException if the SDK refuses the task
     */
    public void submit(SyncEventOperation operation, Handler<? super SyncEventEnd> handler) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(handler, "handler");
        checkUsable();
        checkOffered(operation.type());
        take(operation).submit(handlers, handler);
    }

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph.
     *
     * @param operation of the first submission; later ones may have other operations of the same type
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks}
     * @throws IllegalStateException if the context is closed or has no tasks of this type, or the calling thread is not the
     *     engine's
     * @throws ResourceExhaustedException if no task is free
     */
    public SyncEventTask task(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        core.checkUsable();
        checkOffered(operation.type());
        return new SyncEventTask(core, take(operation), operation.type());
    }

    /** Throws if operations cannot be submitted now. */
    private void checkUsable() {
        core.checkRunning();
        object.event().checkMemory();
    }

    private void checkOffered(SyncEventTaskType type) {
        if (pool(type).size() == 0) {
            throw new IllegalStateException("The " + this + " has no tasks to " + type.words()
                    + ": it was built without them, or its device does not offer them");
        }
    }

    private Operation take(SyncEventOperation operation) {
        return pool(operation.type()).take().numbers(operation.number(), operation.mask());
    }

    private OperationPool pool(SyncEventTaskType type) {
        return Objects.requireNonNull(pools.get(type));
    }

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
    public SyncEventExport exportPci(Device exporting) {
        Objects.requireNonNull(exporting, "exporting");
        return core.onItsThread("exported", () -> {
            checkExport(SyncLocation.REMOTE_PCI);
            SyncEvent.checkOwn("The " + this, device(), exporting);
            return SyncEvent.export(
                    SyncEventExport.Kind.PCI, object.event().exportPci(DeviceImpl.address(exporting)), this);
        });
    }

    /**
     * Exports the event to RDMA peers ({@code doca_sync_event_export_to_remote_net}). They can use it as a {@link RemoteSyncEvent}
     * until the context is restarted or closed. This exports a second event with the same value ({@code doca_sync_event_start}),
     * because release 2.5 crashes the process when it exports an event that runs as a context.
     *
     * @return the export; a peer needs a connection to this process to use it
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is not a location of the event, the event is imported, the
     *     context is closed, or the event's memory was freed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because the device does not support it
     */
    public SyncEventExport exportRdma() {
        return core.onItsThread("exported", () -> {
            checkExport(SyncLocation.REMOTE_NET);
            return SyncEvent.export(SyncEventExport.Kind.RDMA, object.exportRdma(), this);
        });
    }

    private void checkExport(SyncLocation location) {
        checkUsable();
        origin.checkExport("The " + this, location);
    }

    /**
     * Starts the event again ({@code doca_ctx_start}), as {@link Context#restart()} does. Release 2.5 cannot do that: close the
     * context and create a new one.
     *
     * @throws IllegalStateException if the SDK starts an event only once, in which case the context is idle and can be closed;
     *     also for the reasons of {@link Context#restart()}
     */
    @Override
    public void restart() {
        try {
            core.restart();
        } catch (DocaCallException e) {
            if (e.error() == DocaError.BAD_STATE && state() == ContextState.IDLE) {
                throw new IllegalStateException(
                        this
                                + " cannot be started again: the SDK starts a sync event only once. Close it and make a new"
                                + " one",
                        e);
            }
            throw e;
        }
    }

    /** Calls the receivers of operations, which are handlers. */
    private final class Handlers implements OperationSink {

        private final SyncEventEnd end = new SyncEventEnd(SyncEventContext.this);

        @Override
        public void succeeded(Operation operation) {
            pass(operation, operation.result(), null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            pass(operation, 0, failure);
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of operations of events
        private void pass(Operation operation, long result, @Nullable TaskFailedException failure) {
            end.set(EventOperations.type(operation), result);
            ((Handler<? super SyncEventEnd>) operation.receiver()).ended(end, failure);
        }
    }

    /** {@return the kind of the context and the name of the device} Any thread may call. */
    @Override
    public String toString() {
        return description();
    }
}
