/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import java.util.Map;
import java.util.Objects;

/**
 * Limits of a context, set by its builder or chosen by the SDK.
 *
 * @param maxTasks how many operations of each type may be in flight; 0 for those that the context has no tasks for
 * @param sendQueueSize the operations that can wait at a connection ({@code doca_rdma_get_send_queue_size})
 * @param maxSendListLength the elements that a list of this side may have, to send or write from or to read into ({@code
 *     doca_rdma_get_max_send_buf_list_len})
 * @param maxReceiveListLength the elements that a list to receive into may have ({@code
 *     doca_rdma_task_receive_get_dst_buf_list_len})
 * @param maxConnections how many connections there may be at a time ({@code doca_rdma_get_max_num_connections})
 */
public record RdmaLimits(
        Map<RdmaTaskType, Integer> maxTasks,
        long sendQueueSize,
        long maxSendListLength,
        long maxReceiveListLength,
        int maxConnections) {

    /** Keeps its own copy of the map. */
    public RdmaLimits {
        Objects.requireNonNull(maxTasks, "maxTasks");
        maxTasks = Map.copyOf(maxTasks);
    }

    /** Returns the largest number of operations of a type in flight. */
    public int maxTasks(RdmaTaskType type) {
        Objects.requireNonNull(type, "type");
        return maxTasks.getOrDefault(type, 0);
    }
}
