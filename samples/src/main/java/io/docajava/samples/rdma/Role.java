/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

/** What a sample is to its peer, and the words of the samples in C that depend on it. */
enum Role {
    /** Sends messages. */
    SENDER("receiver", "receiver", true),
    /** Receives them. */
    RECEIVER("sender", "sender", false),
    /** Reads or writes the peer's memory. */
    REQUESTER("responder", "responder", true),
    /** Has the memory. */
    RESPONDER("requester", "requester", false),
    /** Writes the peer's memory with immediate data; its prompts call the peer's descriptor that of the receiver. */
    IMMEDIATE_REQUESTER("responder", "receiver", true),
    /** Has the memory, and receives the immediate data; likewise. */
    IMMEDIATE_RESPONDER("requester", "receiver", false);

    private final String peer;
    private final String source;
    private final boolean begins;

    Role(String peer, String source, boolean begins) {
        this.peer = peer;
        this.source = source;
        this.begins = begins;
    }

    /** What the peer is. */
    String peer() {
        return peer;
    }

    /** What the peer is called that the user copies files from. */
    String source() {
        return source;
    }

    /** Whether this side submits the operations, and so connects when the peer has. */
    boolean begins() {
        return begins;
    }
}
