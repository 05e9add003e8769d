/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.call.CapabilityReader;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.ffi.generated.rdma.DocaRdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * RDMA capabilities of a device. The limit of a feature that the device does not support is 0.
 *
 * @param tasks the operations that the device supports; unmodifiable
 * @param maxMessageSize the number of bytes that one message may have ({@code doca_rdma_cap_get_max_message_size})
 * @param maxSendQueueSize the number of operations that can wait at a connection ({@code doca_rdma_cap_get_max_send_queue_size})
 * @param maxReceiveQueueSize the number of receives that can wait ({@code doca_rdma_cap_get_max_recv_queue_size})
 * @param maxSendListLength the number of buffers that a list of one operation may have ({@code
 *     doca_rdma_cap_get_max_send_buf_list_len})
 * @param maxReceiveListLength the number of buffers that a list to receive into may have, with {@link TransportType#RC} ({@code
 *     doca_rdma_cap_task_receive_get_max_dst_buf_list_len})
 * @param gidTableSize the number of entries of the device's table of global identifiers ({@code doca_rdma_cap_get_gid_table_size})
 * @param transports the transports that connections can use ({@code doca_rdma_cap_transport_type_is_supported}); unmodifiable
 */
public record RdmaCapabilities(
        Set<RdmaTaskType> tasks,
        long maxMessageSize,
        long maxSendQueueSize,
        long maxReceiveQueueSize,
        long maxSendListLength,
        long maxReceiveListLength,
        long gidTableSize,
        Set<TransportType> transports) {

    /** Copies the sets. */
    public RdmaCapabilities {
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(transports, "transports");
        tasks = Set.copyOf(tasks);
        transports = Set.copyOf(transports);
    }

    /**
     * Returns the capabilities of a device. Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return the capabilities; none if the device has been removed
     * @throws DocaException if the SDK cannot read them
     */
    public static RdmaCapabilities of(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new RdmaCapabilities(Set.of(), 0, 0, 0, 0, 0, 0, Set.of()));
    }

    /**
     * Returns the table of global identifiers of a device ({@code doca_rdma_cap_get_gid}). Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return an unmodifiable list in the order of {@link RdmaContextBuilder#gidIndex}, with 16 bytes of 0 for an unused entry;
     *     empty if the device has been removed
     * @throws DocaException if the SDK cannot read them
     */
    public static List<RdmaAddress> gids(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, info -> readGids(info, device.displayName()))
                .orElseGet(List::of);
    }

    private static List<RdmaAddress> readGids(MemorySegment info, String name) {
        String attempt = "reading the GIDs of " + name;
        CapabilityReader reader = new CapabilityReader(info, attempt);
        int count = (int) reader.limit("doca_rdma_cap_get_gid_table_size", DocaRdma::doca_rdma_cap_get_gid_table_size);
        if (count == 0) {
            return List.of();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate((long) count * RdmaAddress.GID_BYTES);
            Calls.check(DocaRdma.doca_rdma_cap_get_gid(info, 0, count, table), "doca_rdma_cap_get_gid", attempt);
            List<RdmaAddress> gids = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                gids.add(RdmaAddress.gid(table.asSlice((long) i * RdmaAddress.GID_BYTES, RdmaAddress.GID_BYTES)
                        .toArray(ValueLayout.JAVA_BYTE)));
            }
            return List.copyOf(gids);
        }
    }

    /**
     * Returns whether a device supports any operation of RDMA. Usable as a filter of devices. Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return whether the device supports it; false if the device has been removed
     * @throws DocaException if the SDK cannot read the capabilities
     */
    public static boolean isSupported(DeviceInfo device) {
        return !of(device).tasks().isEmpty();
    }

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    static RdmaCapabilities read(MemorySegment info, String name) {
        CapabilityReader reader = new CapabilityReader(info, "reading the RDMA capabilities of " + name);
        return new RdmaCapabilities(
                supported(RdmaTaskType.values(), task -> reader.can(task.function(), task::isSupported)),
                reader.limit("doca_rdma_cap_get_max_message_size", DocaRdma::doca_rdma_cap_get_max_message_size),
                reader.limit("doca_rdma_cap_get_max_send_queue_size", DocaRdma::doca_rdma_cap_get_max_send_queue_size),
                reader.limit("doca_rdma_cap_get_max_recv_queue_size", DocaRdma::doca_rdma_cap_get_max_recv_queue_size),
                reader.limit(
                        "doca_rdma_cap_get_max_send_buf_list_len", DocaRdma::doca_rdma_cap_get_max_send_buf_list_len),
                reader.limit(
                        "doca_rdma_cap_task_receive_get_max_dst_buf_list_len",
                        (device, out) -> DocaRdma.doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
                                device, TransportType.RC.code(), out)),
                reader.limit("doca_rdma_cap_get_gid_table_size", DocaRdma::doca_rdma_cap_get_gid_table_size),
                supported(
                        TransportType.values(),
                        transport -> reader.can(
                                "doca_rdma_cap_transport_type_is_supported",
                                device ->
                                        DocaRdma.doca_rdma_cap_transport_type_is_supported(device, transport.code()))));
    }

    private static <T> Set<T> supported(T[] values, Predicate<T> isSupported) {
        return Arrays.stream(values).filter(isSupported).collect(Collectors.toUnmodifiableSet());
    }
}
