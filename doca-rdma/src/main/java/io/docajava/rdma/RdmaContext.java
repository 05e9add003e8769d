/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A context that sends messages to peers, receives theirs, and accesses their memory ({@code struct doca_rdma}).
 *
 * <p>Peers connect in one of two ways. If they can exchange a few hundred bytes by other means, each side {@linkplain
 * #prepareConnection() prepares} a connection, passes its {@linkplain RdmaConnection#details() details} on to the other side, and
 * {@linkplain RdmaConnection#connect connects} with the details of the other side. Otherwise one side {@linkplain #listen listens},
 * and the other side {@linkplain #connect connects} to its address.
 *
 * {@snippet :
 * RdmaConnection connection = rdma.connect(RdmaAddress.ipv4("192.168.100.1"), 13579).await();
 * connection.write(source, remote).await();
 * }
 *
 * <p>Operations are submitted to an {@link RdmaConnection}. Receives are posted to the context, and serve all its connections.
 *
 * <p>Most failures of operations stop the context: it goes from {@link ContextState#RUNNING} to {@link ContextState#STOPPING}, all
 * operations and receives in flight fail, and progress brings it to {@link ContextState#IDLE}. This ends its connections. After
 * {@link #restart()} the context can prepare connections, listen and connect again. If the peer of a connection by address exits or
 * disconnects, only that connection ends, with the operations in flight on it.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits if no task is free, and later operations with a
 * future on any connection wait behind it; receives wait only behind receives. An operation with a handler does not wait.
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class RdmaContext extends ContextBase {

    private final RdmaCapabilities capabilities;
    private final RdmaLimits limits;
    private final Map<RdmaTaskType, OperationPool> pools = new EnumMap<>(RdmaTaskType.class);
    private final ReceiveOperations receiving;
    private final OperationPool receives;
    private final Connections connections;
    private final ContextCore core;
    private final OperationCheck check;
    private final ConnectionOperations.Ends ends = new ConnectionOperations.Ends();
    private final EngineLoop.OperationStart<Long> queued = (connection, operation, completion) ->
            start((RdmaConnection) connection, (RdmaOperation) operation, completion);
    private final EngineLoop.OperationStart<Received> queuedReceive =
            (range, context, completion) -> startReceive((MapRange) range, completion);
    private final EngineLoop.OperationStart<Received> queuedEmptyReceive =
            (context, same, completion) -> startReceive((Buf) null, completion);
    private final WaitingLine waitingOperations;
    private final WaitingLine waitingReceives;

    RdmaContext(
            Device device,
            ProgressEngine engine,
            RdmaObject rdma,
            RdmaCapabilities capabilities,
            RdmaLimits limits,
            Duration closeTimeout) {
        super(device, engine);
        this.capabilities = capabilities;
        this.limits = limits;
        this.check = new OperationCheck(device, capabilities, limits);
        List<OperationPool> all = new ArrayList<>();
        int index = 0;
        for (RdmaTaskType type : RdmaTaskType.values()) {
            if (type.isOnConnection()) {
                OperationPool pool = operations(type, rdma, check, index, limits.maxTasks(type));
                pools.put(type, pool);
                all.add(pool);
                index += pool.size();
            }
        }
        int maxReceives = limits.maxTasks(RdmaTaskType.RECEIVE);
        this.receiving = new ReceiveOperations(this, rdma, check, maxReceives);
        this.receives = new OperationPool(receiving, "task to receive", "maxReceives()", index, maxReceives);
        all.add(receives);
        this.connections = new Connections(this, rdma);
        this.core = new ContextCore(
                this,
                "RDMA context on " + device.info().displayName(),
                device,
                EngineImpl.of(engine),
                rdma,
                all,
                closeTimeout);
        setCore(core);
        core.life().addListener(connections::stateChanged);
        core.onAbandon(connections::abandon);
        this.waitingOperations = core.openLine();
        this.waitingReceives = core.openLine();
    }

    /** Returns whether receives are posted or prepared. */
    boolean hasReceives() {
        return receives.available() < receives.size();
    }

    private OperationPool operations(
            RdmaTaskType type, RdmaObject rdma, OperationCheck check, int firstIndex, int size) {
        AtomicResultBuffers cells = type.hasCell() && size > 0 ? new AtomicResultBuffers(device(), size) : null;
        if (cells != null) {
            rdma.add(cells);
        }
        return new OperationPool(
                new ConnectionOperations(type, rdma, check, cells),
                "task to " + type.words(),
                "maxTasks(RdmaTaskType." + type + ", n)",
                firstIndex,
                size);
    }

    /**
     * Returns whether a device supports any operation of RDMA ({@code doca_rdma_cap_task_..._is_supported}). Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return whether the device supports it; false if the device has been removed
     * @throws DocaException if the SDK cannot read the capabilities
     */
    public static boolean isSupported(DeviceInfo device) {
        return RdmaCapabilities.isSupported(device);
    }

    /**
     * Returns whether a device supports one operation of RDMA ({@code doca_rdma_cap_task_..._is_supported}). Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @param type of the operation
     * @return whether the device supports it; false if the device has been removed
     * @throws DocaException if the SDK cannot read the capabilities
     */
    public static boolean isSupported(DeviceInfo device, RdmaTaskType type) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(type, "type");
        return RdmaCapabilities.of(device).tasks().contains(type);
    }

    /**
     * Returns a builder, which configures a context and starts it.
     *
     * @param device an open device, which cannot be closed before the context
     * @return a builder; its {@code start} checks the settings against the capabilities of the device
     */
    public static RdmaContextBuilder builder(Device device) {
        StackGuard.check();
        return new RdmaContextBuilder(device);
    }

    /** {@return the capabilities of the device, read when this context was created} Any thread may call. */
    public RdmaCapabilities capabilities() {
        return capabilities;
    }

    /** {@return the limits of this context, which may be lower than those of the device} Any thread may call. */
    public RdmaLimits limits() {
        return limits;
    }

    /**
     * Prepares a connection whose details the program passes on to the peer ({@code doca_rdma_export}). If it is disconnected before
     * it was connected, DOCA 3.0 keeps its place among {@link RdmaContextBuilder#maxConnections(int)} until the context stops.
     *
     * @return a connection in state {@link ConnectionState#PREPARED}
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if all places for connections are taken
     * @throws DocaException if the SDK refuses for another reason
     */
    public RdmaConnection prepareConnection() {
        return core.onItsThread("connected", connections::prepare);
    }

    /**
     * Connects to a peer that listens ({@code doca_rdma_addr_create}, {@code doca_rdma_connect_to_addr}). If the future is cancelled,
     * or fails by a timeout of the caller, the connection is disconnected as soon as the peer has answered: the SDK has no handle of
     * it before.
     *
     * @param address of the peer's RDMA device
     * @param port that the peer listens at, from 1 to 65535
     * @return a future of the connection, which completes when data can flow. It fails with a {@link DocaException} if the peer is
     *     not found, rejects the request, or does not answer within the connection request timeout, or with a {@link
     *     ConnectionEndedException} if the context stops first
     * @throws IllegalArgumentException if {@code port} is out of range
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if all places for connections are taken
     * @throws DocaException if the SDK refuses for another reason, for example because it cannot resolve the address
     */
    public Completion<RdmaConnection> connect(RdmaAddress address, int port) {
        Objects.requireNonNull(address, "address");
        checkPort(port);
        return core.onItsThread("connected", () -> connections.connect(address, port));
    }

    /**
     * Listens for requests of peers at the addresses of the device, until the listener is closed or the context stops ({@code
     * doca_rdma_start_listen_to_port}). A context listens to one port at a time, because DOCA does not report to which port a request
     * has come. A request that exceeds {@link RdmaContextBuilder#maxConnections(int)} is rejected, with a warning in the log.
     *
     * @param port from 1 to 65535
     * @param handler called by the engine's thread for each request, which it or a later call accepts or rejects. Exceptions that
     *     it throws go to the engine's error handler; a request that is not answered keeps the peer waiting
     * @return the open listener, to be closed by the engine's thread
     * @throws IllegalArgumentException if {@code port} is out of range
     * @throws IllegalStateException if the context is closed or listens already, or another thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because another context listens at the port
     */
    public RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler) {
        Objects.requireNonNull(handler, "handler");
        checkPort(port);
        return core.onItsThread("made to listen", () -> connections.listen(port, handler));
    }

    private static void checkPort(int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("A port is a number from 1 to 65535: " + port);
        }
    }

    /**
     * Returns the connections that have not ended, including those that are not established yet.
     *
     * @return an unmodifiable copy
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     */
    public List<RdmaConnection> connections() {
        core.checkUsable();
        return connections.open();
    }

    /**
     * Posts a receive and returns a future ({@code doca_rdma_task_receive}). The messages of all connections complete receives in
     * the order in which these were posted.
     *
     * @param buffer to whose data the message is appended, or the first one of a list; it must have room for the message
     * @return a future of the message. It fails with a {@link TaskFailedException} if the receive fails, a {@link
     *     ContextNotRunningException} if the context is not running, a {@link ResourceExhaustedException} if no task is free and
     *     the receive cannot wait for one, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the context cannot receive into the buffer
     * @throws IllegalStateException if the context has no tasks to receive, the context or the buffer is closed, the buffer is in
     *     use by another operation, or another thread than the engine's calls
     */
    public Completion<Received> receive(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        core.checkUsable();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive(buffer, completion);
        return completion;
    }

    /**
     * Posts a receive with the next progress, and returns a future ({@code doca_rdma_task_receive}). The messages of all connections
     * complete receives in the order in which these were posted. If the context is on a loop, any thread may call, and the receive
     * waits while others in flight use all tasks.
     *
     * @param range that the message is written to, from its first byte; an empty range is none
     * @return a future of the message, as that of {@link #receive(Buf)}
     * @throws IllegalArgumentException if the context cannot receive into the range
     * @throws IllegalStateException if the context has no tasks to receive, the context or the map is closed, or another thread than
     *     the engine's calls and the context is not on a loop
     * @throws RejectedExecutionException if the context is on a loop that does not accept the receive
     */
    public Completion<Received> receive(MapRange range) {
        Objects.requireNonNull(range, "range");
        if (range.length() == 0) {
            return receive();
        }
        EngineLoop loop = core.loopOrCheck();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        check.checkRanges(RdmaTaskType.RECEIVE, null, 0, MmapImpl.state(range.map()), range.length());
        if (loop != null) {
            return loop.enqueue(queuedReceive, range, this);
        }
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive(range, completion);
        return completion;
    }

    /**
     * Posts a receive without memory, for a message of 0 bytes or a write with immediate data, and returns a future. If the context
     * is on a loop, any thread may call.
     *
     * @return a future, as from {@link #receive(MapRange)}; it also fails if the peer sends a message of 1 byte or more
     * @throws IllegalStateException if the context is closed or has no tasks to receive, or another thread than the engine's calls and
     *     the context is not on a loop
     * @throws RejectedExecutionException if the context is on a loop that does not accept the receive
     */
    public Completion<Received> receive() {
        EngineLoop loop = core.loopOrCheck();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        if (loop != null) {
            return loop.enqueue(queuedEmptyReceive, this, this);
        }
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive((Buf) null, completion);
        return completion;
    }

    private void startReceive(@Nullable Buf buffer, Completion<Received> completion) {
        core.checkOpen();
        waitingReceives.start(
                receives,
                null,
                buffer,
                null,
                null,
                completion,
                () -> takeReceive(buffer).submit(receiving.futures, completion));
    }

    private void startReceive(MapRange range, Completion<Received> completion) {
        core.checkOpen();
        MapState map = MmapImpl.state(range.map());
        waitingReceives.start(
                receives,
                null,
                null,
                map,
                completion,
                () -> submitReceive(map, range.offset(), range.length(), 0, receiving.futures, completion));
    }

    private void submitReceive(MapState map, long offset, long length, long tag, OperationSink sink, Object receiver) {
        if (map.isFreeable()) {
            map.checkAlive();
        }
        Operation operation = receives.poll(null, map);
        if (operation == null) {
            throw receives.noFreeTask();
        }
        operation.tagged(tag).submit(null, 0, map, map.base() + offset, length, sink, receiver);
    }

    /**
     * Posts a receive that calls a handler when it has ended. This allocates nothing, and never waits for a free task.
     *
     * @param buffer to whose data the message is appended, or the first one of a list; it must have room for the message
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the context cannot receive into the buffer
     * @throws IllegalStateException as {@link #receive(Buf)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void receive(Buf buffer, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        takeReceive(buffer).submit(receiving.handlers, handler);
    }

    /**
     * Posts a receive with the next progress, which calls a handler when it has ended. This allocates nothing, and never waits for a
     * free task.
     *
     * @param range that the message is written to, from its first byte; an empty range is none
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException as {@link #receive(MapRange)}
     * @throws IllegalStateException as {@link #receive(MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void receive(MapRange range, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(range, "range");
        Objects.requireNonNull(handler, "handler");
        receive(range.map(), range.offset(), range.length(), 0, handler);
    }

    /**
     * Does the same as {@link #receive(MapRange, Handler)}, with plain numbers and a tag.
     *
     * @param map the map of the range
     * @param offset the offset of the first byte in that map
     * @param length the room for the message in bytes; 0 for none
     * @param tag a number for the handler ({@link ReceiveEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if the range is not inside the map
     * @throws IllegalArgumentException as {@link #receive(MapRange)}
     * @throws IllegalStateException as {@link #receive(MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void receive(Mmap map, long offset, long length, long tag, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(map, "map");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        MapState state = MmapImpl.state(map);
        if (!state.contains(offset, length)) {
            throw state.outside(offset, length);
        }
        if (length == 0) {
            takeReceive(null).tagged(tag).submit(receiving.handlers, handler);
        } else {
            submitReceive(state, offset, length, tag, receiving.handlers, handler);
        }
    }

    /**
     * Posts a receive without memory; see {@link #receive()} and {@link #receive(Buf, Handler)}.
     *
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalStateException if the context is closed or has no tasks to receive, or another thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void receive(Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        takeReceive(null).submit(receiving.handlers, handler);
    }

    /**
     * Prepares a receive that can be posted any number of times. The buffer is checked when it is posted.
     *
     * @param buffer as in {@link #receive(Buf)}
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks to receive
     * @throws IllegalStateException if the context is closed or has no tasks to receive, or another thread than the engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public ReceiveTask receiveTask(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        core.checkUsable();
        return new ReceiveTask(this, receiving, takeReceive(buffer));
    }

    /**
     * Prepares a receive into a range that can be posted any number of times.
     *
     * @param range as in {@link #receive(MapRange)}, of 1 byte or more
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks to receive
     * @throws IllegalArgumentException if the context cannot receive into the range, or it is empty
     * @throws IllegalStateException if the context is closed or has no tasks to receive, the map is closed, or another thread than the
     *     engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public ReceiveTask receiveTask(MapRange range) {
        Objects.requireNonNull(range, "range");
        core.checkUsable();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        RangePair pair = pair(range);
        ReceiveTask task = new ReceiveTask(this, receiving, takeReceive(null));
        task.setRange(pair);
        return task;
    }

    /**
     * Prepares a receive without a buffer that can be posted any number of times; see {@link #receive()}.
     *
     * @return a task, as from {@link #receiveTask(Buf)}
     * @throws IllegalStateException if the context is closed or has no tasks to receive, or another thread than the engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public ReceiveTask receiveTask() {
        core.checkUsable();
        return new ReceiveTask(this, receiving, takeReceive(null));
    }

    private Operation takeReceive(@Nullable Buf buffer) {
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        return receives.take().local(buffer).tagged(0);
    }

    /**
     * Submits all operations and receives that wait for the next progress ({@code doca_task_submit_ex}, {@code doca_ctx_flush_tasks}).
     * Progress and waits of the engine do so by themselves; call it before the thread blocks elsewhere.
     *
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     */
    public void flush() {
        core.checkUsable();
        core.flush();
    }

    Completion<Long> submit(RdmaConnection connection, RdmaOperation operation) {
        EngineLoop loop = null;
        if (operation.isForAnyThread()) {
            loop = core.loopOrCheck();
        } else {
            core.checkUsable();
        }
        checkHasTasks(operation.type(), pool(operation.type()));
        checkRanges(operation);
        if (loop != null) {
            return loop.enqueue(queued, connection, operation);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(connection, operation, completion);
        return completion;
    }

    private void checkRanges(RdmaOperation operation) {
        MapRange source = operation.source();
        if (source != null) {
            MapState from = MmapImpl.state(source.map());
            MapRange target = operation.target();
            check.checkRanges(
                    operation.type(),
                    from,
                    from.base() + source.offset(),
                    target == null ? null : MmapImpl.state(target.map()),
                    source.length());
        }
    }

    /** Starts an operation on the engine's thread, also one that another thread has queued. */
    private void start(RdmaConnection connection, RdmaOperation operation, Completion<Long> completion) {
        core.checkOpen();
        OperationPool pool = pool(operation.type());
        MapRange source = operation.source();
        if (source == null) {
            waitingOperations.start(
                    pool,
                    connection,
                    operation.local(),
                    operation.remote(),
                    operation.event(),
                    completion,
                    () -> take(connection, operation).submit(OperationSink.future(), completion));
            return;
        }
        MapRange target = operation.target();
        waitingOperations.start(
                pool,
                connection,
                MmapImpl.state(source.map()),
                target == null ? null : MmapImpl.state(target.map()),
                completion,
                () -> submit(connection, operation, OperationSink.future(), completion));
    }

    void submit(RdmaConnection connection, RdmaOperation operation, Handler<? super OperationEnd> handler) {
        core.checkRunning();
        if (operation.isOnRanges()) {
            checkRanges(operation);
            submit(connection, operation, ends, handler);
        } else {
            take(connection, operation).submit(ends, handler);
        }
    }

    /** Submits an operation on ranges, which were checked but may have waited since. */
    private void submit(RdmaConnection connection, RdmaOperation operation, OperationSink sink, Object receiver) {
        MapRange source = Objects.requireNonNull(operation.source());
        MapState from = MmapImpl.state(source.map());
        MapRange target = operation.target();
        MapState to = target == null ? null : MmapImpl.state(target.map());
        from.checkAlive();
        long destination = 0;
        if (target != null && to != null) {
            to.checkAlive();
            destination = to.base() + target.offset();
        }
        poll(operation.type(), from, to)
                .on(connection)
                .event(null)
                .numbers(operation.first(), operation.second())
                .tagged(0)
                .submit(from, from.base() + source.offset(), to, destination, source.length(), sink, receiver);
    }

    /** Checks an operation on ranges without numbers, and submits it. */
    void submit(
            RdmaConnection connection,
            RdmaTaskType type,
            Mmap source,
            long sourceOffset,
            @Nullable Mmap target,
            long targetOffset,
            long length,
            long tag,
            Handler<? super OperationEnd> handler) {
        core.checkRunning();
        MapState from = MmapImpl.state(source);
        if (!from.contains(sourceOffset, length)) {
            throw from.outside(sourceOffset, length);
        }
        MapState to = null;
        long destination = 0;
        if (target != null) {
            to = MmapImpl.state(target);
            if (!to.contains(targetOffset, length)) {
                throw to.outside(targetOffset, length);
            }
            destination = to.base() + targetOffset;
        }
        check.checkRanges(type, from, from.base() + sourceOffset, to, length);
        poll(type, from, to)
                .on(connection)
                .event(null)
                .tagged(tag)
                .submit(from, from.base() + sourceOffset, to, destination, length, ends, handler);
    }

    private Operation poll(RdmaTaskType type, MapState source, @Nullable MapState destination) {
        OperationPool pool = pool(type);
        Operation operation = pool.poll(source, destination);
        if (operation == null) {
            checkHasTasks(type, pool);
            throw pool.noFreeTask();
        }
        return operation;
    }

    RdmaTask task(RdmaConnection connection, RdmaOperation operation) {
        core.checkUsable();
        checkHasTasks(operation.type(), pool(operation.type()));
        RangePair pair = pair(operation);
        RdmaTask task = new RdmaTask(this, operation.type(), take(connection, operation));
        task.setRanges(pair);
        return task;
    }

    /** Checks the ranges of an operation that is prepared, and returns its operands; null if it has none. */
    @Nullable
    RangePair pair(RdmaOperation operation) {
        MapRange source = operation.source();
        if (source == null) {
            return null;
        }
        checkRanges(operation);
        MapState from = MmapImpl.state(source.map());
        MapRange target = operation.target();
        MapState to = target == null ? null : MmapImpl.state(target.map());
        check.checkMaps(operation.type(), from, to);
        return new RangePair(
                from,
                from.base() + source.offset(),
                to,
                target == null || to == null ? 0 : to.base() + target.offset(),
                source.length());
    }

    /** Checks the range of a receive that is prepared, and returns its operands. */
    RangePair pair(MapRange range) {
        if (range.length() == 0) {
            throw new IllegalArgumentException("A prepared receive into a range has room for at least 1 byte");
        }
        MapState map = MmapImpl.state(range.map());
        check.checkRanges(RdmaTaskType.RECEIVE, null, 0, map, range.length());
        check.checkMaps(RdmaTaskType.RECEIVE, null, map);
        return new RangePair(null, 0, map, map.base() + range.offset(), range.length());
    }

    private Operation take(RdmaConnection connection, RdmaOperation operation) {
        OperationPool pool = pool(operation.type());
        Operation taken = pool.poll();
        if (taken == null) {
            checkHasTasks(operation.type(), pool);
            throw pool.noFreeTask();
        }
        return operation.applyTo(taken.on(connection)).tagged(0);
    }

    private void checkHasTasks(RdmaTaskType type, OperationPool pool) {
        if (pool.size() == 0) {
            throw new IllegalStateException(this + " has no tasks to " + type.words()
                    + (capabilities.tasks().contains(type)
                            ? ": it was built without them"
                            : ": its device does not offer it"));
        }
    }

    ContextCore core() {
        return core;
    }

    Connections allConnections() {
        return connections;
    }

    private OperationPool pool(RdmaTaskType type) {
        return Objects.requireNonNull(pools.get(type));
    }

    /** {@return the kind of the context and the name of the device} Any thread may call. */
    @Override
    public String toString() {
        return description();
    }
}
