/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.internal.ReceiveEndImpl;
import java.util.Optional;

/**
 * An ended receive, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes
 * another receive by the same object.
 */
public sealed interface ReceiveEnd permits ReceiveEndImpl {

    /** {@return the number of bytes of the message, or that the peer has written to the memory it chose; 0 if the receive has failed} */
    long bytes();

    /**
     * {@return the operation of the peer}
     *
     * @throws IllegalStateException if the receive has failed
     */
    ReceivedKind kind();

    /** {@return the 4 bytes of immediate data as a number; 0 if {@link #kind()} has none, or the receive has failed} */
    int immediate();

    /**
     * {@return the connection on which the peer sent or wrote}
     *
     * @throws IllegalStateException if the receive has failed
     */
    RdmaConnection connection();

    /** {@return the tag that the receive was posted with; 0 if it had none} */
    long tag();

    /** {@return the range of the receive, whose first {@link #bytes()} a send has filled; empty for a receive without a range} */
    Optional<MapRange> range();

    /** {@return the buffer of the receive, whose data has grown by the message of a send; empty for a receive without a buffer} */
    Optional<Buf> buffer();
}
