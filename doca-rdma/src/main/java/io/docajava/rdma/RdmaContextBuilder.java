/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.internal.context.ContextBuilderBase;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.rdma.DocaRdma;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Configures an {@link RdmaContext} and starts it. The SDK chooses values that are not set, unless a method documents a default. A
 * builder is used by one thread at a time.
 */
@SuppressWarnings("exports") // the methods of the base class return this builder
public final class RdmaContextBuilder extends ContextBuilderBase<RdmaContextBuilder> {

    private static final int DEFAULT_TASKS = 64;

    private Access permissions = Access.LOCAL_READ_WRITE;
    private int maxTasks = DEFAULT_TASKS;
    private final Map<RdmaTaskType, Integer> maxTasksOf = new EnumMap<>(RdmaTaskType.class);
    private boolean optimizeReports;
    private OptionalInt sendQueueSize = OptionalInt.empty();
    private OptionalInt receiveQueueSize = OptionalInt.empty();
    private OptionalInt maxSendListLength = OptionalInt.empty();
    private OptionalInt maxReceiveListLength = OptionalInt.empty();
    private TransportType transport = TransportType.RC;
    private @Nullable Mtu mtu;
    private OptionalInt grh = OptionalInt.empty();
    private OptionalInt gidIndex = OptionalInt.empty();
    private OptionalInt serviceLevel = OptionalInt.empty();
    private OptionalInt requestTimeoutMillis = OptionalInt.empty();
    private int maxConnections = 16;
    private OptionalInt rnrRetryCount = OptionalInt.empty();

    RdmaContextBuilder(Device device) {
        super(device);
    }

    /**
     * Sets the operations that peers may carry out on connections of this context, in memory that is exported with the same
     * permissions ({@code doca_rdma_set_permissions}); none by default.
     *
     * @param permissions a combination of {@link Access#RDMA_READ}, {@link Access#RDMA_WRITE} and {@link Access#RDMA_ATOMIC};
     *     {@link Access#LOCAL_READ_WRITE} has no effect
     * @return this builder
     * @throws IllegalArgumentException if {@code permissions} include one for the PCI bus
     */
    public RdmaContextBuilder permissions(Access permissions) {
        Objects.requireNonNull(permissions, "permissions");
        if (permissions.includes(Access.PCI_READ_ONLY)
                || permissions.includes(Access.PCI_READ_WRITE)
                || permissions.includes(Access.PCI_RELAXED_ORDERING)) {
            throw new IllegalArgumentException("An RDMA context gives no permissions for the PCI bus: " + permissions);
        }
        this.permissions = permissions;
        return this;
    }

    /**
     * Sets how many operations of each type may be in flight at the same time on all connections together; 64 by default. {@link
     * #maxTasks(RdmaTaskType, int)} overrides it for one type. A type that the device does not support has no tasks.
     *
     * @param tasks the number of operations of a type, except receives; 1 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public RdmaContextBuilder maxTasks(int tasks) {
        maxTasks = atLeast(1, tasks, "tasks of a type");
        return this;
    }

    /**
     * Sets how many operations of one type may be in flight at the same time ({@code doca_rdma_task_..._set_conf}).
     *
     * @param type of the operations
     * @param tasks the number of operations; 0 if the program does not use the type. With more than 0, {@link #start} fails if the
     *     device does not support the type
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is negative
     */
    public RdmaContextBuilder maxTasks(RdmaTaskType type, int tasks) {
        Objects.requireNonNull(type, "type");
        maxTasksOf.put(type, atLeast(0, tasks, "tasks to " + type.words()));
        return this;
    }

    /**
     * Sets how many receives may be posted at the same time ({@code doca_rdma_task_receive_set_conf}). The default is 64, or {@link
     * RdmaCapabilities#maxReceiveQueueSize()} if that is less.
     *
     * @param receives 0 to {@link RdmaCapabilities#maxReceiveQueueSize()}
     * @return this builder
     * @throws IllegalArgumentException if {@code receives} is negative
     */
    public RdmaContextBuilder maxReceives(int receives) {
        return maxTasks(RdmaTaskType.RECEIVE, receives);
    }

