/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.progress.Completion;
import java.util.Objects;

/**
 * A request of a peer to connect to the port of an {@link RdmaListener}. Accept or reject it once, in the listener's handler or
 * later; the peer waits for its connection request timeout. If the SDK refuses the answer, the request is not answered, and can be
 * accepted or rejected again. The SDK reports neither the address of the peer nor its private data.
 *
 * <p>A request belongs to the engine's thread.
 */
public final class ConnectionRequest {

    /** The largest length of private data in bytes. */
    public static final int MAX_PRIVATE_DATA = 255;

    private final Connections connections;
    private final long pointer;
    private boolean isAnswered;

    ConnectionRequest(Connections connections, long pointer) {
        this.connections = connections;
        this.pointer = pointer;
    }

    /** {@return the listening context, which gets the connection} Any thread may call. */
    public RdmaContext context() {
        return connections.context();
    }

    /**
     * Accepts the request without private data, as {@link #accept(byte[])} does.
     *
     * @return a future, as from {@link #accept(byte[])}
     * @throws IllegalStateException as {@link #accept(byte[])}
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    public Completion<RdmaConnection> accept() {
        return accept(new byte[0]);
    }

    /**
     * Accepts the request ({@code doca_rdma_connection_accept}).
     *
     * @param privateData up to {@link #MAX_PRIVATE_DATA} bytes for the peer's connection manager, which its program does not get
     * @return a future of the connection, which completes when data can flow. It fails with a {@link DocaException} if the peer has
     *     disappeared
     * @throws IllegalArgumentException if the private data is too long
     * @throws IllegalStateException if the request was answered, the peer has given up, the context was restarted since, or another
     *     thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because the peer has given up
     */
    public Completion<RdmaConnection> accept(byte[] privateData) {
        Objects.requireNonNull(privateData, "privateData");
        if (privateData.length > MAX_PRIVATE_DATA) {
            throw new IllegalArgumentException("The private data of a connection have up to " + MAX_PRIVATE_DATA
                    + " bytes, and not " + privateData.length);
        }
        checkUnanswered();
        return connections.accept(this, privateData);
    }

    /**
     * Rejects the request ({@code doca_rdma_connection_reject}), so that the peer's attempt to connect fails.
     *
     * @throws IllegalStateException as {@link #accept(byte[])}
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    public void reject() {
        checkUnanswered();
        connections.reject(this);
    }

    long pointer() {
        return pointer;
    }

    void markAnswered() {
        isAnswered = true;
    }

    private void checkUnanswered() {
        context().core().checkRunningNow();
        if (isAnswered) {
            throw new IllegalStateException("The connection request was answered already");
        }
        if (!connections.isPending(this)) {
            throw new IllegalStateException("The connection request is void: the peer has given up, or the " + context()
                    + " has stopped since");
        }
    }

    /** {@return whether the request was answered, and the context} */
    @Override
    public String toString() {
        return (isAnswered ? "Answered connection request to the " : "Connection request to the ") + context();
    }
}
