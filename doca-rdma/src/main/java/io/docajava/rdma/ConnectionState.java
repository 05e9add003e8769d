/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * The states of an {@link RdmaConnection}. The SDK has no such states. It reports changes of connections by address; doca-java
 * derives the changes of other connections from its own calls and operations.
 */
public enum ConnectionState {
    /** The connection has details for the peer, but {@link RdmaConnection#connect} was not called yet. */
    PREPARED,
    /** This side has called connect or has accepted a request, and it is not known yet whether data can flow. */
    CONNECTING,
    /** Data can flow. */
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
