/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/** The reasons why a {@link CommConnection} has ended. */
public enum DisconnectReason {
    /** This side has called {@link CommConnection#disconnect()}. */
    DISCONNECTED("this side has disconnected"),
    /** The peer has disconnected or stopped, or its process has exited. */
    PEER("the peer has disconnected or exited"),
    /** The server or client on this side was stopped or closed. */
    STOPPED("its server or client was stopped");

    private final String words;

    DisconnectReason(String words) {
        this.words = words;
    }

    /** Returns the reason for messages. */
    String words() {
        return words;
    }
}
