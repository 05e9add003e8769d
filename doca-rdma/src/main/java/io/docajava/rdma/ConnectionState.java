/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * The states of an {@link RdmaConnection}. The SDK has no such states. It reports changes of connections by address; doca-java
 * derives the changes of other connections from its own calls and operations.
 */
public enum ConnectionState {
    /** The connection has details for the peer, but {@link RdmaConnection#connect} was not called yet. */
    PREPARED,
    /** By address: this side has called connect or has accepted a request, and data cannot flow yet. */
    CONNECTING,
    /**
     * Data can flow. A prepared connection is in this state when the SDK has accepted the peer's details; operations then wait until
     * the peer has connected as well.
     */
    ESTABLISHED,
    /** The connection was established and has ended: either side has disconnected, or the context has stopped. */
    DISCONNECTED,
    /**
     * The connection was never established: the SDK refused, the peer rejected or did not answer in time, or the context stopped.
     */
    FAILED;

    /** {@return whether a connection in this state has ended for good; true for {@code DISCONNECTED} and {@code FAILED}} */
    public boolean isFinal() {
        return this == DISCONNECTED || this == FAILED;
    }
}
