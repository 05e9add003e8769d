/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Result of a receive.
 *
 * @param buffer the buffer of the receive; its data has grown by the message, except after a write; empty if the receive has none
 * @param range the bytes of the message in the range of the receive; empty after a write, and if the receive has no range
 * @param length the number of bytes of the message, or that the peer has written to the memory it chose ({@code
 *     doca_rdma_task_receive_get_result_len})
 * @param kind the operation of the peer ({@code doca_rdma_task_receive_get_result_opcode})
 * @param immediate the 4 bytes of immediate data as a number, in the byte order of the peer's number ({@code
 *     doca_rdma_task_receive_get_result_immediate_data}); empty if {@code kind} has none
 * @param connection on which the peer sent or wrote ({@code doca_rdma_task_receive_get_result_rdma_connection})
 */
public record Received(
        Optional<Buf> buffer,
        Optional<MapRange> range,
        long length,
        ReceivedKind kind,
        OptionalInt immediate,
        RdmaConnection connection) {

    /** Checks the components. */
    public Received {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(range, "range");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(immediate, "immediate");
        Objects.requireNonNull(connection, "connection");
    }
}
