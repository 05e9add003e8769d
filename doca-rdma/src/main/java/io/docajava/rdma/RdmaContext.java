/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.rdma.internal.RdmaContextImpl;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A context that sends messages to peers, receives theirs, and accesses their memory ({@code struct doca_rdma}).
 *
 * <p>Peers connect in one of two ways. If they can exchange a few hundred bytes by other means, each side {@linkplain
 * #prepareConnection() prepares} a connection, passes its {@linkplain RdmaConnection#details() details} on to the other side, and
 * {@linkplain RdmaConnection#connect connects} with the details of the other side. Otherwise one side {@linkplain #listen listens},
 * and the other side {@linkplain #connect connects} to its address.
 *
 * {@snippet :
 * RdmaConnection connection = rdma.connect(RdmaAddress.ipv4("192.168.100.1"), 13579).await();
 * connection.write(source, remote).await();
 * }
 *
 * <p>Operations are submitted to an {@link RdmaConnection}. Receives are posted to the context, and serve all its connections.
 *
 * <p>Most failures of operations stop the context: it goes from {@link ContextState#RUNNING} to {@link ContextState#STOPPING}, all
 * operations and receives in flight fail, and progress brings it to {@link ContextState#IDLE}. This ends its connections. After
 * {@link #restart()} the context can prepare connections, listen and connect again. If the peer of a connection by address exits or
 * disconnects, only that connection ends, with the operations in flight on it.
 *
 * <p>A context belongs to the thread of its engine, as {@link Context} describes. On a loop, any thread may connect, listen, and
 * receive into ranges with a future.
 *
 * <p>On the engine of a {@link ProgressLoop}, an operation with a future waits if no task is free, and later operations with a
 * future on any connection wait behind it; receives wait only behind receives. An operation with a handler does not wait.
 */
public sealed interface RdmaContext extends Context permits RdmaContextImpl {

    /**
     * Returns whether a device supports any operation of RDMA ({@code doca_rdma_cap_task_..._is_supported}). Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return whether the device supports it; false if the device has been removed
     * @throws DocaException if the SDK cannot read the capabilities
     */
    static boolean isSupported(DeviceInfo device) {
        return RdmaContextImpl.isSupported(device);
    }

    /**
     * Returns whether a device supports one operation of RDMA ({@code doca_rdma_cap_task_..._is_supported}). Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @param type of the operation
     * @return whether the device supports it; false if the device has been removed
     * @throws DocaException if the SDK cannot read the capabilities
     */
    static boolean isSupported(DeviceInfo device, RdmaTaskType type) {
        return RdmaContextImpl.isSupported(device, type);
    }

    /**
     * Returns a builder, which configures a context and starts it.
     *
     * @param device an open device, which cannot be closed before the context
     * @return a builder; its {@code start} checks the settings against the capabilities of the device
     */
    static RdmaContextBuilder builder(Device device) {
        return RdmaContextImpl.builder(device);
    }

    /** {@return the capabilities of the device, read when this context was created} Any thread may call. */
    RdmaCapabilities capabilities();

    /** {@return the limits of this context, which may be lower than those of the device} Any thread may call. */
    RdmaLimits limits();

    /**
     * Prepares a connection whose details the program passes on to the peer ({@code doca_rdma_export}). A connection that is
     * disconnected before {@link RdmaConnection#connect} was called leaves its details to the next one. If the SDK has refused to
     * connect it, DOCA 3.0 keeps its place among {@link RdmaContextBuilder#maxConnections(int)} until the context stops.
     *
     * @return a connection in state {@link ConnectionState#PREPARED}
     * @throws IllegalStateException if the context is closed
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if all places for connections are taken
     * @throws DocaException if the SDK refuses for another reason
     */
    RdmaConnection prepareConnection();

    /**
     * Connects to a peer that listens ({@code doca_rdma_addr_create}, {@code doca_rdma_connect_to_addr}). If the future is cancelled,
     * or fails by a timeout of the caller, the connection is disconnected as soon as the peer has answered: the SDK has no handle of
     * it before.
     *
     * @param address of the peer's RDMA device
     * @param port that the peer listens at, from 1 to 65535
     * @return a future of the connection, which completes when data can flow. It fails with a {@link DocaException} if the peer is
     *     not found, rejects the request, or does not answer within the connection request timeout, or with a {@link
     *     ConnectionEndedException} if the context stops first
     * @throws IllegalArgumentException if {@code port} is out of range
     * @throws IllegalStateException if the context is closed
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if all places for connections are taken
     * @throws DocaException if the SDK refuses for another reason, for example because it cannot resolve the address
     */
    Completion<RdmaConnection> connect(RdmaAddress address, int port);

    /**
     * Listens for requests of peers at the addresses of the device, until the listener is closed or the context stops ({@code
     * doca_rdma_start_listen_to_port}). A context listens to one port at a time, because DOCA does not report to which port a request
     * has come. A request that exceeds {@link RdmaContextBuilder#maxConnections(int)} is rejected, with a warning in the log.
     *
     * @param port from 1 to 65535
     * @param handler called by the engine's thread for each request, which it or a later call accepts or rejects. Exceptions that
     *     it throws go to the engine's error handler; a request that is not answered keeps the peer waiting
     * @return the open listener, to be closed by the engine's thread
     * @throws IllegalArgumentException if {@code port} is out of range
     * @throws IllegalStateException if the context is closed or listens already
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses, for example because another context listens at the port
     */
    RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler);

    /**
     * Returns the connections that have not ended, including those that are not established yet.
     *
     * @return an unmodifiable copy
     * @throws IllegalStateException if the context is closed
     */
    List<RdmaConnection> connections();

    /**
     * Posts a receive and returns a future ({@code doca_rdma_task_receive}). The messages of all connections complete receives in
     * the order in which these were posted.
     *
     * @param buffer to whose data the message is appended, or the first one of a list; it must have room for the message
     * @return a future of the message. It fails with a {@link TaskFailedException} if the receive fails, a {@link
     *     ContextNotRunningException} if the context is not running, a {@link ResourceExhaustedException} if no task is free and
     *     the receive cannot wait for one, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the context cannot receive into the buffer
     * @throws IllegalStateException if the context has no tasks to receive, the context or the buffer is closed, or the buffer is
     *     in use by another operation
     */
    Completion<Received> receive(Buf buffer);

    /**
     * Posts a receive with the next progress, and returns a future ({@code doca_rdma_task_receive}). The messages of all connections
     * complete receives in the order in which these were posted. If the context is on a loop, any thread may call, and the receive
     * waits while others in flight use all tasks.
     *
     * @param range that the message is written to, from its first byte; an empty range is none
     * @return a future of the message, as that of {@link #receive(Buf)}
     * @throws IllegalArgumentException if the context cannot receive into the range
     * @throws IllegalStateException if the context has no tasks to receive, or the context or the map is closed
     * @throws RejectedExecutionException if the context is on a loop that does not accept the receive
     */
    Completion<Received> receive(MapRange range);

    /**
     * Posts a receive without memory, for a message of 0 bytes or a write with immediate data, and returns a future. If the context
     * is on a loop, any thread may call.
     *
     * @return a future, as from {@link #receive(MapRange)}; it also fails if the peer sends a message of 1 byte or more
     * @throws IllegalStateException if the context is closed or has no tasks to receive
     * @throws RejectedExecutionException if the context is on a loop that does not accept the receive
     */
    Completion<Received> receive();

    /**
     * Posts a receive that calls a handler when it has ended. This allocates nothing, and never waits for a free task.
     *
     * @param buffer to whose data the message is appended, or the first one of a list; it must have room for the message
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the context cannot receive into the buffer
     * @throws IllegalStateException as {@link #receive(Buf)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void receive(Buf buffer, Handler<? super ReceiveEnd> handler);

    /**
     * Posts a receive with the next progress, which calls a handler when it has ended. This allocates nothing, and never waits for a
     * free task.
     *
     * @param range that the message is written to, from its first byte; an empty range is none
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException as {@link #receive(MapRange)}
     * @throws IllegalStateException as {@link #receive(MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void receive(MapRange range, Handler<? super ReceiveEnd> handler);

    /**
     * Does the same as {@link #receive(MapRange, Handler)}, with plain numbers and a tag.
     *
     * @param map the map of the range
     * @param offset the offset of the first byte in that map
     * @param length the room for the message in bytes; 0 for none
     * @param tag a number for the handler ({@link ReceiveEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if the range is not inside the map
     * @throws IllegalArgumentException as {@link #receive(MapRange)}
     * @throws IllegalStateException as {@link #receive(MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void receive(Mmap map, long offset, long length, long tag, Handler<? super ReceiveEnd> handler);

    /**
     * Posts a receive without memory; see {@link #receive()} and {@link #receive(Buf, Handler)}.
     *
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalStateException if the context is closed or has no tasks to receive
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void receive(Handler<? super ReceiveEnd> handler);

    /**
     * Prepares a receive that can be posted any number of times. The buffer is checked when it is posted.
     *
     * @param buffer as in {@link #receive(Buf)}
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks to receive
     * @throws IllegalStateException if the context is closed or has no tasks to receive
     * @throws ResourceExhaustedException if no task is free
     */
    ReceiveTask receiveTask(Buf buffer);

    /**
     * Prepares a receive into a range that can be posted any number of times.
     *
     * @param range as in {@link #receive(MapRange)}, of 1 byte or more
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks to receive
     * @throws IllegalArgumentException if the context cannot receive into the range, or it is empty
     * @throws IllegalStateException if the context is closed or has no tasks to receive, or the map is closed
     * @throws ResourceExhaustedException if no task is free
     */
    ReceiveTask receiveTask(MapRange range);

    /**
     * Prepares a receive without a buffer that can be posted any number of times; see {@link #receive()}.
     *
     * @return a task, as from {@link #receiveTask(Buf)}
     * @throws IllegalStateException if the context is closed or has no tasks to receive
     * @throws ResourceExhaustedException if no task is free
     */
    ReceiveTask receiveTask();

    /**
     * Submits all operations and receives that wait for the next progress ({@code doca_task_submit_ex}, {@code doca_ctx_flush_tasks}).
     * Progress and waits of the engine do so by themselves; call it before the thread blocks elsewhere.
     *
     * @throws IllegalStateException if the context is closed
     */
    void flush();
}
