/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * States of a connection. The SDK has no such state: it reports changes of connections made by address, and nothing of
 * others.
 */
public enum ConnectionState {
    /** Its details are there for the peer, and those of the peer are awaited. */
    PREPARED,
    /** On its way: the peer has been asked, or this side has accepted what a peer asked for. */
    CONNECTING,
    /** Data can flow. */
    ESTABLISHED,
    /** Over: disconnected by either side, or its context has stopped. */
    DISCONNECTED,
    /** Never established: refused, rejected, not answered in time, or its context has stopped before. */
    FAILED;

    /** Returns whether it is over for good. */
    public boolean isFinal() {
        return this == DISCONNECTED || this == FAILED;
    }
}
