/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/** While it is open, the operations of its context are submitted together: the device is rung once for many. */
@SuppressWarnings("all")
public final class RdmaBatch implements AutoCloseable {

    RdmaBatch() {}

    @Override
    public void close() {
        throw new UnsupportedOperationException("Not yet");
    }
}
