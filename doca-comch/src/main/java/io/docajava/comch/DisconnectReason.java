/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/** The reasons why a {@link CommConnection} has ended. */
public enum DisconnectReason {
    /** This side has called {@link CommConnection#disconnect()}. */
    DISCONNECTED,
    /** The peer has disconnected or stopped, or its process has exited. */
    PEER,
    /** The server or client on this side was stopped or closed. */
    STOPPED;
}
