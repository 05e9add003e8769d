/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** Receives the state changes of connections. */
@FunctionalInterface
public interface RdmaConnectionListener {

    /**
     * Receives one change of state. The engine's thread calls this method, which may do everything that a completion callback may
     * do. Exceptions that it throws go to the engine's error handler.
     *
     * @param connection that has changed; its {@link RdmaConnection#state()} may have changed again since
     * @param previous the state before the change, which differs from {@code next}
     * @param next the state after the change; no change follows a {@linkplain ConnectionState#isFinal() final} one
     */
    void stateChanged(RdmaConnection connection, ConnectionState previous, ConnectionState next);
}
