/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import io.docajava.DocaException;

/** A connection of RDMA or of a comm channel has ended or could not be established. It cannot be used again; create a new one. */
public final class ConnectionEndedException extends DocaException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception. Called by doca-java's modules.
     *
     * @param message the whole message
     */
    public ConnectionEndedException(String message) {
        super(message);
    }
}
