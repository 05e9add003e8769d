/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextBuilder;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.rdma.internal.RdmaContextBuilderImpl;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * Configures an {@link RdmaContext} and starts it. The SDK chooses values that are not set, unless a method documents a default. A
 * builder is used by one thread at a time.
 */
public sealed interface RdmaContextBuilder extends ContextBuilder<RdmaContextBuilder> permits RdmaContextBuilderImpl {

    /**
     * Sets the operations that peers may carry out on connections of this context, in memory that is exported with the same
     * permissions ({@code doca_rdma_set_permissions}); none by default.
     *
     * @param permissions a combination of {@link Access#RDMA_READ}, {@link Access#RDMA_WRITE} and {@link Access#RDMA_ATOMIC};
     *     {@link Access#LOCAL_READ_WRITE} has no effect
     * @return this builder
     * @throws IllegalArgumentException if {@code permissions} include one for the PCI bus
     */
    RdmaContextBuilder permissions(Access permissions);

    /**
     * Sets how many operations of each type may be in flight at the same time on all connections together; 64 by default. {@link
     * #maxTasks(RdmaTaskType, int)} overrides it for one type. A type that the device does not support has no tasks.
     *
     * @param tasks the number of operations of a type, except receives; 1 or more. If it is too large for the SDK, {@link #start} fails
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    RdmaContextBuilder maxTasks(int tasks);

    /**
     * Sets how many operations of one type may be in flight at the same time ({@code doca_rdma_task_..._set_conf}).
     *
     * @param type of the operations
     * @param tasks the number of operations; 0 if the program does not use the type. With more than 0, {@link #start} fails if the
     *     device does not support the type, or the number is too large for the SDK
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is negative
     */
    RdmaContextBuilder maxTasks(RdmaTaskType type, int tasks);

    /**
     * Sets how many receives may be posted at the same time ({@code doca_rdma_task_receive_set_conf}). The default is 64, or {@link
     * RdmaCapabilities#maxReceiveQueueSize()} if that is less.
     *
     * @param receives 0 to {@link RdmaCapabilities#maxReceiveQueueSize()}
     * @return this builder
     * @throws IllegalArgumentException if {@code receives} is negative
     */
    RdmaContextBuilder maxReceives(int receives);

    /**
     * Sets how many operations can wait at a connection ({@code doca_rdma_set_send_queue_size}). By default there is room for all
     * tasks of the context, or as many as the device can have.
     *
     * <p>The SDK refuses further operations with {@link DocaError#NO_MEMORY}. A refused operation was not submitted, and can be
     * submitted again when others have completed; the context does this by itself while others are in flight.
     *
     * @param operations 1 to {@link RdmaCapabilities#maxSendQueueSize()}; the SDK changes it to a power of two
     * @return this builder
     * @throws IllegalArgumentException if {@code operations} is less than 1
     */
    RdmaContextBuilder sendQueueSize(int operations);

    /**
     * Sets how many receives can wait ({@code doca_rdma_set_recv_queue_size}). By default there is room for {@link #maxReceives}.
     * Releases from 3.0 on have no such queue on the CPU: if this was called, {@link #start} fails there with {@link
     * DocaError#NOT_SUPPORTED}.
     *
     * @param receives 1 to {@link RdmaCapabilities#maxReceiveQueueSize()}
     * @return this builder
     * @throws IllegalArgumentException if {@code receives} is less than 1
     */
    RdmaContextBuilder receiveQueueSize(int receives);

    /**
     * Sets how many buffers a list of this side may have, to send from, write from or read into ({@code
     * doca_rdma_set_max_send_buf_list_len}).
     *
     * @param elements 1 to {@link RdmaCapabilities#maxSendListLength()}
     * @return this builder
     * @throws IllegalArgumentException if {@code elements} is less than 1
     */
    RdmaContextBuilder maxSendListLength(int elements);

    /**
     * Sets how many buffers a list to receive into may have ({@code doca_rdma_task_receive_set_dst_buf_list_len}).
     *
     * @param elements 1 to {@link RdmaCapabilities#maxReceiveListLength()}
     * @return this builder
     * @throws IllegalArgumentException if {@code elements} is less than 1
     */
    RdmaContextBuilder maxReceiveListLength(int elements);

