/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.progress.Completion;
import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.RdmaConnection;
import java.util.Objects;

/** The implementation of {@link ConnectionRequest}. */
public final class ConnectionRequestImpl implements ConnectionRequest {

    private final Connections connections;
    private final long pointer;
    private boolean isAnswered;

    ConnectionRequestImpl(Connections connections, long pointer) {
        this.connections = connections;
        this.pointer = pointer;
    }

    @Override
    public RdmaContextImpl context() {
        return connections.context();
    }

    @Override
    public Completion<RdmaConnection> accept() {
        return accept(new byte[0]);
    }

    @Override
    public Completion<RdmaConnection> accept(byte[] privateData) {
        Objects.requireNonNull(privateData, "privateData");
        if (privateData.length > MAX_PRIVATE_DATA) {
            throw new IllegalArgumentException("The private data of a connection have up to " + MAX_PRIVATE_DATA
                    + " bytes, and not " + privateData.length);
        }
        checkUnanswered();
        return connections.accept(this, privateData);
    }

    @Override
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
        context().checkRunningNow();
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
