/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** The operations of RDMA that a device may support ({@code doca_rdma_cap_task_..._is_supported}). */
public enum RdmaTaskType {
    /** Send to a peer that receives. */
    SEND,
    /** Send with 4 bytes of immediate data. */
    SEND_IMM,
    /** Receive messages of peers, and immediate data of their writes. */
    RECEIVE,
    /** Read a peer's memory. */
    READ,
    /** Write to a peer's memory. */
    WRITE,
    /** Write with 4 bytes of immediate data, which complete a receive of the peer. */
    WRITE_IMM,
    /** Replace a number of 8 bytes in a peer's memory if it is as expected, and return the number before. */
    ATOMIC_CMP_SWP,
    /** Add to a number of 8 bytes in a peer's memory, and return the number before. */
    ATOMIC_FETCH_ADD,
    /** Read a peer's sync event. */
    EVENT_GET,
    /** Set a peer's sync event. */
    EVENT_SET,
    /** Add to a peer's sync event. */
    EVENT_ADD;
}
