/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.hot.RdmaCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

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
 * <p>A connection belongs to the engine's thread. Any thread may call {@link #context()} and {@link #state()}.
 */
public final class RdmaConnection {

    private static final String FAILURE = "it has failed";

    /** Stands for the reason of a failed attempt to connect for which the SDK has logged none, as DOCA 3.0 does. */
    private static final List<String> NO_REASON = List.of(
            "the SDK has logged no reason: nobody listens there, or the peer has rejected the request or has gone");

    private final Connections connections;
    private final long number;
    private final @Nullable ConnectionDetails details;
    private final CopyOnWriteArrayList<RdmaConnectionListener> listeners = new CopyOnWriteArrayList<>();
    /** The completions of {@link #whenDisconnected()}. */
    private final List<Completion<RdmaConnection>> disconnectWaiters = new ArrayList<>();

    private volatile ConnectionState state;
    /** The native connection; 0 before it exists and after the end. */
    private long pointer;

    /** The number of tasks of running graphs on this connection, which the SDK may submit at any time. */
    private int graphTasks;
    /** The native connection to disconnect after the graph runs that use it, when this one has ended; otherwise 0. */
    private long deferredDisconnect;

    /** The number that the SDK has given to the native connection; empty before that exists. */
    private OptionalInt id = OptionalInt.empty();

    private String endReason = "";

    /** The completion that waits for the connection to be established; null if none. */
    private @Nullable Completion<RdmaConnection> connectWaiter;

    private String function = "";
    private String attempt = "";

    RdmaConnection(Connections connections, long number, ConnectionState state, @Nullable ConnectionDetails details) {
        this.connections = connections;
        this.number = number;
        this.state = state;
        this.details = details;
    }

    /** {@return the context of this connection} Any thread may call. */
    public RdmaContext context() {
        return connections.context();
    }

    /** {@return the state after the last call or progress of the engine} Any thread may call. */
    public ConnectionState state() {
        return state;
    }

    /**
     * Returns the number of the connection ({@code doca_rdma_connection_get_id}).
     *
     * @return an unsigned number that the SDK has chosen, unique among the connections of the context
     * @throws IllegalStateException if the connection has no number yet, because the peer has not answered
     */
    public int id() {
        return id.orElseThrow(
                () -> new IllegalStateException("A connection has a number when the peer has answered: " + this));
    }

    /**
     * Returns the details that the peer needs to connect.
     *
     * @return secret bytes, which the program passes on to the peer; they are valid until the context stops
     * @throws IllegalStateException if this is a connection by address, which has no details
     */
    public ConnectionDetails details() {
        if (details == null) {
            throw new IllegalStateException("A connection by address has no details for the peer: " + this);
        }
        return details;
    }

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
     * @throws IllegalStateException if the connection was connected before or is by address, the context is closed, or another
     *     thread than the engine's calls
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the details, for example because they are damaged, or of a context that has stopped;
     *     this method may then be called again with other details
     */
    public Completion<RdmaConnection> connect(ConnectionDetails peer) {
        Objects.requireNonNull(peer, "peer");
        return context().core().onItsThread("connected", () -> connectHere(peer));
    }

    private Completion<RdmaConnection> connectHere(ConnectionDetails peer) {
        context().core().checkRunningNow();
        if (state != ConnectionState.PREPARED) {
            throw state.isFinal() ? ended() : new IllegalStateException(this + " was connected already");
        }
        connections.rdma().connect(pointer, peer);
        // A listener may end the connection, which fails the completion.
        Completion<RdmaConnection> completion = awaitConnect("doca_rdma_connect", "connecting " + this);
        change(ConnectionState.CONNECTING);
        // A listener may have stopped the context, whose end then fails the completion.
        if (context().core().life().refresh() == ContextState.RUNNING && !RdmaCalls.isRunningWhenConnected()) {
            established();
        }
        return completion;
    }

