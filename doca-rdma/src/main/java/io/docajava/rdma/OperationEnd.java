/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.rdma.internal.OperationEndImpl;
import java.util.Optional;

/**
 * An ended operation on a connection, as its handler sees it. It is valid during the call of the handler, on that thread: the next
 * call describes another operation by the same object.
 */
public sealed interface OperationEnd permits OperationEndImpl {

    /** {@return the connection that the operation was submitted to} */
    RdmaConnection connection();

    /** {@return the type of the operation} */
    RdmaTaskType type();

    /**
     * {@return the number of bytes that were to be sent, written, read or changed} They were if the operation has succeeded, except
     * for a read into a buffer with less room.
     */
    long bytes();

    /**
     * {@return for an atomic operation or an addition to a sync event, the value before it; for another operation on a sync event, the
     * value that was read or set; otherwise the number of bytes} It is 0 if the operation has failed.
     */
    long result();

    /** {@return the tag that the operation was submitted with; 0 if it had none} */
    long tag();

    /** {@return the buffer of this side: the source of a send or write, or the target of a read; empty for operations on ranges} */
    Optional<Buf> buffer();

    /** {@return the range of this side; empty for operations on buffers, and for those without a range of this side} */
    Optional<MapRange> local();

    /** {@return the range of the peer's memory; empty for operations on buffers, and for those without a range of the peer} */
    Optional<MapRange> remote();
}
