/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** A port on which peers may ask for connections. Closed when its context stops. */
@SuppressWarnings("all")
public final class RdmaListener implements AutoCloseable {

    RdmaListener() {}

    /** The number of the port. */
    public int port() {
        throw new UnsupportedOperationException("Not yet");
    }

    /** Stops listening. Connections that were made stay. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("Not yet");
    }
}
