/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.context.Handler;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.context.AbstractContext;
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
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaLimits;
import io.docajava.rdma.RdmaListener;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.ReceiveEnd;
import io.docajava.rdma.ReceiveTask;
import io.docajava.rdma.Received;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link RdmaContext}. */
public final class RdmaContextImpl extends AbstractContext implements RdmaContext {

    private final RdmaCapabilities capabilities;
    private final RdmaLimits limits;
    private final Map<RdmaTaskType, OperationPool> pools;
    private final ReceiveOperations receiving;
    private final OperationPool receives;
    private final Connections connections;
    private final OperationCheck check;
    private final ConnectionOperations.Ends ends = new ConnectionOperations.Ends();
    private final EngineLoop.OperationStart<Long> queued = (connection, operation, completion) ->
            start((RdmaConnection) connection, (RdmaOperationImpl) operation, completion);
    private final EngineLoop.OperationStart<Received> queuedReceive =
            (range, context, completion) -> startReceive((MapRange) range, completion);
    private final EngineLoop.OperationStart<Received> queuedEmptyReceive =
            (context, same, completion) -> startReceive((Buf) null, completion);
    private final WaitingLine waitingOperations;
    private final WaitingLine waitingReceives;

    RdmaContextImpl(
            Device device,
            EngineImpl engine,
            RdmaObject rdma,
            RdmaCapabilities capabilities,
            RdmaLimits limits,
            Duration closeTimeout) {
        OperationCheck checks = new OperationCheck(device, capabilities, limits);
        Map<RdmaTaskType, OperationPool> ofConnections = new EnumMap<>(RdmaTaskType.class);
        int index = 0;
        for (RdmaTaskType type : RdmaTaskType.values()) {
            if (NativeTaskType.isOnConnection(type)) {
                OperationPool pool = operations(device, type, rdma, checks, index, limits.maxTasks(type));
                ofConnections.put(type, pool);
                index += pool.size();
            }
        }
        int maxReceives = limits.maxTasks(RdmaTaskType.RECEIVE);
        ConnectionTable table = new ConnectionTable();
        ReceiveOperations receiveType = new ReceiveOperations(table, rdma, checks, maxReceives);
        OperationPool receivePool =
                new OperationPool(receiveType, "task to receive", "maxReceives()", index, maxReceives);
        super(
                "RDMA context on " + device.info().displayName(),
                device,
                engine,
                rdma,
                Stream.concat(ofConnections.values().stream(), Stream.of(receivePool))
                        .toList(),
                closeTimeout);
        this.capabilities = capabilities;
        this.limits = limits;
        this.check = checks;
        this.pools = ofConnections;
        this.receiving = receiveType;
        this.receives = receivePool;
        this.connections = new Connections(this, rdma, table);
        life().addListener(connections::stateChanged);
        onAbandon(connections::abandon);
        this.waitingOperations = openLine();
        this.waitingReceives = openLine();
    }

    /** Returns whether receives are posted or prepared. */
    boolean hasReceives() {
        return receives.available() < receives.size();
    }

    private static OperationPool operations(
            Device device, RdmaTaskType type, RdmaObject rdma, OperationCheck check, int firstIndex, int size) {
        AtomicResultBuffers cells =
                NativeTaskType.hasCell(type) && size > 0 ? new AtomicResultBuffers(device, size) : null;
        if (cells != null) {
            rdma.add(cells);
        }
        return new OperationPool(
                new ConnectionOperations(type, rdma, check, cells),
                "task to " + NativeTaskType.words(type),
                "maxTasks(RdmaTaskType." + type + ", n)",
                firstIndex,
                size);
    }

    public static boolean isSupported(DeviceInfo device) {
        return RdmaCapabilities.isSupported(device);
    }