    /**
     * Sets the transport of the connections ({@code doca_rdma_set_transport_type}); {@link TransportType#RC} by default.
     *
     * @param type one of {@link RdmaCapabilities#transports()}; {@link #start} refuses others
     * @return this builder
     */
    RdmaContextBuilder transport(TransportType type);

    /**
     * Sets the largest size of a packet ({@code doca_rdma_set_mtu}). If both sides set it, to different sizes, the SDK refuses to
     * connect them; a side that has not set it uses the size of its peer.
     *
     * @param size of a packet; some devices do not support setting it, so that {@link #start} fails
     * @return this builder
     */
    RdmaContextBuilder mtu(Mtu size);

    /**
     * Sets whether packets have a global route header ({@code doca_rdma_set_grh_enabled}).
     *
     * @param enabled true, which Ethernet needs, for packets with the header
     * @return this builder
     */
    RdmaContextBuilder grh(boolean enabled);

    /**
     * Sets the entry of the device's table of global identifiers that connections use ({@code doca_rdma_set_gid_index}). The
     * entries of both sides must be of the same version of RoCE; otherwise the SDK refuses to connect them. They must also be of the
     * same network; otherwise connections seem to succeed, but no data flows. {@link #start} refuses an unused entry.
     *
     * @param index 0 to {@link RdmaCapabilities#gidTableSize()} - 1, a position in {@link RdmaCapabilities#gids}
     * @return this builder
     * @throws IllegalArgumentException if {@code index} is negative
     */
    RdmaContextBuilder gidIndex(int index);

    /**
     * Sets the service level of packets, by which switches may prioritize them ({@code doca_rdma_set_sl}).
     *
     * @param level 0 to 15
     * @return this builder
     * @throws IllegalArgumentException if {@code level} is out of range
     */
    RdmaContextBuilder serviceLevel(int level);

    /**
     * Sets how long it may take to resolve the address of a peer ({@code doca_rdma_set_connection_request_timeout}). With DOCA 3.0 a
     * request that the peer has received and not answered does not end with this timeout; cancel the future of {@link
     * RdmaContext#connect} to end it.
     *
     * @param timeout 1 ms to 65535 ms, rounded down to milliseconds
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is out of range
     */
    RdmaContextBuilder connectionRequestTimeout(Duration timeout);

    /**
     * Sets how many connections may be open at the same time ({@code doca_rdma_set_max_num_connections}); 16 by default.
     *
     * @param connections 1 to 65535
     * @return this builder
     * @throws IllegalArgumentException if {@code connections} is out of range
     */
    RdmaContextBuilder maxConnections(int connections);

    /**
     * Sets how often the device retries a send for which the peer has posted no receive ({@code doca_rdma_set_rnr_retry_count}).
     *
     * @param retries 0 to 7; 7 means forever
     * @return this builder
     * @throws IllegalArgumentException if {@code retries} is out of range
     */
    RdmaContextBuilder rnrRetryCount(int retries);

    /**
     * Sets whether the device may report some operations only together with a later one ({@code
     * DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}, since DOCA 3.0). This is less work for the device, but delays the first reports of
     * those that leave together. If one fails, the earlier ones that were not reported yet fail as well, although they were
     * executed, and the SDK does not tell which one is the cause. The first of these failures counts as the root cause, and its
     * message says that a later one may be.
     *
     * @param optimized false, which is the default, for a report of each by itself
     * @return this builder
     */
    RdmaContextBuilder optimizeReports(boolean optimized);

    /**
     * Creates the context and starts it ({@code doca_rdma_create}, its setters, {@code doca_pe_connect_ctx}, {@code
     * doca_ctx_start}).
     *
     * @param engine that progresses the context, and whose thread calls
     * @return the running context, to be closed by the engine's thread
     * @throws IllegalArgumentException if a setting exceeds the capabilities of the device
     * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's calls
     * @throws DocaException if the device does not support RDMA, or the SDK cannot start the context
     */
    RdmaContext start(ProgressEngine engine);

    /**
     * Creates the context and starts it on a loop. Any thread may call, except for that of another loop. Any thread may then connect,
     * submit operations on ranges with a future, and stop, restart and close the context.
     *
     * @param loop that progresses the context, and closes it at the end unless it is closed before
     * @return the running context
     * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
     * @throws IllegalStateException if the device is closed, or the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     * @throws DocaException as {@link #start(ProgressEngine)}
     */
    RdmaContext start(ProgressLoop loop);
}
