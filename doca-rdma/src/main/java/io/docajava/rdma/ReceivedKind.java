/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** The operations of a peer that complete a receive ({@code enum doca_rdma_opcode}). */
public enum ReceivedKind {
    /** The peer sent a message. */
    SEND,
    /** The peer sent a message with immediate data. */
    SEND_IMMEDIATE,
    /** The peer wrote to memory of this side other than that of the receive, with immediate data. */
    WRITE_IMMEDIATE;

    /** {@return whether the operation has immediate data} */
    public boolean hasImmediate() {
        return this != SEND;
    }
}
