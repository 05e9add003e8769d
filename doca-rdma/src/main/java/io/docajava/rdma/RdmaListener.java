/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.rdma.internal.RdmaListenerImpl;

/**
 * A port at which peers may request connections, opened by {@link RdmaContext#listen}. It closes for good when its context stops.
 *
 * <p>A listener belongs to the engine's thread: calls by another one throw an {@link IllegalStateException}.
 */
public sealed interface RdmaListener extends AutoCloseable permits RdmaListenerImpl {

    /** {@return the number of the port, from 1 to 65535} */
    int port();

    /** {@return whether peers can request connections; false after a close and when the context has stopped} */
    boolean isOpen();

    /**
     * Stops listening ({@code doca_rdma_stop_listen_to_port}). Accepted connections stay open. A second call does nothing.
     *
     * @throws DocaException if the SDK refuses
     */
    @Override
    void close();
}