    /**
     * Ends the connection, unless it has ended ({@code doca_rdma_connection_disconnect}). Its operations in flight fail, and the
     * context goes on. The peer is notified if the connection is by address; otherwise the peer's next operations fail.
     *
     * @throws IllegalStateException if the peer has not answered yet, a running graph has tasks on this connection, the context is
     *     closed, or another thread than the engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    public void disconnect() {
        context().core().onItsThread("disconnected", this::disconnectHere);
    }

    private void disconnectHere() {
        context().core().checkThread();
        if (state.isFinal()) {
            return;
        }
        context().core().checkRunningNow();
        if (state.isFinal()) {
            return;
        }
        if (pointer == 0) {
            throw new IllegalStateException(
                    "A connection by address can be disconnected when the peer has answered, or its"
                            + " context stopped: " + this);
        }
        if (graphTasks > 0) {
            throw new IllegalStateException(this + " cannot be disconnected while " + graphTasks
                    + (graphTasks == 1 ? " task of a running graph uses it" : " tasks of running graphs use it"));
        }
        disconnectNative(pointer);
        end(ConnectionState.DISCONNECTED, "this side has disconnected");
        context().core().engine().delivery().runPending();
    }

    /**
     * Returns a future of the end of the connection, for whatever reason it ends.
     *
     * @return a future that completes with this connection in a {@linkplain ConnectionState#isFinal() final} state. It fails only
     *     if the engine's loop ends and cannot close the context
     * @throws IllegalStateException if another thread than the engine's calls
     */
    public Completion<RdmaConnection> whenDisconnected() {
        return context().core().onItsThread("asked", this::awaitDisconnect);
    }

