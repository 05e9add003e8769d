/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.EngineAccess;
import io.docajava.core.internal.context.Operation;
import io.docajava.core.internal.context.OperationPool;
import io.docajava.core.internal.context.OperationSink;
import io.docajava.core.internal.context.ParkedOperation;
import io.docajava.core.internal.context.WaitingLine;
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
 * event.waitEqual(1).await(engine);
 * }
 *
 * <p>Each task comes in three forms: one gives a future, one calls a {@link SyncEventHandler} back and allocates nothing, and one
 * is a {@link SyncEventTask}, which is submitted again and again, or run by a {@link io.docajava.core.graph.Graph}. A wait is in
 * flight until its value is there, or the context stops; others can be submitted meanwhile, and end before it.
 *
 * <p>When the context stops, the event ends: processes that have imported it lose it, and after a {@link #restart()} it is a new
 * one, which begins with 0 or what is in the memory of the user, and is to be exported anew.
 *
 * <p>On the engine of a {@link ProgressLoop}, what is asked for by a future waits when no task of its type is free; what has a
 * handler does not wait. Types do not wait for one another: the task that a wait waits for may come behind it.
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

    /** How many tasks of a type there are. */
    public int maxTasks(SyncEventTaskType type) {
        Objects.requireNonNull(type, "type");
        return pool(type).size();
    }

    /**
     * Reads the value ({@code doca_sync_event_task_get}).
     *
     * @return completes with the value, or with a {@link TaskFailedException}
     * @throws IllegalStateException if the context is not running, or no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> get() {
        return start(SyncEventTaskType.GET, 0, -1);
    }

    /** {@link #get()} with a handler in place of a future; allocates nothing. */
    public void get(SyncEventHandler handler) {
        start(SyncEventTaskType.GET, 0, -1, handler);
    }

    /**
     * Takes a task to {@link #get()} that can be submitted any number of times, or run by a graph, and belongs to the caller
     * until it is closed.
     *
     * @throws IllegalStateException if the context is closed, has no such tasks, or none is free
     */
    public SyncEventTask getTask() {
        return task(SyncEventTaskType.GET, 0, -1);
    }

    /**
     * Sets the value ({@code doca_sync_event_task_notify_set}).
     *
     * @return completes with that value, or with a {@link TaskFailedException}
     * @throws IllegalStateException if the context is not running, or no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> set(long value) {
        return start(SyncEventTaskType.SET, value, -1);
    }

    /** {@link #set(long)} with a handler in place of a future; allocates nothing. */
    public void set(long value, SyncEventHandler handler) {
        start(SyncEventTaskType.SET, value, -1, handler);
    }

    /** A task to {@link #set(long)}, as {@link #getTask}. */
    public SyncEventTask setTask(long value) {
        return task(SyncEventTaskType.SET, value, -1);
    }

    /**
     * Adds to the value, in one step against all others who do so ({@code doca_sync_event_task_notify_add}).
     *
     * @param addend may be negative; what goes beyond 64 bits is lost
     * @return completes with the value before, or with a {@link TaskFailedException}
     * @throws IllegalStateException if the context is not running, or no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> add(long addend) {
        return start(SyncEventTaskType.ADD, addend, -1);
    }

    /** {@link #add(long)} with a handler in place of a future; allocates nothing. */
    public void add(long addend, SyncEventHandler handler) {
        start(SyncEventTaskType.ADD, addend, -1, handler);
    }

    /** A task to {@link #add(long)}, as {@link #getTask}. */
    public SyncEventTask addTask(long addend) {
        return task(SyncEventTaskType.ADD, addend, -1);
    }

    /**
     * Waits until the value is a number ({@code doca_sync_event_task_wait_eq}).
     *
     * @return completes with that number, even if the value has changed since, or with a {@link TaskFailedException}
     * @throws IllegalStateException if the context is not running, or no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> waitEqual(long value) {
        return waitEqual(value, -1);
    }

    /**
     * {@link #waitEqual(long)} by some bytes of the value only; the others are taken for 0, also in what this completes with.
     *
     * @param mask with all bits of 1, 2, 4 or 8 neighbouring bytes and no others
     * @throws IllegalArgumentException if the mask is anything else, or the value has other bits
     */
    public Completion<Long> waitEqual(long value, long mask) {
        return startWait(SyncEventTaskType.WAIT_EQUAL, value, mask);
    }

    /** {@link #waitEqual(long, long)} with a handler in place of a future; allocates nothing. */
    public void waitEqual(long value, long mask, SyncEventHandler handler) {
        Objects.requireNonNull(handler, "handler");
        startWait(SyncEventTaskType.WAIT_EQUAL, value, mask, handler);
    }

    /** A task to {@link #waitEqual(long)}, as {@link #getTask}. */
    public SyncEventTask waitEqualTask(long value) {
        return waitEqualTask(value, -1);
    }

    /** A task to {@link #waitEqual(long, long)}, as {@link #getTask}. */
    public SyncEventTask waitEqualTask(long value, long mask) {
        checkCondition(SyncEventTaskType.WAIT_EQUAL, value, mask);
        return task(SyncEventTaskType.WAIT_EQUAL, value, mask);
    }

    /**
     * Waits until the value is not a number ({@code doca_sync_event_task_wait_neq}). The SDK does not tell what it is then: {@link
     * #get()} reads it, if it has not changed again.
     *
     * @param value the number that it shall no longer be
     * @return completes with the number that was given here, which the value was not, or with a {@link TaskFailedException}
     * @throws IllegalStateException if the context is not running, or no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public Completion<Long> waitNotEqual(long value) {
        return waitNotEqual(value, -1);
    }

    /**
     * {@link #waitNotEqual(long)} by some bytes of the value only, as {@link #waitEqual(long, long)}; completes with the given
     * number, too.
     */
    public Completion<Long> waitNotEqual(long value, long mask) {
        return startWait(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask);
    }

    /** {@link #waitNotEqual(long, long)} with a handler in place of a future; allocates nothing. */
    public void waitNotEqual(long value, long mask, SyncEventHandler handler) {
        Objects.requireNonNull(handler, "handler");
        startWait(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask, handler);
    }

    /** A task to {@link #waitNotEqual(long)}, as {@link #getTask}. */
    public SyncEventTask waitNotEqualTask(long value) {
        return waitNotEqualTask(value, -1);
    }

    /** A task to {@link #waitNotEqual(long, long)}, as {@link #getTask}. */
    public SyncEventTask waitNotEqualTask(long value, long mask) {
        checkCondition(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask);
        return task(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask);
    }

    private static void checkMask(long mask) {
        int lowest = Long.numberOfTrailingZeros(mask);
        long bits = mask == 0 ? 0 : mask >>> lowest;
        boolean wholeBytes =
                lowest % Byte.SIZE == 0 && (bits == 0xffL || bits == 0xffffL || bits == 0xffff_ffffL || bits == -1L);
        if (!wholeBytes) {
            throw new IllegalArgumentException(
                    "The mask of a wait has all bits of 1, 2, 4 or 8 neighbouring bytes, and is" + " not 0x"
                            + Long.toHexString(mask));
        }
    }

    private Completion<Long> startWait(SyncEventTaskType type, long number, long mask) {
        checkCondition(type, number, mask);
        return start(type, number, mask);
    }

    private void startWait(SyncEventTaskType type, long number, long mask, SyncEventHandler handler) {
        checkCondition(type, number, mask);
        start(type, number, mask, handler);
    }

    static void checkCondition(SyncEventTaskType type, long number, long mask) {
        checkMask(mask);
        new SyncCondition(type.relation(), number, mask).check();
    }

    private Completion<Long> start(SyncEventTaskType type, long number, long mask) {
        checkUsable(type);
        Completion<Long> completion = EngineAccess.completion(engine);
        OperationPool pool = pool(type);
        WaitingLine line = Objects.requireNonNull(lines.get(type));
        if (line.hasToWait(pool)) {
            line.park(new ParkedOperation(pool, null, null, null, null, completion, () -> {
                submit(type, number, mask, completion);
                return true;
            }));
        } else {
            submit(type, number, mask, completion);
        }
        return completion;
    }

    private void start(SyncEventTaskType type, long number, long mask, SyncEventHandler handler) {
        Objects.requireNonNull(handler, "handler");
        checkUsable(type);
        take(type, number, mask).submit(handlers, handler, false);
    }

    private SyncEventTask task(SyncEventTaskType type, long number, long mask) {
        core.checkUsable();
        checkOffered(type);
        return new SyncEventTask(take(type, number, mask), type, mask);
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

    private void submit(SyncEventTaskType type, long number, long mask, Completion<Long> completion) {
        take(type, number, mask).submit(OperationSink.future(), completion, false);
    }

    private Operation take(SyncEventTaskType type, long number, long mask) {
        return pool(type).take().numbers(number, mask);
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
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_PCI} is none of the locations, the event is another process',
     *     the context is not running, or the device is closed
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
     * @throws IllegalStateException if {@link SyncLocation#REMOTE_NET} is none of the locations, the event is another process',
     *     or the context is not running
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
        } catch (DocaException e) {
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
