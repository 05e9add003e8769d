/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

/**
 * How {@link RdmaConnection#connect} learns that data can flow. With details that are exchanged by other means, the SDK tells
 * neither side when the other one has connected.
 */
public enum ConnectionCheck {
    /**
     * This side writes 0 bytes to nowhere: that touches no memory of the peer, takes none of its receives, and ends well as soon
     * as the peer has connected, too. It is an operation as any other: a peer that does not come within the time that the device
     * tries, or is gone, makes it fail, and the context stop. A device may refuse even this where the peer's context lacks
     * {@link io.docajava.core.memory.Access#RDMA_WRITE}.
     */
    EMPTY_WRITE,
    /**
     * Nothing is checked: a connection counts as established when the SDK has taken the peer's details. What is submitted before
     * the peer has connected waits, as long as the device tries.
     */
    NONE
}
