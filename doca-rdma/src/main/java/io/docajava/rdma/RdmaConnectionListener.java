/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** Told when the state of a connection changes. */
@FunctionalInterface
public interface RdmaConnectionListener {

    /**
     * A connection went from one state to another. It is called by the thread of the engine, and may do all that a completion
     * callback may do; what it throws goes to the engine's error handler.
     */
    void stateChanged(RdmaConnection connection, ConnectionState previous, ConnectionState next);
}
