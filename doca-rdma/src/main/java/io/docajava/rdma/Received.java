/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Buf;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Result of a receive.
 *
 * @param buffer the buffer of the receive, whose data has grown by the message; empty if it had none
 * @param length the bytes of the message ({@code doca_rdma_task_receive_get_result_len}); for a write those that were written
 *     to the other place
 * @param kind what the peer did ({@code doca_rdma_task_receive_get_result_opcode})
 * @param immediate the 4 bytes that came with it, as a number in the byte order of the peer's number ({@code
 *     doca_rdma_task_receive_get_result_immediate_data}); empty for a plain send
 * @param connection by which it came ({@code doca_rdma_task_receive_get_result_rdma_connection})
 */
public record Received(
        Optional<Buf> buffer, long length, ReceivedKind kind, OptionalInt immediate, RdmaConnection connection) {

    /** Checks the components. */
    public Received {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(immediate, "immediate");
        Objects.requireNonNull(connection, "connection");
    }
}
