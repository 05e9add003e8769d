/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * How {@link RdmaConnection#connect} determines that data can flow. The SDK does not report when the peer has connected with the
 * details of this side.
 */
public enum ConnectionCheck {
    /**
     * This side submits a write of 0 bytes, which succeeds as soon as the peer has connected, too. The write accesses no memory of
     * the peer and uses none of its receives. If the peer does not connect while the device retries the write, the write fails and
     * the context stops, as with other operations. A device may refuse the write if the peer's context lacks {@link
     * io.docajava.core.memory.Access#RDMA_WRITE}.
     */
    EMPTY_WRITE,
    /**
     * This side does not check: a connection is established when the SDK has accepted the peer's details. Operations that are
     * submitted before the peer has connected wait as long as the device retries them.
     */
    NONE
}