    public static boolean isSupported(DeviceInfo device, RdmaTaskType type) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(type, "type");
        return RdmaCapabilities.of(device).tasks().contains(type);
    }

    public static RdmaContextBuilder builder(Device device) {
        StackGuard.check();
        return new RdmaContextBuilderImpl(device);
    }

    @Override
    public RdmaCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public RdmaLimits limits() {
        return limits;
    }

    @Override
    public RdmaConnection prepareConnection() {
        return onItsThread("connected", connections::prepare);
    }

    @Override
    public Completion<RdmaConnection> connect(RdmaAddress address, int port) {
        Objects.requireNonNull(address, "address");
        checkPort(port);
        return onItsThread("connected", () -> connections.connect(address, port));
    }

    @Override
    public RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler) {
        Objects.requireNonNull(handler, "handler");
        checkPort(port);
        return onItsThread("made to listen", () -> connections.listen(port, handler));
    }

    private static void checkPort(int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("A port is a number from 1 to 65535: " + port);
        }
    }

    @Override
    public List<RdmaConnection> connections() {
        checkUsable();
        return List.copyOf(connections.open());
    }

    @Override
    public Completion<Received> receive(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        checkUsable();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive(buffer, completion);
        return completion;
    }

    @Override
    public Completion<Received> receive(MapRange range) {
        Objects.requireNonNull(range, "range");
        if (range.length() == 0) {
            return receive();
        }
        EngineLoop loop = loopOrCheck();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        check.checkRanges(RdmaTaskType.RECEIVE, null, 0, MmapImpl.state(range.map()), range.length());
        if (loop != null) {
            return loop.enqueue(waitingReceives.room(), queuedReceive, range, this);
        }
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive(range, completion);
        return completion;
    }

    @Override
    public Completion<Received> receive() {
        EngineLoop loop = loopOrCheck();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        if (loop != null) {
            return loop.enqueue(waitingReceives.room(), queuedEmptyReceive, this, this);
        }
        Completion<Received> completion = new OperationCompletion<>(engine());
        startReceive((Buf) null, completion);
        return completion;
    }

    private void startReceive(@Nullable Buf buffer, Completion<Received> completion) {
        checkOpen();
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
        checkOpen();
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

    @Override
    public void receive(Buf buffer, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(handler, "handler");
        checkRunning();
        takeReceive(buffer).submit(receiving.handlers, handler);
    }

    @Override
    public void receive(MapRange range, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(range, "range");
        Objects.requireNonNull(handler, "handler");
        receive(range.map(), range.offset(), range.length(), 0, handler);
    }

    @Override
    public void receive(Mmap map, long offset, long length, long tag, Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(map, "map");
        Objects.requireNonNull(handler, "handler");
        checkRunning();
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

    @Override
    public void receive(Handler<? super ReceiveEnd> handler) {
        Objects.requireNonNull(handler, "handler");
        checkRunning();
        takeReceive(null).submit(receiving.handlers, handler);
    }

    @Override
    public ReceiveTask receiveTask(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        checkUsable();
        return new ReceiveTaskImpl(this, receiving, takeReceive(buffer));
    }

    @Override
    public ReceiveTask receiveTask(MapRange range) {
        Objects.requireNonNull(range, "range");
        checkUsable();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        RangePair pair = pair(range);
        ReceiveTaskImpl task = new ReceiveTaskImpl(this, receiving, takeReceive(null));
        task.setRanges(pair);
        return task;
    }

    @Override
    public ReceiveTask receiveTask() {
        checkUsable();
        return new ReceiveTaskImpl(this, receiving, takeReceive(null));
    }

    private Operation takeReceive(@Nullable Buf buffer) {
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        return receives.take().local(buffer).tagged(0);
    }

    @Override
    public void flush() {
        checkUsable();
        flushTasks();
    }

    Completion<Long> submit(RdmaConnection connection, RdmaOperationImpl operation) {
        EngineLoop loop = null;
        if (operation.isForAnyThread()) {
            loop = loopOrCheck();
        } else {
            checkUsable();
        }
        checkHasTasks(operation.type(), pool(operation.type()));
        checkRanges(operation);
        if (loop != null) {
            return loop.enqueue(waitingOperations.room(), queued, connection, operation);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(connection, operation, completion);
        return completion;
    }

    private void checkRanges(RdmaOperationImpl operation) {
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
    private void start(RdmaConnection connection, RdmaOperationImpl operation, Completion<Long> completion) {
        checkOpen();
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

    void submit(RdmaConnection connection, RdmaOperationImpl operation, Handler<? super OperationEnd> handler) {
        checkRunning();
        if (operation.isOnRanges()) {
            checkRanges(operation);
            submit(connection, operation, ends, handler);
        } else {
            take(connection, operation).submit(ends, handler);
        }
    }

    /** Submits an operation on ranges, which were checked but may have waited since. */
    private void submit(RdmaConnection connection, RdmaOperationImpl operation, OperationSink sink, Object receiver) {
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
        checkRunning();
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

    RdmaTask task(RdmaConnection connection, RdmaOperationImpl operation) {
        checkUsable();
        checkHasTasks(operation.type(), pool(operation.type()));
        RangePair pair = pair(operation);
        RdmaTaskImpl task = new RdmaTaskImpl(this, operation.type(), take(connection, operation));
        task.setRanges(pair);
        return task;
    }

    /** Checks the ranges of an operation that is prepared, and returns its operands; null if it has none. */
    @Nullable
    RangePair pair(RdmaOperationImpl operation) {
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

    private Operation take(RdmaConnection connection, RdmaOperationImpl operation) {
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
            throw new IllegalStateException(this + " has no tasks to " + NativeTaskType.words(type)
                    + (capabilities.tasks().contains(type)
                            ? ": it was built without them"
                            : ": its device does not offer it"));
        }
    }

    Connections allConnections() {
        return connections;
    }

    private OperationPool pool(RdmaTaskType type) {
        return Objects.requireNonNull(pools.get(type));
    }
}
