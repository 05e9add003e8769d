/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A sync event that is used by tasks of a {@link ProgressEngine}, {@code struct doca_sync_event} as a context: what a {@link
 * SyncEvent} does by calls. It is made by {@link SyncEventBuilder#tasks()}, or of another process' export by {@link
 * #fromExport}.
 *
 * {@snippet :
 * SyncEventContext event = SyncEvent.builder(device)
 *         .publisher(SyncLocation.REMOTE_PCI)
 *         .subscriber(SyncLocation.CPU)
 *         .tasks()
 *         .start(engine);
 * event.submit(SyncEventOperation.waitEqual(1)).await(engine);
 * }
 *
 * <p>A {@link SyncEventOperation} runs in one of three forms: {@link #submit(SyncEventOperation)} returns a future, {@link
 * #submit(SyncEventOperation, SyncEventHandler)} calls a handler and allocates nothing, and {@link #task} returns a {@link
 * SyncEventTask}, which is submitted again and again, or run by a {@link io.docajava.core.graph.Graph}. A wait is in flight until
 * the event has its value, or the context stops; other operations can be submitted meanwhile, and end before it.
 *
 * <p>When the context stops, the event ends: processes that have imported it lose it, and after a {@link #restart()} it is a new
 * one, which begins with 0 or what is in the memory of the user, and is to be exported anew.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits when no task of its type is free; one with a handler
 * does not wait. Types do not wait for one another: the operation that a wait needs may be submitted after it.
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class SyncEventContext extends ContextBase {

    private final Device device;
    private final EventOrigin origin;
    private final ProgressEngine engine;
    private final EventObject object;
    private final Map<SyncEventTaskType, OperationPool> pools = new EnumMap<>(SyncEventTaskType.class);
    private final Map<SyncEventTaskType, WaitingLine> lines = new EnumMap<>(SyncEventTaskType.class);
    private final ContextCore core;
    private final OperationSink handlers = new Handlers();

    SyncEventContext(
            Device device,
            EventOrigin origin,
            ProgressEngine engine,
            EventObject object,
            String description,
            Map<SyncEventTaskType, Integer> tasks,
            Duration closeTimeout) {
        super(device, engine);
        this.device = device;
        this.origin = origin;
        this.engine = engine;
        this.object = object;
        List<OperationPool> all = new ArrayList<>();
        int index = 0;
        for (SyncEventTaskType type : SyncEventTaskType.values()) {
            int size = tasks.getOrDefault(type, 0);
            OperationPool pool = EventOperations.pool(type, index, size, this, object);
            pools.put(type, pool);
            all.add(pool);
            index += size;
        }
        this.core = new ContextCore(this, description, device, EngineAccess.core(engine), object, all, closeTimeout);
        inside(core);
        pools.keySet().forEach(type -> lines.put(type, core.openLine()));
    }

    /**
     * Configures the tasks for an event of a process on the other side of the PCI bus, which has exported it ({@code
     * doca_sync_event_create_from_export}).
     *
     * @param device of this side
     * @param export made by {@link SyncEvent#exportPci} or {@link #exportPci}
     * @throws IllegalArgumentException if it is one for RDMA
     */
    public static SyncEventContextBuilder fromExport(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        return new SyncEventContextBuilder(device, SyncEvent.imported(export));
    }

    /** Returns the number of tasks of a type. */
    public int maxTasks(SyncEventTaskType type) {
        Objects.requireNonNull(type, "type");
        return pool(type).size();
    }

    /**
     * Starts an operation.
     *
     * @return completes with the result of the operation; with a {@link TaskFailedException}; with a {@link
     *     ContextNotRunningException}; with a {@link ResourceExhaustedException} if no task is free; or with another {@link
     *     DocaException} if the SDK refuses the task
     */
    public Completion<Long> submit(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        SyncEventTaskType type = operation.type();
        core.checkUsable();
        object.event().checkMemory();
        checkOffered(type);
        Completion<Long> completion = EngineAccess.completion(engine);
        OperationPool pool = pool(type);
        WaitingLine line = Objects.requireNonNull(lines.get(type));
        return line.start(
                pool,
                null,
                null,
                null,
                null,
                completion,
                () -> take(operation).submit(OperationSink.future(), completion));
    }

    /**
     * Starts an operation that calls a handler when it has ended, and allocates nothing. On the engine of a loop it does not wait
     * for a free task.
     *
     * @throws ResourceExhaustedException if no task is free
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the task
     */
    public void submit(SyncEventOperation operation, SyncEventHandler handler) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(handler, "handler");
        checkUsable(operation.type());
        take(operation).submit(handlers, handler);
    }

    /**
     * Takes a task that can be submitted any number of times, or run by a graph, and belongs to the caller until it is closed.
     *
     * @throws IllegalStateException if the context is closed or has no such tasks
     * @throws ResourceExhaustedException if no task is free
     */
    public SyncEventTask task(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        core.checkUsable();
        checkOffered(operation.type());
        return new SyncEventTask(core, take(operation), operation.type());
    }

    /** Refuses what cannot be submitted now. */
    void checkUsable() {
        core.checkRunning();
        object.event().checkMemory();
    }

    private void checkUsable(SyncEventTaskType type) {
        checkUsable();
        checkOffered(type);
    }

    private void checkOffered(SyncEventTaskType type) {
        if (pool(type).size() == 0) {
            throw new IllegalStateException("The " + this + " has no tasks to " + type.words()
                    + ": its builder was told so, or its device does not offer them");
        }
    }

    private Operation take(SyncEventOperation operation) {
        return pool(operation.type()).take().numbers(operation.number(), operation.mask());
    }

    private OperationPool pool(SyncEventTaskType type) {
        return Objects.requireNonNull(pools.get(type));
    }

    ContextCore core() {
        return core;
    }

    /**
     * Lets processes on the other side of the PCI bus take part, as {@link SyncEvent#exportPci} does.
     *
     * @param exporting the event's device
     * @throws IllegalArgumentException if it is another one
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_PCI} is none of the locations, the event is another
     *     process', or the device is closed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public SyncEventExport exportPci(Device exporting) {
        Objects.requireNonNull(exporting, "exporting");
        checkExport(SyncLocation.REMOTE_PCI);
        SyncEvent.checkOwn("The " + this, device, exporting);
        return SyncEventExport.of(SyncEventExport.Kind.PCI, object.event().exportPci(Handles.address(exporting)));
    }

    /**
     * Lets peers by RDMA change the event, as {@link SyncEvent#exportRdma} does. What is exported is a second event with the same
     * value, used by calls ({@code doca_sync_event_start}, {@code doca_sync_event_export_to_remote_net}): release 2.5 ends the
     * process when it exports an event that runs as a context. Peers can change it until the context is restarted or closed.
     *
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is none of the locations, the event is another
     *     process'
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example a device that cannot
     */
    public SyncEventExport exportRdma() {
        checkExport(SyncLocation.REMOTE_NET);
        return SyncEventExport.of(SyncEventExport.Kind.RDMA, object.exportRdma());
    }

    private void checkExport(SyncLocation location) {
        checkUsable();
        origin.checkExport("The " + this, location);
    }

    /**
     * Starts the event again ({@code doca_ctx_start}), as {@link Context#restart()} does. Release 2.5 cannot: close the context
     * there, and make a new one.
     *
     * @throws IllegalStateException if the SDK starts an event only once; the context is idle then, and can be closed
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

    /** Calls the receivers of operations, which are {@link SyncEventHandler}s. */
    private final class Handlers implements OperationSink {

        @Override
        public void succeeded(Operation operation) {
            ((SyncEventHandler) operation.receiver()).succeeded(SyncEventContext.this, operation.result());
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            ((SyncEventHandler) operation.receiver()).failed(SyncEventContext.this, failure);
        }
    }
}