    private Completion<RdmaConnection> awaitDisconnect() {
        context().core().checkThread();
        Completion<RdmaConnection> completion =
                new OperationCompletion<>(context().engine());
        if (state.isFinal()) {
            completion.complete(this);
        } else {
            disconnectWaiters.add(completion);
        }
        return completion;
    }

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener to be called by the engine's thread until it is removed; if it was added before, nothing changes
     * @throws IllegalStateException if another thread than the engine's calls
     */
    public void addListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().core().checkThread();
        listeners.addIfAbsent(listener);
    }

    /**
     * Removes a listener. It is not called any more, not even for earlier changes that it has not received yet.
     *
     * @param listener that was added; nothing changes if it was not
     * @throws IllegalStateException if another thread than the engine's calls
     */
    public void removeListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().core().checkThread();
        listeners.remove(listener);
    }

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
     *     has no tasks of this type, the context, the sync event or a buffer is closed, a buffer is in use by another operation, or
     *     another thread than the engine's calls
     */
    public Completion<Long> submit(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().submit(this, operation);
    }

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
    public void submit(RdmaOperation operation, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(operation, "operation");
        context().submit(this, operation, handler);
    }

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph. The operation is checked when it is submitted.
     *
     * @param operation of the first submission; later ones may have other operations of the same type
     * @return the task, which belongs to the caller until it is closed, and counts as one of the context's tasks of its type
     * @throws IllegalStateException if the context is closed or lacks tasks of this type, or another thread than the engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public RdmaTask task(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().task(this, operation);
    }

    /**
     * Submits an {@link RdmaOperation#send(Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param message a buffer, or the first one of a list; without data, 0 bytes are sent
     * @return a future of the number of bytes sent
     * @throws IllegalArgumentException if the message exceeds a limit of the device or context
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> send(Buf message) {
        return submit(RdmaOperation.send(message));
    }

    /**
     * Submits an {@link RdmaOperation#read(Buf, Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote a buffer of an imported map, in no list, whose data is read
     * @param target a buffer in memory of this side with room behind its data, or the first one of a list
     * @return a future of the number of bytes read, which are fewer than the data if the target has less room
     * @throws IllegalArgumentException if the buffers do not fit together, or the peer's memory does not permit reads
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> read(Buf remote, Buf target) {
        return submit(RdmaOperation.read(remote, target));
    }

    /**
     * Submits an {@link RdmaOperation#write(Buf, Buf)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param source a buffer, or the first one of a list; without data, 0 bytes are written
     * @param remote a buffer of an imported map, in no list and without data; each write in flight needs its own
     * @return a future of the number of bytes written
     * @throws IllegalArgumentException if the buffers do not fit together, or the peer's memory does not permit writes
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> write(Buf source, Buf remote) {
        return submit(RdmaOperation.write(source, remote));
    }

    /**
     * Submits an {@link RdmaOperation#send(MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param message a range of memory of this side
     * @return a future of the number of bytes sent
     * @throws IllegalArgumentException if the message exceeds the limit of the device
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> send(MapRange message) {
        return submit(RdmaOperation.send(message));
    }

    /**
     * Submits an {@link RdmaOperation#read(MapRange, MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote a range of an imported map
     * @param target a range of memory of this side, of the same length
     * @return a future of the number of bytes read
     * @throws IllegalArgumentException if the lengths differ, or the peer's memory does not permit reads
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> read(MapRange remote, MapRange target) {
        return submit(RdmaOperation.read(remote, target));
    }

    /**
     * Submits an {@link RdmaOperation#write(MapRange, MapRange)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @return a future of the number of bytes written
     * @throws IllegalArgumentException if the lengths differ, or the peer's memory does not permit writes
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> write(MapRange source, MapRange remote) {
        return submit(RdmaOperation.write(source, remote));
    }

    /**
     * Submits an {@link RdmaOperation#fetchAdd(MapRange, long)}, as {@link #submit(RdmaOperation)} does.
     *
     * @param remote 8 bytes of an imported map at an address divisible by 8
     * @param addend the number to add
     * @return a future of the number before
     * @throws IllegalArgumentException if the range does not fit, or the peer's memory does not permit atomic operations
     * @throws IllegalStateException as {@link #submit(RdmaOperation)}
     */
    public Completion<Long> fetchAdd(MapRange remote, long addend) {
        return submit(RdmaOperation.fetchAdd(remote, addend));
    }

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
    public Completion<Long> compareAndSwap(MapRange remote, long expected, long replacement) {
        return submit(RdmaOperation.compareAndSwap(remote, expected, replacement));
    }

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
    public void send(Mmap message, long offset, long length, long tag, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(handler, "handler");
        context().submit(this, RdmaTaskType.SEND, message, offset, null, 0, length, tag, handler);
    }

    /**
     * Sends the bytes of a range, as {@link #send(Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param message a range of memory of this side
     * @param handler called once by the engine's thread, unless this method throws
     */
    public void send(MapRange message, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(handler, "handler");
        send(message.map(), message.offset(), message.length(), 0, handler);
    }

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
    public void read(
            Mmap remote,
            long remoteOffset,
            Mmap target,
            long targetOffset,
            long length,
            long tag,
            Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        context().submit(this, RdmaTaskType.READ, remote, remoteOffset, target, targetOffset, length, tag, handler);
    }

    /**
     * Reads a range, as {@link #read(Mmap, long, Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param remote a range of an imported map
     * @param target a range of memory of this side, of the same length
     * @param handler called once by the engine's thread, unless this method throws
     */
    public void read(MapRange remote, MapRange target, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        RdmaOperation.checkLengths("A read", remote, target);
        read(remote.map(), remote.offset(), target.map(), target.offset(), remote.length(), 0, handler);
    }

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
    public void write(
            Mmap source,
            long sourceOffset,
            Mmap remote,
            long remoteOffset,
            long length,
            long tag,
            Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(handler, "handler");
        context().submit(this, RdmaTaskType.WRITE, source, sourceOffset, remote, remoteOffset, length, tag, handler);
    }

    /**
     * Writes to a range, as {@link #write(Mmap, long, Mmap, long, long, long, Handler)} does with a tag of 0.
     *
     * @param source a range of memory of this side
     * @param remote a range of an imported map, of the same length
     * @param handler called once by the engine's thread, unless this method throws
     */
    public void write(MapRange source, MapRange remote, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(handler, "handler");
        RdmaOperation.checkLengths("A write", source, remote);
        write(source.map(), source.offset(), remote.map(), remote.offset(), source.length(), 0, handler);
    }

    /** Returns the number by which events identify this connection. */
    long number() {
        return number;
    }

    /** Returns the {@code struct doca_rdma_connection *}; call {@link #checkUsable()} first. */
    long pointer() {
        return pointer;
    }

    /** Sets the native connection and the number that the SDK has given to it. */
    void setPointer(long newPointer, int newId) {
        pointer = newPointer;
        id = OptionalInt.of(newId);
    }

    /** Notes that a running graph may submit a task on this connection, until {@link #removeGraphTask()}. */
    void addGraphTask() {
        graphTasks++;
    }

    /** Notes that the run with this task has completed. The last one disconnects a native connection that has ended meanwhile. */
    void removeGraphTask() {
        graphTasks--;
        long deferred = deferredDisconnect;
        if (graphTasks == 0 && deferred != 0) {
            deferredDisconnect = 0;
            try {
                disconnectIfRunning(deferred);
            } catch (Throwable failure) {
                connections.report(failure);
            }
        }
    }

    /**
     * Throws unless operations can be submitted. The SDK accepts them as soon as it has the details of the peer; they wait until
     * the peer has connected.
     */
    void checkUsable() {
        if (state == ConnectionState.ESTABLISHED) {
            if (details == null && connections.hasFailed(pointer)) {
                throw new ConnectionEndedException(this + " has ended: " + FAILURE);
            }
            return;
        }
        if (state.isFinal()) {
            throw ended();
        }
        if (state == ConnectionState.PREPARED || details == null) {
            throw new IllegalStateException(this + " is not established yet");
        }
    }

    private ConnectionEndedException ended() {
        return new ConnectionEndedException(this + " has ended: " + endReason);
    }

    /** Returns a completion for the time when the connection is established or has failed; the arguments describe a failure. */
    Completion<RdmaConnection> awaitConnect(String newFunction, String newAttempt) {
        Completion<RdmaConnection> completion =
                new OperationCompletion<>(context().engine());
        connectWaiter = completion;
        context().core().activity().addConnects(1);
        function = newFunction;
        attempt = newAttempt;
        return completion;
    }

    /** Handles the report that the SDK runs the context, which completes a connect by details. */
    void contextRuns() {
        if (state == ConnectionState.CONNECTING && details != null) {
            established();
        }
    }

    /** Handles the report that data can flow. */
    void established() {
        if (state != ConnectionState.CONNECTING) {
            failConnectWaiter(ended());
            return;
        }
        if (connectWaiter != null && connectWaiter.isDone()) {
            disconnectCancelled();
            return;
        }
        change(ConnectionState.ESTABLISHED);
        Completion<RdmaConnection> completion = takeConnectWaiter();
        if (completion != null) {
            completion.complete(this);
        }
    }

    /** Disconnects a connection whose future was cancelled, or has failed by a timeout of the caller, before it was established. */
    private void disconnectCancelled() {
        try {
            disconnectDeferred();
        } finally {
            end(ConnectionState.FAILED, "its future was cancelled or had failed before it was established");
        }
    }

    /** Fails a connection whose native connection exists, but could not be set up. */
    void setUpFailed(long newPointer, Throwable failure) {
        pointer = newPointer;
        if (state != ConnectionState.CONNECTING) {
            failConnectWaiter(failure);
            return;
        }
        Undo.after(failure, this::disconnectDeferred);
        end(ConnectionState.FAILED, "it was not established", failure);
    }

    /**
     * Handles the SDK's report that the connection has failed; the SDK has destroyed the native connection.
     *
     * @param reasons the errors that the SDK has logged about the connection
     */
    void failed(List<String> reasons) {
        connections.destroyed(this);
        if (state == ConnectionState.ESTABLISHED) {
            end(ConnectionState.DISCONNECTED, FAILURE);
        } else {
            end(
                    ConnectionState.FAILED,
                    "it was not established",
                    Calls.failure(
                            DocaError.CONNECTION_ABORTED.code(),
                            function,
                            attempt,
                            reasons.isEmpty() ? noReason() : reasons));
        }
        nativeEnded();
    }

    private static List<String> noReason() {
        String remedy = Calls.openFilesRemedy();
        return remedy == null ? NO_REASON : List.of(remedy);
    }

    /** Handles the end of the native connection. Only a stop of the context keeps running graphs from submitting tasks on it. */
    void nativeEnded() {
        deferredDisconnect = 0;
        if (graphTasks > 0) {
            context().core().stop();
        }
    }

    /** Handles a disconnect or exit of the peer. The SDK waits until this side has disconnected as well. */
    void disconnectedByPeer() {
        if (!state.isFinal()) {
            try {
                disconnectDeferred();
            } finally {
                end(ConnectionState.DISCONNECTED, "the peer has disconnected");
            }
        }
    }

    /** Ends the connection because the context has stopped, unless a listener of another connection has ended it before. */
    void endWithContext() {
        if (state.isFinal()) {
            return;
        }
        boolean wasEstablished = state == ConnectionState.ESTABLISHED;
        String reason = "its context has stopped, which ends all connections; make new ones after a restart";
        end(
                wasEstablished ? ConnectionState.DISCONNECTED : ConnectionState.FAILED,
                reason,
                new ConnectionEndedException(this + " was not established: its context has stopped"));
    }

    /** Returns the completion of a connect, which is about to end; null if none waits. */
    private @Nullable Completion<RdmaConnection> takeConnectWaiter() {
        Completion<RdmaConnection> completion = connectWaiter;
        if (completion != null) {
            connectWaiter = null;
            context().core().activity().addConnects(-1);
        }
        return completion;
    }

    private void failConnectWaiter(Throwable failure) {
        Completion<RdmaConnection> completion = takeConnectWaiter();
        if (completion != null) {
            completion.completeExceptionally(failure);
        }
    }

    /** Fails the futures, as the changes of the connection will not be reported. */
    void abandon(RuntimeException reason) {
        failConnectWaiter(reason);
        takeDisconnectWaiters().forEach(waiter -> waiter.completeExceptionally(reason));
    }

    private List<Completion<RdmaConnection>> takeDisconnectWaiters() {
        List<Completion<RdmaConnection>> taken = List.copyOf(disconnectWaiters);
        disconnectWaiters.clear();
        return taken;
    }

    /** Returns whether it is established, and no graph may still submit tasks on the native connection. */
    boolean isDisconnectable() {
        return state == ConnectionState.ESTABLISHED && pointer != 0 && graphTasks == 0;
    }

    /** Disconnects now, or after the runs of graphs that may still submit tasks on the native connection. */
    private void disconnectDeferred() {
        if (graphTasks == 0) {
            disconnectIfRunning(pointer);
        } else {
            deferredDisconnect = pointer;
        }
    }

    /** Disconnects, unless the context has stopped, which destroys its native connections. */
    private void disconnectIfRunning(long ended) {
        if (context().core().life().refresh() == ContextState.RUNNING) {
            disconnectNative(ended);
        }
    }

    private void disconnectNative(long ended) {
        // Deferred tasks have the native connection as an argument.
        context().core().flushDeferred();
        if (!connections.hasFailed(ended)) {
            connections.rdma().disconnect(ended);
        }
        connections.destroyed(this);
    }

    private void end(ConnectionState last, String reason) {
        end(last, reason, new ConnectionEndedException(this + " was not established: " + reason));
    }

    private void end(ConnectionState last, String reason, Throwable failure) {
        connections.remove(this);
        pointer = 0;
        endReason = reason;
        change(last);
        Completion<RdmaConnection> completion = takeConnectWaiter();
        List<Completion<RdmaConnection>> waiters = takeDisconnectWaiters();
        connections.deliver(() -> {
            if (completion != null) {
                completion.completeExceptionally(failure);
            }
            waiters.forEach(waiter -> waiter.complete(this));
        });
    }

    private void change(ConnectionState next) {
        ConnectionState previous = state;
        state = next;
        Jfr.connectionChanged(this, previous, next);
        if (listeners.isEmpty()) {
            return;
        }
        // Later listeners can read the new state when they are added; removed ones are not called any more.
        List<RdmaConnectionListener> current = List.copyOf(listeners);
        connections.deliver(() -> {
            for (RdmaConnectionListener listener : current) {
                notifyListener(listener, previous, next);
            }
        });
    }

    private void notifyListener(RdmaConnectionListener listener, ConnectionState previous, ConnectionState next) {
        try {
            if (listeners.contains(listener)) {
                listener.stateChanged(this, previous, next);
            }
        } catch (Throwable failure) {
            connections.report(failure);
        }
    }

    @Override
    public String toString() {
        String name =
                id.isEmpty() ? "A connection by address" : "Connection " + Integer.toUnsignedString(id.getAsInt());
        return name + " of the " + context();
    }
}
