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

    private static final ReceivedKind[] BY_CODE = values();

    /** {@return whether the operation has immediate data} */
    public boolean hasImmediate() {
        return this != SEND;
    }

    /** Returns whether a value of the C enumeration has a kind. */
    static boolean isKnown(int code) {
        return code >= 0 && code < BY_CODE.length;
    }

    /** Returns the kind for a value of the C enumeration, which has the same order. */
    static ReceivedKind of(int code) {
        if (!isKnown(code)) {
            throw new IllegalStateException("Not an opcode of a DOCA receive: " + code);
        }
        return BY_CODE[code];
    }
}
