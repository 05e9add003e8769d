/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import java.util.function.Consumer;

/**
 * A port at which peers may ask for connections, made by {@link RdmaContext#listen}. It is closed with its context, and when
 * that stops: after a restart the context listens no more.
 *
 * <p>Used by the engine's thread.
 */
public final class RdmaListener implements AutoCloseable {

    private final Connections connections;
    private final int port;
    private final Consumer<? super ConnectionRequest> handler;

    RdmaListener(Connections connections, int port, Consumer<? super ConnectionRequest> handler) {
        this.connections = connections;
        this.port = port;
        this.handler = handler;
    }

    /** The number of the port. */
    public int port() {
        return port;
    }

    /** Returns whether peers can ask here. */
    public boolean isOpen() {
        return connections.isListening(this);
    }

    /** Hands a request over. If the handler neither accepts nor rejects it, it may do so later. */
    void handle(ConnectionRequest request) {
        handler.accept(request);
    }

    /**
     * Stops listening ({@code doca_rdma_stop_listen_to_port}). Connections that were made stay. A second call does nothing.
     *
     * @throws IllegalStateException if called by another thread than the engine's
     * @throws DocaException if the SDK refuses
     */
    @Override
    public void close() {
        connections.stopListening(this);
    }

    @Override
    public String toString() {
        return "port " + port + " of the " + connections.context();
    }
}
