/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import java.util.function.Consumer;

/**
 * A port at which peers may request connections, opened by {@link RdmaContext#listen}. It closes for good when its context stops.
 *
 * <p>A listener belongs to the engine's thread.
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

    /** {@return the number of the port, from 1 to 65535} */
    public int port() {
        return port;
    }

    /** {@return whether peers can request connections; false after a close and when the context has stopped} */
    public boolean isOpen() {
        return connections.isListening(this);
    }

    /** Calls the handler, which may accept or reject the request later. */
    void handle(ConnectionRequest request) {
        handler.accept(request);
    }

    /**
     * Stops listening ({@code doca_rdma_stop_listen_to_port}). Accepted connections stay open. A second call does nothing.
     *
     * @throws IllegalStateException if another thread than the engine's calls
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