    /**
     * Sets how many operations can wait at a connection ({@code doca_rdma_set_send_queue_size}). By default there is room for all
     * tasks of the context, or as many as the device can have.
     *
     * <p>The SDK refuses further operations with {@link DocaError#NO_MEMORY}. A refused operation was not submitted, and can be
     * submitted again when others have completed; the context does this by itself while others are in flight.
     *
     * @param operations 1 to {@link RdmaCapabilities#maxSendQueueSize()}; the SDK changes it to a power of two
     * @return this builder
     * @throws IllegalArgumentException if {@code operations} is less than 1
     */
    public RdmaContextBuilder sendQueueSize(int operations) {
        sendQueueSize = OptionalInt.of(atLeast(1, operations, "operations of a send queue"));
        return this;
    }

    /**
     * Sets how many receives can wait ({@code doca_rdma_set_recv_queue_size}). By default there is room for {@link #maxReceives}.
     * Releases from 3.0 on have no such queue on the CPU: if this was called, {@link #start} fails there with {@link
     * DocaError#NOT_SUPPORTED}.
     *
     * @param receives 1 to {@link RdmaCapabilities#maxReceiveQueueSize()}
     * @return this builder
     * @throws IllegalArgumentException if {@code receives} is less than 1
     */
    public RdmaContextBuilder receiveQueueSize(int receives) {
        receiveQueueSize = OptionalInt.of(atLeast(1, receives, "receives of a receive queue"));
        return this;
    }

    /**
     * Sets how many buffers a list of this side may have, to send from, write from or read into ({@code
     * doca_rdma_set_max_send_buf_list_len}).
     *
     * @param elements 1 to {@link RdmaCapabilities#maxSendListLength()}
     * @return this builder
     * @throws IllegalArgumentException if {@code elements} is less than 1
     */
    public RdmaContextBuilder maxSendListLength(int elements) {
        maxSendListLength = OptionalInt.of(atLeast(1, elements, "elements of a list"));
        return this;
    }

    /**
     * Sets how many buffers a list to receive into may have ({@code doca_rdma_task_receive_set_dst_buf_list_len}).
     *
     * @param elements 1 to {@link RdmaCapabilities#maxReceiveListLength()}
     * @return this builder
     * @throws IllegalArgumentException if {@code elements} is less than 1
     */
    public RdmaContextBuilder maxReceiveListLength(int elements) {
        maxReceiveListLength = OptionalInt.of(atLeast(1, elements, "elements of a list"));
        return this;
    }

    /**
     * Sets the transport of the connections ({@code doca_rdma_set_transport_type}); {@link TransportType#RC} by default.
     *
     * @param type one of {@link RdmaCapabilities#transports()}; {@link #start} refuses others
     * @return this builder
     */
    public RdmaContextBuilder transport(TransportType type) {
        transport = Objects.requireNonNull(type, "type");
        return this;
    }

    /**
     * Sets the largest size of a packet ({@code doca_rdma_set_mtu}).
     *
     * @param size of a packet; some devices do not support setting it, so that {@link #start} fails
     * @return this builder
     */
    public RdmaContextBuilder mtu(Mtu size) {
        Objects.requireNonNull(size, "size");
        mtu = size;
        return this;
    }

    /**
     * Sets whether packets have a global route header ({@code doca_rdma_set_grh_enabled}).
     *
     * @param enabled true, which Ethernet needs, for packets with the header
     * @return this builder
     */
    public RdmaContextBuilder grh(boolean enabled) {
        grh = OptionalInt.of(enabled ? 1 : 0);
        return this;
    }

