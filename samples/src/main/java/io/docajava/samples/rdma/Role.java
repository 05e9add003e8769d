/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

/** The role of a sample, with the words of the samples in C that depend on it. */
enum Role {
    /** Sends messages. */
    SENDER("receiver", "receiver", true),
    /** Receives messages. */
    RECEIVER("sender", "sender", false),
    /** Reads or writes the peer's memory. */
    REQUESTER("responder", "responder", true),
    /** Exports the memory. */
    RESPONDER("requester", "requester", false),
    /** Writes the peer's memory with immediate data; its prompts call the peer a receiver. */
    IMMEDIATE_REQUESTER("responder", "receiver", true),
    /** Exports the memory and receives the immediate data; its prompts call the peer a receiver, too. */
    IMMEDIATE_RESPONDER("requester", "receiver", false);

    private final String peer;
    private final String source;
    private final boolean begins;

    Role(String peer, String source, boolean begins) {
        this.peer = peer;
        this.source = source;
        this.begins = begins;
    }

    /** Returns the role of the peer. */
    String peer() {
        return peer;
    }

    /** Returns the name of the peer from which the user copies files. */
    String source() {
        return source;
    }

    /** Returns whether this side submits the operations and connects second. */
    boolean begins() {
        return begins;
    }
}
