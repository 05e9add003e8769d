/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Batch;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends to and receives from peers, and works in their memory, {@code struct doca_rdma}.
 *
 * <p>There are two ways to connect. Two programs that can exchange a few hundred bytes by other means do so: each {@linkplain
 * #prepareConnection() prepares} a connection, hands its {@linkplain RdmaConnection#details() details} to the other one, and
 * {@linkplain RdmaConnection#connect connects} with those that it gets. Or one {@linkplain #listen listens} and the other one
 * {@linkplain #connect connects} to its address.
 *
 * {@snippet :
 * RdmaConnection connection = rdma.connect(RdmaAddress.ipv4("192.168.100.1"), 13579).await(engine);
 * connection.write(source, remote).await(engine);
 * }
 *
 * <p>{@link RdmaConnection} describes operations on a connection; receives are posted here, for whatever connection a
 * message comes by.
 *
 * <p>Most failures of operations stop the context: it goes from {@link ContextState#RUNNING} to {@link
 * ContextState#STOPPING}, all operations and receives in flight fail, and progress brings it to {@link ContextState#IDLE}. Its
 * connections are over then. After {@link #restart()} it can prepare, listen and connect anew. The exception is the peer of a
 * connection by address that dies or disconnects: that ends only its connection, with the operations in flight on it.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits when no task is free, and no later one with a future
 * passes it; one with a handler does not wait.
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class RdmaContext extends ContextBase {

    private final Device device;
    private final ProgressEngine engine;
    private final RdmaCapabilities capabilities;
    private final RdmaLimits limits;
    private final ConnectionCheck connectionCheck;
    private final Map<RdmaTaskType, OperationPool> pools = new EnumMap<>(RdmaTaskType.class);
    private final ReceiveOperations receiving;
    private final OperationPool receives;
    private final Probes probes;
    private final Connections connections;
    private final ContextCore core;
    private final WaitingLine waitingOperations;
    private final WaitingLine waitingReceives;

    RdmaContext(
            RdmaContextBuilder.Parts parts,
            ConnectionCheck connectionCheck,
            ProgressEngine engine,
            Duration closeTimeout) {
        super(parts.device(), engine);
        this.device = parts.device();
        this.engine = engine;
        this.capabilities = parts.capabilities();
        this.limits = parts.limits();
        this.connectionCheck = connectionCheck;
        RdmaObject rdma = parts.rdma();
        List<OperationPool> all = new ArrayList<>();
        int index = 0;
        for (RdmaTaskType type : RdmaTaskType.values()) {
            if (type.isOnConnection()) {
                OperationPool pool = operations(type, parts, index, limits.maxTasks(type));
                pools.put(type, pool);
                all.add(pool);
                index += pool.size();
            }
        }
        OperationPool probing = operations(RdmaTaskType.WRITE, parts, index, parts.probes());
        index += probing.size();
        all.add(probing);
        this.probes = new Probes(probing);
        int maxReceives = limits.maxTasks(RdmaTaskType.RECEIVE);
        this.receiving = new ReceiveOperations(this, rdma, parts.check(), maxReceives);
        this.receives = new OperationPool(receiving, "task to receive", "maxReceives()", index, maxReceives);
        all.add(receives);
        this.connections = new Connections(this, rdma);
        this.core = new ContextCore(
                this,
                "RDMA context on " + device.info().displayName(),
                device,
                EngineAccess.core(engine),
                rdma,
                all,
                closeTimeout);
        inside(core);
        this.waitingOperations = core.openLine();
        this.waitingReceives = core.openLine();
    }

    private OperationPool operations(RdmaTaskType type, RdmaContextBuilder.Parts parts, int firstIndex, int size) {
        AtomicResultBuffers cells = type.hasCell() && size > 0 ? new AtomicResultBuffers(device, size) : null;
        if (cells != null) {
            parts.rdma().add(cells);
        }
        return new OperationPool(
                new ConnectionOperations(type, parts.rdma(), parts.check(), cells),
                "task to " + type.words(),
                "maxTasks(RdmaTaskType." + type + ", n)",
                firstIndex,
                size);
    }

    /**
     * Whether a device offers any operation of RDMA ({@code doca_rdma_cap_task_..._is_supported}); false if the device is there
     * no more. Any thread may ask.
     */
    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return RdmaCapabilities.isSupported(device);
    }

    /** Whether a device offers an operation, as {@link #isSupported(DeviceInfo)}. */
    public static boolean isSupported(DeviceInfo device, RdmaTaskType type) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(type, "type");
        return RdmaCapabilities.of(device).tasks().contains(type);
    }

    /** Configures a context on an open device. */
    public static RdmaContextBuilder builder(Device device) {
        return new RdmaContextBuilder(device);
    }

    /** Returns the capabilities of the device. */
    public RdmaCapabilities capabilities() {
        return capabilities;
    }

    /** Returns the limits of this context. */
    public RdmaLimits limits() {
        return limits;
    }

    /**
     * Prepares a connection whose details are to go to the peer by other means ({@code doca_rdma_export}).
     *
     * @throws IllegalStateException if the context is closed, or the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example as there are too many connections
     */
    public RdmaConnection prepareConnection() {
        return connections.prepare();
    }

    /**
     * Connects to a peer that listens ({@code doca_rdma_addr_create}, {@code doca_rdma_connect_to_addr}).
     *
     * @param port from 1 to 65535
     * @return completes with the connection when data can flow; with a {@link DocaException} if the peer is not found, rejects,
     *     or does not answer within the connection request timeout; and with a {@link ConnectionEndedException} if the context
     *     has stopped before
     * @throws IllegalArgumentException if there is no such port
     * @throws IllegalStateException if the context is closed, or the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example an address that it cannot read
     */
    public Completion<RdmaConnection> connect(RdmaAddress address, int port) {
        Objects.requireNonNull(address, "address");
        checkPort(port);
        return connections.ask(address, port);
    }

    /**
     * Lets peers ask for connections at the addresses of the device, until the listener is closed or the context stops ({@code
     * doca_rdma_start_listen_to_port}).
     *
     * @param port from 1 to 65535
     * @param handler called for each request by the engine's thread; what it throws goes to the engine's error handler
     * @throws IllegalArgumentException if there is no such port
     * @throws IllegalStateException if the context is closed, or the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example as another context has the port
     */
    public RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler) {
        Objects.requireNonNull(handler, "handler");
        checkPort(port);
        return connections.listen(port, handler);
    }

    private static void checkPort(int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("A port is a number from 1 to 65535: " + port);
        }
    }

    /** The connections that are not over, those included that are not established yet. */
    public List<RdmaConnection> connections() {
        core.checkUsable();
        return connections.open();
    }

    /**
     * Posts a receive ({@code doca_rdma_task_receive}). Messages go into receives in the order in which these were posted,
     * whatever connection they come by.
     *
     * @param buffer behind whose data the message goes; or the first one of a list. The data have grown by the message then
     * @return completes with the message; with a {@link TaskFailedException}; with a {@link ContextNotRunningException}; with a
     *     {@link ResourceExhaustedException} if no task is free, and the engine is not that of a loop; or with another {@link
     *     DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the buffer is not one to receive into
     * @throws IllegalStateException if the context or the buffer is closed, the buffer is otherwise in use, or the thread is the
     *     wrong one
     */
    public Completion<Received> receive(Buf buffer) {
        return startReceive(Objects.requireNonNull(buffer, "buffer"));
    }

    /** Posts a receive without a buffer, for messages of 0 bytes and for writes with immediate data; see {@link #receive(Buf)}. */
    public Completion<Received> receive() {
        return startReceive(null);
    }

    private Completion<Received> startReceive(@Nullable Buf buffer) {
        core.checkUsable();
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        Completion<Received> completion = EngineAccess.completion(engine);
        return waitingReceives.start(
                receives,
                null,
                buffer,
                null,
                null,
                completion,
                () -> submitReceive(buffer, receiving.futures(), completion));
    }

    private void submitReceive(@Nullable Buf buffer, OperationSink sink, Object receiver) {
        takeReceive(buffer).submit(sink, receiver);
    }

    /** {@link #receive(Buf)} with a handler in place of a future; allocates nothing. */
    public void receive(Buf buffer, ReceiveHandler handler) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        submitReceive(buffer, receiving.handlers(), handler);
    }

    /** {@link #receive()} with a handler in place of a future; allocates nothing. */
    public void receive(ReceiveHandler handler) {
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        submitReceive(null, receiving.handlers(), handler);
    }

    /**
     * Takes a task to {@link #receive(Buf)} that can be posted any number of times, and belongs to the caller until it is closed.
     *
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if no task is free
     */
    public ReceiveTask receiveTask(Buf buffer) {
        Objects.requireNonNull(buffer, "buffer");
        core.checkUsable();
        return new ReceiveTask(this, receiving, takeReceive(buffer));
    }

    /** A task to {@link #receive()}, as {@link #receiveTask(Buf)}. */
    public ReceiveTask receiveTask() {
        core.checkUsable();
        return new ReceiveTask(this, receiving, takeReceive(null));
    }

    private Operation takeReceive(@Nullable Buf buffer) {
        checkHasTasks(RdmaTaskType.RECEIVE, receives);
        return receives.take().local(buffer);
    }

    /** Opens a batch with a report for each operation: {@link #batch(Batch.Reports)}. */
    public Batch batch() {
        return core.openBatch(false);
    }

    /**
     * Opens a batch, which submits many operations and receives with a single doorbell.
     *
     * @throws IllegalStateException if the context is closed or has an open batch
     * @throws ContextNotRunningException if the context is not running
     */
    public Batch batch(Batch.Reports reports) {
        return core.openBatch(Objects.requireNonNull(reports, "reports") == Batch.Reports.TOGETHER);
    }

    /** Starts an operation with a future. */
    Completion<Long> submit(RdmaConnection connection, RdmaOperation operation) {
        core.checkUsable();
        OperationPool pool = pool(operation.type());
        checkHasTasks(operation.type(), pool);
        Completion<Long> completion = EngineAccess.completion(engine);
        return waitingOperations.start(
                pool,
                connection,
                operation.local(),
                operation.remote(),
                operation.event(),
                completion,
                () -> take(connection, operation).submit(OperationSink.future(), completion));
    }

    /** Starts an operation with a handler. */
    void submit(RdmaConnection connection, RdmaOperation operation, RdmaHandler handler) {
        core.checkRunning();
        take(connection, operation).submit(ConnectionOperations.Handlers.INSTANCE, handler);
    }

    /** Takes a task for an operation. */
    RdmaTask task(RdmaConnection connection, RdmaOperation operation) {
        core.checkUsable();
        return new RdmaTask(this, operation.type(), take(connection, operation));
    }

    private Operation take(RdmaConnection connection, RdmaOperation operation) {
        OperationPool pool = pool(operation.type());
        Operation taken = pool.poll();
        if (taken == null) {
            checkHasTasks(operation.type(), pool);
            throw pool.noFreeTask();
        }
        return operation.applyTo(taken.on(connection));
    }

    private void checkHasTasks(RdmaTaskType type, OperationPool pool) {
        if (pool.size() == 0) {
            throw new IllegalStateException(this + " has no tasks to " + type.words()
                    + (capabilities.tasks().contains(type)
                            ? ": its builder was told so"
                            : ": its device does not offer it"));
        }
    }

    /** Checks whether data can flow on a connection, and notifies it. */
    void check(RdmaConnection connection) {
        switch (connectionCheck) {
            case EMPTY_WRITE -> probes.add(connection);
            case NONE -> connection.established();
        }
    }

    /** Refuses connections of others. */
    void checkOwn(RdmaConnection connection) {
        if (!connection.context().equals(this)) {
            throw new IllegalArgumentException(connection + " is not one of the " + this);
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
}
