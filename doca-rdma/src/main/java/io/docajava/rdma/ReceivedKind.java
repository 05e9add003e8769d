/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** What a peer did that a receive was for, {@code enum doca_rdma_opcode}. */
public enum ReceivedKind {
    /** It sent a message. */
    SEND,
    /** It sent a message with immediate data. */
    SEND_IMMEDIATE,
    /** It wrote to memory of this side, not to that of the receive, and gave immediate data. */
    WRITE_IMMEDIATE;

    private static final ReceivedKind[] BY_CODE = values();

    /** Returns whether immediate data came with it. */
    public boolean hasImmediate() {
        return this != SEND;
    }

    /** The kind of a value of the C enumeration, whose order this one keeps. */
    static ReceivedKind of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalStateException("Not an opcode of a DOCA receive: " + code);
        }
        return BY_CODE[code];
    }
}