    /**
     * Sets the entry of the device's table of global identifiers that connections use ({@code doca_rdma_set_gid_index}). The
     * entries of both sides must be of the same network and of the same version of RoCE; otherwise connections may seem to succeed,
     * but no data flows. {@link #start} refuses an unused entry.
     *
     * @param index 0 to {@link RdmaCapabilities#gidTableSize()} - 1, a position in {@link RdmaCapabilities#gids}
     * @return this builder
     * @throws IllegalArgumentException if {@code index} is negative
     */
    public RdmaContextBuilder gidIndex(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("A GID index is 0 or more: " + index);
        }
        gidIndex = OptionalInt.of(index);
        return this;
    }

    /**
     * Sets the service level of packets, by which switches may prioritize them ({@code doca_rdma_set_sl}).
     *
     * @param level 0 to 15
     * @return this builder
     * @throws IllegalArgumentException if {@code level} is out of range
     */
    public RdmaContextBuilder serviceLevel(int level) {
        serviceLevel = OptionalInt.of(inRange(0, level, 15, "A service level"));
        return this;
    }

    /**
     * Sets how long it may take to resolve the address of a peer ({@code doca_rdma_set_connection_request_timeout}). With DOCA 3.0 a
     * request that the peer has received and not answered does not end with this timeout; cancel the future of {@link
     * RdmaContext#connect} to end it.
     *
     * @param timeout 1 ms to 65535 ms, rounded down to milliseconds
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is out of range
     */
    public RdmaContextBuilder connectionRequestTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofMillis(65535)) > 0) {
            throw new IllegalArgumentException(
                    "A connection request can take from 1 ms to 65535 ms, and not " + timeout);
        }
        requestTimeoutMillis = OptionalInt.of((int) timeout.toMillis());
        return this;
    }

    /**
     * Sets how many connections may be open at the same time ({@code doca_rdma_set_max_num_connections}); 16 by default.
     *
     * @param connections 1 to 65535
     * @return this builder
     * @throws IllegalArgumentException if {@code connections} is out of range
     */
    public RdmaContextBuilder maxConnections(int connections) {
        maxConnections = inRange(1, connections, 65535, "The number of connections");
        return this;
    }

    /**
     * Sets how often the device retries a send for which the peer has posted no receive ({@code doca_rdma_set_rnr_retry_count}).
     *
     * @param retries 0 to 7; 7 means forever
     * @return this builder
     * @throws IllegalArgumentException if {@code retries} is out of range
     */
    public RdmaContextBuilder rnrRetryCount(int retries) {
        rnrRetryCount = OptionalInt.of(inRange(0, retries, 7, "The number of retries"));
        return this;
    }

    /**
     * Sets whether the device may report some operations only together with a later one ({@code
     * DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}, since DOCA 3.0). This is less work for the device, but delays the first reports of
     * those that leave together. If one fails, the earlier ones that were not reported yet fail as well, although they were
     * executed, and the SDK does not tell which one is the cause. The first of these failures counts as the root cause, and its
     * message says that a later one may be.
     *
     * @param optimized false, which is the default, for a report of each by itself
     * @return this builder
     */
    public RdmaContextBuilder optimizeReports(boolean optimized) {
        this.optimizeReports = optimized;
        return this;
    }

    /**
     * Creates the context and starts it ({@code doca_rdma_create}, its setters, {@code doca_pe_connect_ctx}, {@code
     * doca_ctx_start}).
     *
     * @param engine that progresses the context, and whose thread calls
     * @return the running context, to be closed by the engine's thread
     * @throws IllegalArgumentException if a setting exceeds the capabilities of the device
     * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's calls
     * @throws DocaException if the device does not support RDMA, or the SDK cannot start the context
     */
    public RdmaContext start(ProgressEngine engine) {
        Objects.requireNonNull(engine, "engine");
        return start(engine, "an RDMA context being created", () -> create(engine));
    }

    /**
     * Creates the context and starts it on a loop. Any thread may call, except for that of another loop. Any thread may then connect,
     * submit operations on ranges with a future, and stop, restart and close the context.
     *
     * @param loop that progresses the context, and closes it at the end unless it is closed before
     * @return the running context
     * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
     * @throws IllegalStateException if the device is closed, or the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     * @throws DocaException as {@link #start(ProgressEngine)}
     */
    public RdmaContext start(ProgressLoop loop) {
        Objects.requireNonNull(loop, "loop");
        return startOn(loop, this::start);
    }

    private RdmaContext create(ProgressEngine engine) {
        RdmaObject rdma = new RdmaObject(device());
        try {
            RdmaCapabilities capabilities = RdmaCapabilities.read(
                    DocaCommon.doca_dev_as_devinfo(MemorySegment.ofAddress(DeviceImpl.address(device()))), place());
            Map<RdmaTaskType, Integer> tasks = tasks(capabilities);
            checkOffered(capabilities, tasks);
            setProperties(rdma);
            setQueues(rdma, capabilities, tasks);
            setCallbacks(rdma, EngineImpl.of(engine), tasks);
            RdmaLimits limits = limits(rdma, tasks);
            RdmaContext created = new RdmaContext(device(), engine, rdma, capabilities, limits, closeTimeout());
            if (optimizeReports) {
                created.core().queue().optimizeReports();
            }
            return created;
        } catch (Throwable failure) {
            rdma.discard();
            throw failure;
        }
    }

    private String place() {
        return device().info().displayName();
    }

    /** Returns the number of tasks of each type; 0 by default if the device does not support the type. */
    private Map<RdmaTaskType, Integer> tasks(RdmaCapabilities capabilities) {
        Map<RdmaTaskType, Integer> tasks = new EnumMap<>(RdmaTaskType.class);
        for (RdmaTaskType type : RdmaTaskType.values()) {
            boolean isOffered = capabilities.tasks().contains(type);
            int usual = type == RdmaTaskType.RECEIVE
                    ? (int) Math.min(DEFAULT_TASKS, capabilities.maxReceiveQueueSize())
                    : maxTasks;
            int count = maxTasksOf.getOrDefault(type, isOffered ? usual : 0);
            if (count > 0 && !isOffered) {
                throw new IllegalArgumentException(place() + " does not offer to " + type.words() + " by RDMA");
            }
            tasks.put(type, count);
        }
        return tasks;
    }

    private void checkOffered(RdmaCapabilities capabilities, Map<RdmaTaskType, Integer> tasks) {
        if (!capabilities.transports().contains(transport)) {
            throw new IllegalArgumentException(place() + " does not offer the transport " + transport);
        }
        OptionalInt receives = OptionalInt.of(tasks.getOrDefault(RdmaTaskType.RECEIVE, 0));
        checkLimit(receives, capabilities.maxReceiveQueueSize(), "receives");
        checkLimit(sendQueueSize, capabilities.maxSendQueueSize(), "operations in the send queue");
        checkLimit(receiveQueueSize, capabilities.maxReceiveQueueSize(), "receives in the receive queue");
        checkLimit(maxSendListLength, capabilities.maxSendListLength(), "elements in a list to send");
        checkLimit(maxReceiveListLength, capabilities.maxReceiveListLength(), "elements in a list to receive into");
        if (gidIndex.isPresent() && gidIndex.getAsInt() >= capabilities.gidTableSize()) {
            throw new IllegalArgumentException(place() + " has " + capabilities.gidTableSize()
                    + " GIDs; there is none of index " + gidIndex.getAsInt());
        }
        gidIndex.ifPresent(this::checkGid);
    }

    /** Refuses an unused entry, with which connections seem to succeed although no packet leaves the device. */
    private void checkGid(int index) {
        List<RdmaAddress> gids = RdmaCapabilities.gids(device().info());
        if (index < gids.size() && gids.get(index).equals(RdmaAddress.NO_GID)) {
            String usable = IntStream.range(0, gids.size())
                    .filter(i -> !gids.get(i).equals(RdmaAddress.NO_GID))
                    .mapToObj(i -> i + " (" + gids.get(i) + ")")
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    place() + " has no GID of index " + index + "; it has " + (usable.isEmpty() ? "none" : usable));
        }
    }

    private void checkLimit(OptionalInt asked, long limit, String what) {
        if (asked.isPresent() && asked.getAsInt() > limit) {
            throw new IllegalArgumentException("An RDMA context on " + place() + " can have " + limit + " " + what
                    + " at most: " + asked.getAsInt());
        }
    }

    private void setProperties(RdmaObject rdma) {
        MemorySegment pointer = rdma.pointer();
        rdma.set(
                DocaRdma.doca_rdma_set_permissions(pointer, flags(permissions)),
                "doca_rdma_set_permissions",
                "the permissions " + permissions);
        rdma.set(
                DocaRdma.doca_rdma_set_transport_type(pointer, transport.code()),
                "doca_rdma_set_transport_type",
                "the transport " + transport);
        rdma.set(
                DocaRdma.doca_rdma_set_max_num_connections(pointer, (short) maxConnections),
                "doca_rdma_set_max_num_connections",
                "the number of connections to " + maxConnections);
        OptionalInt packets = mtu == null ? OptionalInt.empty() : OptionalInt.of(mtu.code());
        rdma.set(packets, DocaRdma::doca_rdma_set_mtu, "doca_rdma_set_mtu", "the MTU");
        rdma.set(
                grh,
                (object, value) -> DocaRdma.doca_rdma_set_grh_enabled(object, value.byteValue()),
                "doca_rdma_set_grh_enabled",
                "the use of a global route header");
        rdma.set(gidIndex, DocaRdma::doca_rdma_set_gid_index, "doca_rdma_set_gid_index", "the GID index");
        rdma.set(serviceLevel, DocaRdma::doca_rdma_set_sl, "doca_rdma_set_sl", "the SL");
        rdma.set(
                requestTimeoutMillis,
                (object, value) -> DocaRdma.doca_rdma_set_connection_request_timeout(object, value.shortValue()),
                "doca_rdma_set_connection_request_timeout",
                "the connection request timeout");
        rdma.set(
                rnrRetryCount,
                (object, value) -> DocaRdma.doca_rdma_set_rnr_retry_count(object, value.byteValue()),
                "doca_rdma_set_rnr_retry_count",
                "the number of retries");
        rdma.set(
                maxSendListLength,
                DocaRdma::doca_rdma_set_max_send_buf_list_len,
                "doca_rdma_set_max_send_buf_list_len",
                "the length of lists to send");
        rdma.set(
                maxReceiveListLength,
                DocaRdma::doca_rdma_task_receive_set_dst_buf_list_len,
                "doca_rdma_task_receive_set_dst_buf_list_len",
                "the length of lists to receive into");
    }

    private void setQueues(RdmaObject rdma, RdmaCapabilities capabilities, Map<RdmaTaskType, Integer> tasks) {
        long sum = 0;
        for (Map.Entry<RdmaTaskType, Integer> entry : tasks.entrySet()) {
            sum += entry.getKey().isOnConnection() ? entry.getValue() : 0;
        }
        int room = (int) Math.clamp(sum, 1, Math.min(capabilities.maxSendQueueSize(), Integer.MAX_VALUE));
        rdma.set(
                OptionalInt.of(sendQueueSize.orElse(room)),
                DocaRdma::doca_rdma_set_send_queue_size,
                "doca_rdma_set_send_queue_size",
                "the send queue size");
        int receives = receiveQueueSize.orElse(Math.max(tasks.getOrDefault(RdmaTaskType.RECEIVE, 0), 1));
        IntSupplier setter = () -> DocaRdma.doca_rdma_set_recv_queue_size(rdma.pointer(), receives);
        String what = "the receive queue size to " + receives;
        if (receiveQueueSize.isPresent()) {
            rdma.set(setter.getAsInt(), "doca_rdma_set_recv_queue_size", what);
        } else {
            // Releases without this property size the queue by themselves.
            rdma.setIfSupported(setter, "doca_rdma_set_recv_queue_size", what);
        }
    }

    private static void setCallbacks(RdmaObject rdma, EngineImpl engine, Map<RdmaTaskType, Integer> tasks) {
        tasks.forEach((type, count) -> {
            if (count > 0) {
                rdma.configure(type, engine, count);
            }
        });
        rdma.set(
                DocaRdma.doca_rdma_set_connection_state_callbacks(
                        rdma.pointer(),
                        engine.plainEvent(Connections.REQUESTED),
                        engine.event(Connections.ESTABLISHED),
                        engine.event(Connections.FAILED),
                        engine.event(Connections.DISCONNECTED)),
                "doca_rdma_set_connection_state_callbacks",
                "the connection callbacks");
    }

    private static RdmaLimits limits(RdmaObject rdma, Map<RdmaTaskType, Integer> tasks) {
        return new RdmaLimits(
                tasks,
                rdma.get(DocaRdma::doca_rdma_get_send_queue_size, "doca_rdma_get_send_queue_size"),
                rdma.get(DocaRdma::doca_rdma_get_max_send_buf_list_len, "doca_rdma_get_max_send_buf_list_len"),
                rdma.get(
                        DocaRdma::doca_rdma_task_receive_get_dst_buf_list_len,
                        "doca_rdma_task_receive_get_dst_buf_list_len"),
                (int) rdma.get(DocaRdma::doca_rdma_get_max_num_connections, "doca_rdma_get_max_num_connections"));
    }

    private static int flags(Access access) {
        return flag(access, Access.LOCAL_READ_WRITE, DocaCommon.DOCA_ACCESS_FLAG_LOCAL_READ_WRITE())
                | flag(access, Access.RDMA_READ, DocaCommon.DOCA_ACCESS_FLAG_RDMA_READ())
                | flag(access, Access.RDMA_WRITE, DocaCommon.DOCA_ACCESS_FLAG_RDMA_WRITE())
                | flag(access, Access.RDMA_ATOMIC, DocaCommon.DOCA_ACCESS_FLAG_RDMA_ATOMIC());
    }

    private static int flag(Access access, Access one, int flag) {
        return access.includes(one) ? flag : 0;
    }

    private static int atLeast(int least, int value, String what) {
        if (value < least) {
            throw new IllegalArgumentException("An RDMA context needs " + least + " or more " + what + ": " + value);
        }
        return value;
    }

    private static int inRange(int least, int value, int most, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is from " + least + " to " + most + ", and not " + value);
        }
        return value;
    }

    /** Returns the type of this builder and the name of the device. */
    @Override
    public String toString() {
        return description();
    }
}
