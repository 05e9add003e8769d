/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.device.Device;
import io.docajava.core.internal.context.AbstractContextBuilder;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.Mtu;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaLimits;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.TransportType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link RdmaContextBuilder}. */
public final class RdmaContextBuilderImpl extends AbstractContextBuilder<RdmaContextBuilder>
        implements RdmaContextBuilder {

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

    RdmaContextBuilderImpl(Device device) {
        super(device);
    }

    @Override
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

    @Override
    public RdmaContextBuilder maxTasks(int tasks) {
        maxTasks = atLeast(1, tasks, "tasks of a type");
        return this;
    }

    @Override
    public RdmaContextBuilder maxTasks(RdmaTaskType type, int tasks) {
        StackGuard.check();
        Objects.requireNonNull(type, "type");
        maxTasksOf.put(type, atLeast(0, tasks, "tasks to " + NativeTaskType.words(type)));
        return this;
    }

    @Override
    public RdmaContextBuilder maxReceives(int receives) {
        return maxTasks(RdmaTaskType.RECEIVE, receives);
    }

    @Override
    public RdmaContextBuilder sendQueueSize(int operations) {
        sendQueueSize = OptionalInt.of(atLeast(1, operations, "operations of a send queue"));
        return this;
    }

    @Override
    public RdmaContextBuilder receiveQueueSize(int receives) {
        receiveQueueSize = OptionalInt.of(atLeast(1, receives, "receives of a receive queue"));
        return this;
    }

    @Override
    public RdmaContextBuilder maxSendListLength(int elements) {
        maxSendListLength = OptionalInt.of(atLeast(1, elements, "elements of a list"));
        return this;
    }

    @Override
    public RdmaContextBuilder maxReceiveListLength(int elements) {
        maxReceiveListLength = OptionalInt.of(atLeast(1, elements, "elements of a list"));
        return this;
    }

    @Override
    public RdmaContextBuilder transport(TransportType type) {
        transport = Objects.requireNonNull(type, "type");
        return this;
    }

    @Override
    public RdmaContextBuilder mtu(Mtu size) {
        Objects.requireNonNull(size, "size");
        mtu = size;
        return this;
    }

    @Override
    public RdmaContextBuilder grh(boolean enabled) {
        grh = OptionalInt.of(enabled ? 1 : 0);
        return this;
    }

    @Override
    public RdmaContextBuilder gidIndex(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("A GID index is 0 or more: " + index);
        }
        gidIndex = OptionalInt.of(index);
        return this;
    }

    @Override
    public RdmaContextBuilder serviceLevel(int level) {
        serviceLevel = OptionalInt.of(inRange(0, level, 15, "A service level"));
        return this;
    }

    @Override
    public RdmaContextBuilder connectionRequestTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofMillis(65535)) > 0) {
            throw new IllegalArgumentException(
                    "A connection request can take from 1 ms to 65535 ms, and not " + timeout);
        }
        requestTimeoutMillis = OptionalInt.of((int) timeout.toMillis());
        return this;
    }

    @Override
    public RdmaContextBuilder maxConnections(int connections) {
        maxConnections = inRange(1, connections, 65535, "The number of connections");
        return this;
    }

    @Override
    public RdmaContextBuilder rnrRetryCount(int retries) {
        rnrRetryCount = OptionalInt.of(inRange(0, retries, 7, "The number of retries"));
        return this;
    }

    @Override
    public RdmaContextBuilder optimizeReports(boolean optimized) {
        this.optimizeReports = optimized;
        return this;
    }

    @Override
    public RdmaContext start(ProgressEngine engine) {
        Objects.requireNonNull(engine, "engine");
        return start(engine, "an RDMA context being created", () -> create(engine));
    }

    @Override
    public RdmaContext start(ProgressLoop loop) {
        Objects.requireNonNull(loop, "loop");
        return startOn(loop, this::start);
    }

    private RdmaContextImpl create(ProgressEngine engine) {
        RdmaObject rdma = new RdmaObject(device());
        try {
            RdmaCapabilities capabilities = CapabilityQueries.capabilities(
                    DocaCommon.doca_dev_as_devinfo(MemorySegment.ofAddress(DeviceImpl.address(device()))), place());
            Map<RdmaTaskType, Integer> tasks = tasks(capabilities);
            checkOffered(capabilities, tasks);
            setProperties(rdma);
            setQueues(rdma, capabilities, tasks);
            setCallbacks(rdma, EngineImpl.of(engine), tasks);
            RdmaLimits limits = limits(rdma, tasks);
            RdmaContextImpl created =
                    new RdmaContextImpl(device(), EngineImpl.of(engine), rdma, capabilities, limits, closeTimeout());
            if (optimizeReports) {
                created.queue().optimizeReports();
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
                throw new IllegalArgumentException(
                        place() + " does not offer to " + NativeTaskType.words(type) + " by RDMA");
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
        if (index < gids.size() && gids.get(index).equals(CapabilityQueries.NO_GID)) {
            String usable = IntStream.range(0, gids.size())
                    .filter(i -> !gids.get(i).equals(CapabilityQueries.NO_GID))
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
                DocaRdma.doca_rdma_set_transport_type(pointer, NativeCodes.code(transport)),
                "doca_rdma_set_transport_type",
                "the transport " + transport);
        rdma.set(
                DocaRdma.doca_rdma_set_max_num_connections(pointer, (short) maxConnections),
                "doca_rdma_set_max_num_connections",
                "the number of connections to " + maxConnections);
        OptionalInt packets = mtu == null ? OptionalInt.empty() : OptionalInt.of(NativeCodes.code(mtu));
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
            sum += NativeTaskType.isOnConnection(entry.getKey()) ? entry.getValue() : 0;
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
}
