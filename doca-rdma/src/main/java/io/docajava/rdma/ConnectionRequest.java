/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.progress.Completion;
import java.util.Objects;

/**
 * A peer asks for a connection at a port of a {@link RdmaListener}. It is answered once, at once or later: the peer waits for
 * its connection request timeout. The SDK reports neither the peer nor the private data of a request.
 *
 * <p>Used by the engine's thread.
 */
public final class ConnectionRequest {

    /** The most bytes of private data. */
    public static final int MAX_PRIVATE_DATA = 255;

    private final Connections connections;
    private final long pointer;
    private boolean isAnswered;

    ConnectionRequest(Connections connections, long pointer) {
        this.connections = connections;
        this.pointer = pointer;
    }

    /** The context that is asked. */
    public RdmaContext context() {
        return connections.context();
    }

    /** Accepts without private data: {@link #accept(byte[])}. */
    public Completion<RdmaConnection> accept() {
        return accept(new byte[0]);
    }

    /**
     * Accepts ({@code doca_rdma_connection_accept}).
     *
     * @param privateData up to 255 bytes for the connection manager of the peer; DOCA does not show them to the peer's program
     * @return completes with the connection when data can flow, or with a {@link DocaException} when the peer is gone
     * @throws IllegalArgumentException if the data is longer
     * @throws IllegalStateException if the request was answered, the peer has given up since, the context was restarted since, or
     *     the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example as the peer has given up
     */
    public Completion<RdmaConnection> accept(byte[] privateData) {
        Objects.requireNonNull(privateData, "privateData");
        if (privateData.length > MAX_PRIVATE_DATA) {
            throw new IllegalArgumentException("The private data of a connection have up to " + MAX_PRIVATE_DATA
                    + " bytes, and not " + privateData.length);
        }
        answer();
        return connections.accept(pointer, privateData);
    }

    /**
     * Refuses ({@code doca_rdma_connection_reject}): the peer's attempt fails.
     *
     * @throws IllegalStateException if the request was answered, the peer has given up since, the context was restarted since, or
     *     the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    public void reject() {
        answer();
        connections.reject(pointer);
    }

    /** The native connection that it is about. */
    long pointer() {
        return pointer;
    }

    private void answer() {
        context().core().checkRunningNow();
        if (isAnswered) {
            throw new IllegalStateException("The connection request was answered already");
        }
        if (!connections.take(this)) {
            throw new IllegalStateException("The connection request is void: the peer has given up, or the " + context()
                    + " has stopped since");
        }
        isAnswered = true;
    }

    /** Returns the context. */
    @Override
    public String toString() {
        return (isAnswered ? "Answered connection request to the " : "Connection request to the ") + context();
    }
}
