/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.call.CapabilityReader;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.TransportType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Reads what a device can do. */
public final class CapabilityQueries {

    private static final int GID_BYTES = 16;

    /** The address of an unused entry of the table. */
    static final RdmaAddress NO_GID = RdmaAddress.gid(new byte[GID_BYTES]);

    private CapabilityQueries() {}

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    public static RdmaCapabilities capabilities(MemorySegment info, String name) {
        CapabilityReader reader = new CapabilityReader(info, "reading the RDMA capabilities of " + name);
        return new RdmaCapabilities(
                supported(
                        RdmaTaskType.values(),
                        task -> reader.can(
                                NativeTaskType.function(task), device -> NativeTaskType.isSupported(task, device))),
                reader.limit("doca_rdma_cap_get_max_message_size", DocaRdma::doca_rdma_cap_get_max_message_size),
                reader.limit("doca_rdma_cap_get_max_send_queue_size", DocaRdma::doca_rdma_cap_get_max_send_queue_size),
                reader.limit("doca_rdma_cap_get_max_recv_queue_size", DocaRdma::doca_rdma_cap_get_max_recv_queue_size),
                reader.limit(
                        "doca_rdma_cap_get_max_send_buf_list_len", DocaRdma::doca_rdma_cap_get_max_send_buf_list_len),
                reader.limit(
                        "doca_rdma_cap_task_receive_get_max_dst_buf_list_len",
                        (device, out) -> DocaRdma.doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
                                device, NativeCodes.code(TransportType.RC), out)),
                reader.limit("doca_rdma_cap_get_gid_table_size", DocaRdma::doca_rdma_cap_get_gid_table_size),
                supported(
                        TransportType.values(),
                        transport -> reader.can(
                                "doca_rdma_cap_transport_type_is_supported",
                                device -> DocaRdma.doca_rdma_cap_transport_type_is_supported(
                                        device, NativeCodes.code(transport)))));
    }

    private static <T> Set<T> supported(T[] values, Predicate<T> isSupported) {
        return Arrays.stream(values).filter(isSupported).collect(Collectors.toUnmodifiableSet());
    }

    /** Reads the table of GIDs of a native {@code doca_devinfo}. */
    public static List<RdmaAddress> gids(MemorySegment info, String name) {
        String attempt = "reading the GIDs of " + name;
        CapabilityReader reader = new CapabilityReader(info, attempt);
        int count = (int) reader.limit("doca_rdma_cap_get_gid_table_size", DocaRdma::doca_rdma_cap_get_gid_table_size);
        if (count == 0) {
            return List.of();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate((long) count * GID_BYTES);
            Calls.check(DocaRdma.doca_rdma_cap_get_gid(info, 0, count, table), "doca_rdma_cap_get_gid", attempt);
            List<RdmaAddress> gids = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                gids.add(RdmaAddress.gid(
                        table.asSlice((long) i * GID_BYTES, GID_BYTES).toArray(ValueLayout.JAVA_BYTE)));
            }
            return List.copyOf(gids);
        }
    }
}
