/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.rdma.RdmaTaskType;
import java.lang.foreign.MemorySegment;

/** What the SDK calls the types of tasks, and how their operations differ. */
final class NativeTaskType {

    private NativeTaskType() {}

    /** Returns the name for messages. */
    static String words(RdmaTaskType type) {
        return switch (type) {
            case SEND -> "send";
            case SEND_IMM -> "send with immediate data";
            case RECEIVE -> "receive";
            case READ -> "read";
            case WRITE -> "write";
            case WRITE_IMM -> "write with immediate data";
            case ATOMIC_CMP_SWP -> "compare-and-swap";
            case ATOMIC_FETCH_ADD -> "fetch-and-add";
            case EVENT_GET -> "read a sync event";
            case EVENT_SET -> "set a sync event";
            case EVENT_ADD -> "add to a sync event";
        };
    }

    private static String nativeName(RdmaTaskType type) {
        return switch (type) {
            case SEND -> "send";
            case SEND_IMM -> "send_imm";
            case RECEIVE -> "receive";
            case READ -> "read";
            case WRITE -> "write";
            case WRITE_IMM -> "write_imm";
            case ATOMIC_CMP_SWP -> "atomic_cmp_swp";
            case ATOMIC_FETCH_ADD -> "atomic_fetch_add";
            case EVENT_GET -> "remote_net_sync_event_get";
            case EVENT_SET -> "remote_net_sync_event_notify_set";
            case EVENT_ADD -> "remote_net_sync_event_notify_add";
        };
    }

    /** Returns whether operations of this type are on a connection; receives are on the context. */
    static boolean isOnConnection(RdmaTaskType type) {
        return type != RdmaTaskType.RECEIVE;
    }

    /** Returns whether the local side of an operation is a number in memory of the context instead of a buffer of the caller. */
    static boolean hasCell(RdmaTaskType type) {
        return switch (type) {
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD, EVENT_GET, EVENT_SET, EVENT_ADD -> true;
            case SEND, SEND_IMM, RECEIVE, READ, WRITE, WRITE_IMM -> false;
        };
    }

    /** Returns whether operations of this type write to a buffer of the peer's memory. */
    static boolean isWrite(RdmaTaskType type) {
        return type == RdmaTaskType.WRITE || type == RdmaTaskType.WRITE_IMM;
    }

    /** Returns the prefix of the C functions for tasks of this type. */
    static String prefix(RdmaTaskType type) {
        return "doca_rdma_task_" + nativeName(type);
    }

    /** Returns a {@code doca_error_t}: whether a native {@code doca_devinfo} supports this type. */
    static int isSupported(RdmaTaskType type, MemorySegment device) {
        return switch (type) {
            case SEND -> DocaRdma.doca_rdma_cap_task_send_is_supported(device);
            case SEND_IMM -> DocaRdma.doca_rdma_cap_task_send_imm_is_supported(device);
            case RECEIVE -> DocaRdma.doca_rdma_cap_task_receive_is_supported(device);
            case READ -> DocaRdma.doca_rdma_cap_task_read_is_supported(device);
            case WRITE -> DocaRdma.doca_rdma_cap_task_write_is_supported(device);
            case WRITE_IMM -> DocaRdma.doca_rdma_cap_task_write_imm_is_supported(device);
            case ATOMIC_CMP_SWP -> DocaRdma.doca_rdma_cap_task_atomic_cmp_swp_is_supported(device);
            case ATOMIC_FETCH_ADD -> DocaRdma.doca_rdma_cap_task_atomic_fetch_add_is_supported(device);
            case EVENT_GET -> DocaRdma.doca_rdma_cap_task_remote_net_sync_event_get_is_supported(device);
            case EVENT_SET -> DocaRdma.doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(device);
            case EVENT_ADD -> DocaRdma.doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(device);
        };
    }

    /** Returns the name of the C function that {@link #isSupported} calls. */
    static String function(RdmaTaskType type) {
        return "doca_rdma_cap_task_" + nativeName(type) + "_is_supported";
    }
}
