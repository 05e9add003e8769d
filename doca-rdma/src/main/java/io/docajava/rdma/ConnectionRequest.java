/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.internal.ConnectionRequestImpl;

/**
 * A request of a peer to connect to the port of an {@link RdmaListener}. Accept or reject it once, in the listener's handler or
 * later; the peer waits for its connection request timeout. If the SDK refuses the answer, the request is not answered, and can be
 * accepted or rejected again. The SDK reports neither the address of the peer nor its private data.
 *
 * <p>A request belongs to the engine's thread.
 */
public sealed interface ConnectionRequest permits ConnectionRequestImpl {

    /** The largest length of private data in bytes. */
    int MAX_PRIVATE_DATA = 255;

    /** {@return the listening context, which gets the connection} Any thread may call. */
    RdmaContext context();

    /**
     * Accepts the request without private data, as {@link #accept(byte[])} does.
     *
     * @return a future, as from {@link #accept(byte[])}
     * @throws IllegalStateException as {@link #accept(byte[])}
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    Completion<RdmaConnection> accept();

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
    Completion<RdmaConnection> accept(byte[] privateData);

    /**
     * Rejects the request ({@code doca_rdma_connection_reject}), so that the peer's attempt to connect fails.
     *
     * @throws IllegalStateException as {@link #accept(byte[])}
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    void reject();
}
