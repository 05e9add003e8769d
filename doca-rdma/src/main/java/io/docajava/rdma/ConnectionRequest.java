/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.progress.Completion;

/** A peer asks for a connection. */
@SuppressWarnings("all")
public final class ConnectionRequest {

    ConnectionRequest() {}

    /** Accepts without private data; completes when data can flow. */
    public Completion<RdmaConnection> accept() {
        return accept(new byte[0]);
    }

    /** Accepts, and gives the peer's connection manager up to 255 bytes; completes when data can flow. */
    public Completion<RdmaConnection> accept(byte[] privateData) {
        throw new UnsupportedOperationException("Not yet");
    }

    /** Refuses. */
    public void reject() {
        throw new UnsupportedOperationException("Not yet");
    }
}
