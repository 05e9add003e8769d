/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.generated.rdma.DocaRdma;
import java.lang.foreign.MemorySegment;

/** The operations of RDMA that a device may support ({@code doca_rdma_cap_task_..._is_supported}). */
public enum RdmaTaskType {
    /** Send to a peer that receives. */
    SEND("send", "send"),
    /** Send with 4 bytes of immediate data. */
    SEND_IMM("send with immediate data", "send_imm"),
    /** Receive messages of peers, and immediate data of their writes. */
    RECEIVE("receive", "receive"),
    /** Read a peer's memory. */
    READ("read", "read"),
    /** Write to a peer's memory. */
    WRITE("write", "write"),
    /** Write with 4 bytes of immediate data, which complete a receive of the peer. */
    WRITE_IMM("write with immediate data", "write_imm"),
    /** Replace a number of 8 bytes in a peer's memory if it is as expected, and return the number before. */
    ATOMIC_CMP_SWP("compare-and-swap", "atomic_cmp_swp"),
    /** Add to a number of 8 bytes in a peer's memory, and return the number before. */
    ATOMIC_FETCH_ADD("fetch-and-add", "atomic_fetch_add"),
    /** Read a peer's sync event. */
    EVENT_GET("read a sync event", "remote_net_sync_event_get"),
    /** Set a peer's sync event. */
    EVENT_SET("set a sync event", "remote_net_sync_event_notify_set"),
    /** Add to a peer's sync event. */
    EVENT_ADD("add to a sync event", "remote_net_sync_event_notify_add");

    private final String words;
    private final String nativeName;

    RdmaTaskType(String words, String nativeName) {
        this.words = words;
        this.nativeName = nativeName;
    }

    /** Returns the name for messages. */
    String words() {
        return words;
    }

    /** Returns whether operations of this type are on a connection; receives are on the context. */
    boolean isOnConnection() {
        return this != RECEIVE;
    }

    /** Returns whether the local side of an operation is a number in memory of the context instead of a buffer of the caller. */
    boolean hasCell() {
        return switch (this) {
            case ATOMIC_CMP_SWP, ATOMIC_FETCH_ADD, EVENT_GET, EVENT_SET, EVENT_ADD -> true;
            case SEND, SEND_IMM, RECEIVE, READ, WRITE, WRITE_IMM -> false;
        };
    }

    /** Returns whether operations of this type write to a buffer of the peer's memory. */
    boolean isWrite() {
        return this == WRITE || this == WRITE_IMM;
    }

    /** Returns the prefix of the C functions for tasks of this type. */
    String prefix() {
        return "doca_rdma_task_" + nativeName;
    }

    /** Returns a {@code doca_error_t}: whether a native {@code doca_devinfo} supports this type. */
    int isSupported(MemorySegment device) {
        return switch (this) {
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
    String function() {
        return "doca_rdma_cap_task_" + nativeName + "_is_supported";
    }
}
