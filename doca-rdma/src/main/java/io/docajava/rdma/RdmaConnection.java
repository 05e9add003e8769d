/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.rdma.internal.RdmaConnectionImpl;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection to a peer ({@code struct doca_rdma_connection}), on which operations are submitted.
 *
 * <p>An {@link RdmaOperation} runs in one of three forms. {@link #submit(RdmaOperation)} returns a future. {@link
 * #submit(RdmaOperation, Handler)} calls a handler and allocates nothing. {@link #task} returns an {@link RdmaTask}, which can
 * be submitted many times. The operations of a connection are carried out in the order of their submission.
 *
 * <p>All of them check their arguments first, and throw the exceptions that {@link #submit(RdmaOperation)} describes. Exceptions
 * that complete its future are thrown by the forms without a future. Operations on a {@linkplain RdmaContext#prepareConnection()
 * prepared} connection may be submitted as soon as {@link #connect} has returned.
 *
 * <p>A connection ends at the latest when its context stops. Most failures of operations stop the context; {@link RdmaContext}
 * describes which do not. Prepare or make new connections after a restart.
 *
 * <p>A connection that a running graph uses cannot be disconnected by this side. If the peer disconnects, the connection ends at
 * once for the program, and natively when the run has ended. If the connection fails natively during the run, the context stops.
 *
 * <p>A connection belongs to the engine's thread: calls by another one throw an {@link IllegalStateException}. If the context is on
 * a loop, any thread may connect, disconnect and use the forms with ranges and a future. Any thread may call {@link #context()} and
 * {@link #state()}.
 */
public sealed interface RdmaConnection permits RdmaConnectionImpl {

    /** {@return the context of this connection} Any thread may call. */
    RdmaContext context();

    /** {@return the state after the last call or progress of the engine} Any thread may call. */
    ConnectionState state();

    /**
     * Returns the number of the connection ({@code doca_rdma_connection_get_id}).
     *
     * @return an unsigned number that the SDK has chosen, unique among the connections that the context has; later ones get the
     *     numbers of ended ones again
     * @throws IllegalStateException if the connection has no number yet, because the peer has not answered
     */
    int id();

    /**
     * Returns the details that the peer needs to connect.
     *
     * @return secret bytes, which the program passes on to the peer; they are valid until the context stops
     * @throws IllegalStateException if this is a connection by address, which has no details
     */
    ConnectionDetails details();

    /**
     * Connects a prepared connection to the peer ({@code doca_rdma_connect}), which must do the same with the details of this side.
     *
     * <p>The SDK does not report when the peer has connected, or whether it ever does. Operations that are submitted before wait as
     * long as the device retries them, about a second, and then fail and stop the context. So let the peer confirm that it has
     * connected before the first operation if it may take longer or fail, above all if the context serves other peers; a receive may
     * be posted at any time.
     *
     * <p>Before DOCA 2.9, tasks and receives reach the device only after the next progress of the engine, and graphs with the
     * context start only then.
     *
     * @param peer the details of the peer's connection
     * @return a future of this connection, which completes when the SDK has accepted the details; before DOCA 2.9 with the next
     *     progress, which makes the SDK's context run. It fails with a {@link ConnectionEndedException} if a listener ends the
     *     connection first
     * @throws IllegalStateException if the connection was connected before or is by address, or the context is closed
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the details, for example because they are damaged, or of a context that has stopped;
     *     or, with {@code CONNECTION_ABORTED}, because the {@linkplain RdmaContextBuilder#gidIndex GIDs} of both sides are of
     *     different versions of RoCE, or both have set different {@linkplain RdmaContextBuilder#mtu MTUs}. This method may then be
     *     called again with other details
     */
    Completion<RdmaConnection> connect(ConnectionDetails peer);

    /**
     * Ends the connection, unless it has ended ({@code doca_rdma_connection_disconnect}). Its operations in flight fail, and the
     * context goes on. The peer is notified if the connection is by address; otherwise the peer's next operations fail.
     *
     * @throws IllegalStateException if the peer has not answered yet, a running graph has tasks on this connection, or the context
     *     is closed
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    void disconnect();

    /**
     * Returns a future of the end of the connection, for whatever reason it ends.
     *
     * @return a future that completes with this connection in a {@linkplain ConnectionState#isFinal() final} state. It fails only
     *     if the engine's loop ends and cannot close the context
     */
    Completion<RdmaConnection> whenDisconnected();

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener to be called by the engine's thread until it is removed; if it was added before, nothing changes
     */
    void addListener(RdmaConnectionListener listener);

    /**
     * Removes a listener. It is not called any more, not even for earlier changes that it has not received yet.
     *
     * @param listener that was added; nothing changes if it was not
     */
    void removeListener(RdmaConnectionListener listener);

    /**
     * Submits an operation and returns a future ({@code doca_task_submit}). On the engine of a loop, it waits if no task is free.
     *
     * @param operation of a type that the context has tasks for
     * @return a future of the operation's result, as in {@link RdmaOperation}. It fails with a {@link TaskFailedException} if the
     *     task fails, a {@link ConnectionEndedException} if the connection has ended, a {@link ContextNotRunningException} if the
     *     context is not running, a {@link ResourceExhaustedException} if no task is free and the operation cannot wait for one, or
     *     another {@link DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the buffers do not fit together, the peer's memory does not permit the operation, or the
     *     sync event was imported for another device
     * @throws IllegalStateException if the connection is not connected yet, or is by address and not established yet, the context
     *     has no tasks of this type, the context, the sync event or a buffer is closed, or a buffer is in use by another operation
     * @throws RejectedExecutionException if the context is on a loop that does not accept the operation; see {@link
     *     ProgressLoop#call}
     */
    Completion<Long> submit(RdmaOperation operation);

    /**
     * Submits an operation that calls a handler when it has ended. This allocates nothing, and never waits for a free task.
     *
     * @param operation of a type that the context has tasks for
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException as {@link #submit(RdmaOperation)}
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void submit(RdmaOperation operation, Handler<? super OperationEnd> handler);

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph. The operation is checked when it is submitted.
     *
     * @param operation of the first submission; later ones may have other operations of the same type
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks of its type
     * @throws IllegalStateException if the context is closed or lacks tasks of this type
     * @throws ResourceExhaustedException if no task is free
     */
    RdmaTask task(RdmaOperation operation);

    /**
     * Submits an {@link RdmaOperation#send(Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param message a buffer, or the first one of a list; without data, 0 bytes are sent
     * @return a future of the number of bytes sent
     * @throws IllegalArgumentException if the message exceeds a limit of the device or context
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> send(Buf message);

    /**
     * Submits an {@link RdmaOperation#read(Buf, Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote a buffer of an imported map, in no list, whose data is read
     * @param target a buffer in memory of this side with room behind its data, or the first one of a list
     * @return a future of the number of bytes read, which are fewer than the data if the target has less room
     * @throws IllegalArgumentException if the buffers do not fit together, or the peer's memory does not permit reads
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> read(Buf remote, Buf target);

    /**
     * Submits an {@link RdmaOperation#write(Buf, Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param source a buffer, or the first one of a list; without data, 0 bytes are written
     * @param remote a buffer of an imported map, in no list and without data; each write in flight needs its own
     * @return a future of the number of bytes written
     * @throws IllegalArgumentException if the buffers do not fit together, or the peer's memory does not permit writes
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> write(Buf source, Buf remote);

    /**
     * Submits an {@link RdmaOperation#send(MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param message a range of memory of this side
     * @return a future of the number of bytes sent
     * @throws IllegalArgumentException if the message exceeds the limit of the device
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> send(MapRange message);

    /**
     * Submits an {@link RdmaOperation#read(MapRange, MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote a range of an imported map
     * @param target a range of memory of this side, of the same length
     * @return a future of the number of bytes read
     * @throws IllegalArgumentException if the lengths differ, or the peer's memory does not permit reads
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> read(MapRange remote, MapRange target);

    /**
     * Submits an {@link RdmaOperation#write(MapRange, MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @return a future of the number of bytes written
     * @throws IllegalArgumentException if the lengths differ, or the peer's memory does not permit writes
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> write(MapRange source, MapRange remote);

    /**
     * Submits an {@link RdmaOperation#fetchAdd(MapRange, long)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote 8 bytes of an imported map at an address divisible by 8
     * @param addend the number to add
     * @return a future of the number before
     * @throws IllegalArgumentException if the range does not fit, or the peer's memory does not permit atomic operations
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> fetchAdd(MapRange remote, long addend);

    /**
     * Submits an {@link RdmaOperation#compareAndSwap(MapRange, long, long)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote 8 bytes of an imported map at an address divisible by 8
     * @param expected the number that is replaced
     * @param replacement the new number
     * @return a future of the number before
     * @throws IllegalArgumentException if the range does not fit, or the peer's memory does not permit atomic operations
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    Completion<Long> compareAndSwap(MapRange remote, long expected, long replacement);

    /**
     * Sends the bytes of a range with the next progress. This allocates nothing, and never waits for a free task.
     *
     * @param message the map with the message
     * @param offset the offset of the first byte in that map
     * @param length the number of bytes
     * @param tag a number for the handler ({@link OperationEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if the range is not inside the map
     * @throws IllegalArgumentException as {@link #send(MapRange)}
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void send(Mmap message, long offset, long length, long tag, Handler<? super OperationEnd> handler);

    /**
     * Sends the bytes of a range, as {@link #send(Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param message a range of memory of this side
     * @param handler called once by the engine's thread, unless this method throws
     */
    void send(MapRange message, Handler<? super OperationEnd> handler);

    /**
     * Reads a range of the peer's memory with the next progress. This allocates nothing, and never waits for a free task.
     *
     * @param remote an imported map
     * @param remoteOffset the offset of the first byte in that map
     * @param target the map of this side
     * @param targetOffset the offset of the first byte in that map
     * @param length the number of bytes
     * @param tag a number for the handler ({@link OperationEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if a range is not inside its map
     * @throws IllegalArgumentException as {@link #read(MapRange, MapRange)}
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void read(
            Mmap remote,
            long remoteOffset,
            Mmap target,
            long targetOffset,
            long length,
            long tag,
            Handler<? super OperationEnd> handler);

    /**
     * Reads a range, as {@link #read(Mmap, long, Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param remote a range of an imported map
     * @param target a range of memory of this side, of the same length
     * @param handler called once by the engine's thread, unless this method throws
     */
    void read(MapRange remote, MapRange target, Handler<? super OperationEnd> handler);

    /**
     * Writes to a range of the peer's memory with the next progress. This allocates nothing, and never waits for a free task.
     *
     * @param source the map of this side
     * @param sourceOffset the offset of the first byte in that map
     * @param remote an imported map
     * @param remoteOffset the offset of the first byte in that map
     * @param length the number of bytes
     * @param tag a number for the handler ({@link OperationEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if a range is not inside its map
     * @throws IllegalArgumentException as {@link #write(MapRange, MapRange)}
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void write(
            Mmap source,
            long sourceOffset,
            Mmap remote,
            long remoteOffset,
            long length,
            long tag,
            Handler<? super OperationEnd> handler);

    /**
     * Writes to a range, as {@link #write(Mmap, long, Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @param handler called once by the engine's thread, unless this method throws
     */
    void write(MapRange source, MapRange remote, Handler<? super OperationEnd> handler);
}
