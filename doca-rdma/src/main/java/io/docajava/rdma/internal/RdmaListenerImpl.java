/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.RdmaListener;
import java.util.function.Consumer;

/** The implementation of {@link RdmaListener}. */
public final class RdmaListenerImpl implements RdmaListener {

    private final Connections connections;
    private final int port;
    private final Consumer<? super ConnectionRequest> handler;

    RdmaListenerImpl(Connections connections, int port, Consumer<? super ConnectionRequest> handler) {
        this.connections = connections;
        this.port = port;
        this.handler = handler;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public boolean isOpen() {
        return connections.isListening(this);
    }

    /** Calls the handler, which may accept or reject the request later. */
    void handle(ConnectionRequest request) {
        handler.accept(request);
    }

    @Override
    public void close() {
        connections.stopListening(this);
    }

    @Override
    public String toString() {
        return "port " + port + " of the " + connections.context();
    }
}
