/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaError;
import io.docajava.core.DocaException;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.rdma.DocaRdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToIntBiFunction;

/**
 * What a device can do by RDMA. A limit is 0 where the device does not offer what it limits.
 *
 * @param tasks the operations that it offers
 * @param maxMessageSize the bytes of one message ({@code doca_rdma_cap_get_max_message_size})
 * @param maxSendQueueSize the operations that can wait at a connection ({@code doca_rdma_cap_get_max_send_queue_size})
 * @param maxReceiveQueueSize the receives that can wait ({@code doca_rdma_cap_get_max_recv_queue_size})
 * @param maxSendListLength the elements that a buffer list of one operation may have
 *     ({@code doca_rdma_cap_get_max_send_buf_list_len})
 */
public record RdmaCapabilities(
        Set<RdmaTaskType> tasks,
        long maxMessageSize,
        long maxSendQueueSize,
        long maxReceiveQueueSize,
        long maxSendListLength) {

    /** Keeps its own copy of the set. */
    public RdmaCapabilities {
        tasks = Set.copyOf(tasks);
    }

    /**
     * Asks a listed device, which need not be open. Any thread may ask.
     *
     * @return what it can do; nothing if it is there no more
     * @throws DocaException if the device does not answer
     */
    public static RdmaCapabilities of(DeviceInfo device) {
        return Handles.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new RdmaCapabilities(Set.of(), 0, 0, 0, 0));
    }

    /** Whether a device offers any operation of RDMA: a filter for devices. */
    public static boolean isSupported(DeviceInfo device) {
        return !of(device).tasks().isEmpty();
    }

    private static RdmaCapabilities read(MemorySegment info, String device) {
        String attempt = "asking for the RDMA capabilities of " + device;
        Set<RdmaTaskType> tasks = EnumSet.noneOf(RdmaTaskType.class);
        for (RdmaTaskType task : RdmaTaskType.values()) {
            if (isOffered(task.isSupported(info), task.function(), attempt)) {
                tasks.add(task);
            }
        }
        return new RdmaCapabilities(
                tasks,
                limit(
                        DocaRdma::doca_rdma_cap_get_max_message_size,
                        info,
                        "doca_rdma_cap_get_max_message_size",
                        attempt),
                limit(
                        DocaRdma::doca_rdma_cap_get_max_send_queue_size,
                        info,
                        "doca_rdma_cap_get_max_send_queue_size",
                        attempt),
                limit(
                        DocaRdma::doca_rdma_cap_get_max_recv_queue_size,
                        info,
                        "doca_rdma_cap_get_max_recv_queue_size",
                        attempt),
                limit(
                        DocaRdma::doca_rdma_cap_get_max_send_buf_list_len,
                        info,
                        "doca_rdma_cap_get_max_send_buf_list_len",
                        attempt));
    }

    private static long limit(
            ToIntBiFunction<MemorySegment, MemorySegment> query, MemorySegment info, String function, String attempt) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            return isOffered(query.applyAsInt(info, out), function, attempt)
                    ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0))
                    : 0;
        }
    }

    private static boolean isOffered(int result, String function, String attempt) {
        if (result == DocaError.NOT_SUPPORTED.code()) {
            return false;
        }
        Calls.check(result, function, attempt);
        return true;
    }
}
