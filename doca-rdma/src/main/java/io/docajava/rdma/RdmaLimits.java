/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.argument.Elements;
import java.util.Map;
import java.util.Objects;

/**
 * Limits of a context, which its builder has set or the SDK has chosen.
 *
 * @param maxTasks the number of operations of each type that may be in flight at the same time; 0 for types that the context has no
 *     tasks for; unmodifiable
 * @param sendQueueSize the number of operations that can wait at a connection ({@code doca_rdma_get_send_queue_size})
 * @param maxSendListLength the number of buffers that a list of this side may have, to send from, write from or read into ({@code
 *     doca_rdma_get_max_send_buf_list_len})
 * @param maxReceiveListLength the number of buffers that a list to receive into may have ({@code
 *     doca_rdma_task_receive_get_dst_buf_list_len})
 * @param maxConnections the number of connections that may be open at the same time ({@code doca_rdma_get_max_num_connections})
 */
public record RdmaLimits(
        Map<RdmaTaskType, Integer> maxTasks,
        long sendQueueSize,
        long maxSendListLength,
        long maxReceiveListLength,
        int maxConnections) {

    /** Copies the map. */
    public RdmaLimits {
        maxTasks = Elements.copyOfMap(maxTasks, "maxTasks");
    }

    /**
     * Returns the number of operations of a type that may be in flight at the same time.
     *
     * @param type of the operations
     * @return the limit; 0 if the context has no tasks of the type
     */
    public int maxTasks(RdmaTaskType type) {
        Objects.requireNonNull(type, "type");
        return maxTasks.getOrDefault(type, 0);
    }
}
