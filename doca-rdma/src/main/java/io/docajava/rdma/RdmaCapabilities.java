/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.ffi.argument.Elements;
import io.docajava.rdma.internal.CapabilityQueries;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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
        tasks = Elements.copyOfSet(tasks, "tasks");
        transports = Elements.copyOfSet(transports, "transports");
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
        return DeviceImpl.ask(device, info -> CapabilityQueries.capabilities(info, device.displayName()))
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
        return DeviceImpl.ask(device, info -> CapabilityQueries.gids(info, device.displayName()))
                .orElseGet(List::of);
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
}
