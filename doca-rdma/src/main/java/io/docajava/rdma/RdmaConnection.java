/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a peer, {@code struct doca_rdma_connection}, and the operations on it.
 *
 * <p>An {@link RdmaOperation} runs in one of three forms, as a copy by DMA does: {@link #submit(RdmaOperation)} returns a future,
 * {@link #submit(RdmaOperation, RdmaHandler)} calls a handler and allocates nothing, and {@link #task} prepares an operation that
 * is submitted again and again. The operations of a connection are carried out in the order of their submission. They check their
 * arguments first: {@link IllegalArgumentException} for buffers that are not right, {@link IllegalStateException} for what is
 * closed or not connected yet, {@link ConnectionEndedException} for a connection that has ended, {@link
 * ContextNotRunningException} for a context that is not running, and {@link ResourceExhaustedException} when no task is free.
 *
 * <p>A graph that runs keeps its connections: they cannot be disconnected here, and when the peer disconnects they are over at
 * once, but for the SDK only when the run has ended. When the SDK ends one by itself, as it has failed, the context stops.
 *
 * <p>Most failures stop the context ({@link ContextState#STOPPING}), and with that all its connections end. When the peer of
 * a connection by address dies or disconnects, only that connection ends, and the operations that are in flight on it fail.
 * A connection is of one run of its context: after a restart it is void, and new ones are to be made.
 *
 * <p>Used by the engine's thread.
 */
public final class RdmaConnection {

    private static final String FAILURE = "it has failed";

    private final Connections connections;
    private final long number;
    private final @Nullable ConnectionDetails details;
    private final CopyOnWriteArrayList<RdmaConnectionListener> listeners = new CopyOnWriteArrayList<>();
    /** Those who wait for its end. */
    private final List<Completion<RdmaConnection>> waiting = new ArrayList<>();

    private volatile ConnectionState state;
    /** 0 when there is no native one yet, or no more. */
    private long pointer;

    /** The number of its tasks that graphs run, and may submit at any time. */
    private int lentTasks;
    /** The native connection of one that is over for users, while graphs may submit tasks on it; else 0. */
    private long pointerToLeave;

    private int id;
    private String end = "";

    /** The completion that waits for the connection to be established; null if none. */
    private @Nullable Completion<RdmaConnection> expected;

    /** True if an operation checks the connection; its failure explains more than the end of the context. */
    private boolean isProbed;

    private String function = "";
    private String attempt = "";
    private List<String> reasons = List.of();

    RdmaConnection(Connections connections, long number, ConnectionState state, @Nullable ConnectionDetails details) {
        this.connections = connections;
        this.number = number;
        this.state = state;
        this.details = details;
    }

    /** The context that it is of. */
    public RdmaContext context() {
        return connections.context();
    }

    /** Returns the state as of the last call or progress. Any thread may ask. */
    public ConnectionState state() {
        return state;
    }

    /**
     * The number that the SDK gave it, one for each connection of its context ({@code doca_rdma_connection_get_id}).
     *
     * @throws IllegalStateException if there is none yet, as the peer has not answered
     */
    public int id() {
        if (id == 0) {
            throw new IllegalStateException("A connection has a number when the peer has answered: " + this);
        }
        return id;
    }

    /**
     * Returns the details that the peer needs to connect.
     *
     * @throws IllegalStateException if the connection is one by address, which has none
     */
    public ConnectionDetails details() {
        if (details == null) {
            throw new IllegalStateException("A connection by address has no details to be told to the peer: " + this);
        }
        return details;
    }

    /**
     * Connects to the peer with these details, which does the same with this one's ({@code doca_rdma_connect}).
     *
     * <p>The SDK does not report when the peer has connected. So this side tries by an operation that does nothing, as {@link
     * ConnectionCheck} says; it needs no task of the context's. Other operations may be submitted meanwhile: they wait as well.
     *
     * @return completes when data can flow; or with a {@link TaskFailedException} if that came to be known as impossible, or the
     *     context has stopped before; or with a {@link ConnectionEndedException} if this side has disconnected before
     * @throws IllegalStateException if the connection was connected before or is one by address, the context is closed, or the
     *     thread is the wrong one
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses the details, for example as they are damaged, or of a context that has stopped;
     *     the connection can be connected with others then
     */
    public Completion<RdmaConnection> connect(ConnectionDetails peer) {
        Objects.requireNonNull(peer, "peer");
        context().core().checkRunningNow();
        if (state != ConnectionState.PREPARED) {
            throw state.isFinal() ? over() : new IllegalStateException(this + " was connected already");
        }
        connections.calls().connect(pointer, peer);
        change(ConnectionState.CONNECTING);
        Completion<RdmaConnection> completion = expect("doca_rdma_connect", "connecting " + this, List.of());
        context().check(this);
        return completion;
    }

    /**
     * Ends the connection ({@code doca_rdma_connection_disconnect}). What is in flight on it fails, and the context goes on. The
     * peer of a connection by address learns of it; that of another one does not, and its operations fail. Does nothing when the
     * connection is over.
     *
     * @throws IllegalStateException if the peer has not answered yet, if a graph that runs has tasks on this connection, if the
     *     context is closed, or if the thread is the wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses
     */
    public void disconnect() {
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
        if (lentTasks > 0) {
            throw new IllegalStateException(this + " cannot be disconnected while " + lentTasks
                    + (lentTasks == 1 ? " task of a running graph uses it" : " tasks of running graphs use it"));
        }
        leave(pointer);
        end(ConnectionState.DISCONNECTED, "this side has disconnected");
        connections.deliver();
    }

    /** Completes when the connection is over, however that comes about. */
    public Completion<RdmaConnection> disconnected() {
        context().core().checkThread();
        Completion<RdmaConnection> completion = connections.completion();
        if (state.isFinal()) {
            completion.complete(this);
        } else {
            waiting.add(completion);
        }
        return completion;
    }

    /** Adds a listener, called after those added before. One that was added already is not added again. */
    public void addListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().core().checkThread();
        listeners.addIfAbsent(listener);
    }

    /** Removes a listener, if it is there. */
    public void removeListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().core().checkThread();
        listeners.remove(listener);
    }

    /**
     * Starts an operation. On the engine of a loop it waits when no task is free.
     *
     * @return completes with the result of the operation; with a {@link TaskFailedException}; with a {@link
     *     ConnectionEndedException} if the connection has ended; with a {@link ContextNotRunningException}; with a {@link
     *     ResourceExhaustedException} if no task is free, and the engine is not that of a loop; or with another {@link DocaException}
     *     if the SDK refuses the task
     * @throws IllegalArgumentException if the buffers do not fit together, the peer's memory does not permit it, or the sync event
     *     was imported for another device
     * @throws IllegalStateException if the connection is not established yet, the context, the sync event or a buffer is closed,
     *     a buffer is otherwise in use, such as the remote one by another write, or the thread is the wrong one
     */
    public Completion<Long> submit(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().submit(this, operation);
    }

    /**
     * Starts an operation that calls a handler when it has ended, and allocates nothing; otherwise as {@link
     * #submit(RdmaOperation)}. It does not wait for a free task. What would fail the future before the operation is in flight is
     * thrown.
     */
    public void submit(RdmaOperation operation, RdmaHandler handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(operation, "operation");
        context().submit(this, operation, handler);
    }

    /**
     * Takes a task for an operation that can be submitted any number of times, and belongs to the caller until it is closed.
     *
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if no task is free
     */
    public RdmaTask task(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().task(this, operation);
    }

    /** Starts a {@link RdmaOperation#send}, as {@link #submit(RdmaOperation)}. */
    public Completion<Long> send(Buf message) {
        return submit(RdmaOperation.send(message));
    }

    /** Starts a {@link RdmaOperation#read}, as {@link #submit(RdmaOperation)}. */
    public Completion<Long> read(Buf remote, Buf target) {
        return submit(RdmaOperation.read(remote, target));
    }

    /** Starts a {@link RdmaOperation#write}, as {@link #submit(RdmaOperation)}. */
    public Completion<Long> write(Buf source, Buf remote) {
        return submit(RdmaOperation.write(source, remote));
    }

    /** Returns the number by which events identify this connection. */
    long number() {
        return number;
    }

    /** The {@code struct doca_rdma_connection *}; to be used after {@link #checkUsable()}. */
    long pointer() {
        return pointer;
    }

    void setPointer(long newPointer) {
        pointer = newPointer;
        id = connections.calls().id(newPointer);
    }

    /** A graph may submit a task on it, until {@link #giveBack()}. */
    void lend() {
        lentTasks++;
    }

    /** The run of a graph that a task was lent to is over. */
    void giveBack() {
        lentTasks--;
        long left = pointerToLeave;
        if (lentTasks == 0 && left != 0) {
            pointerToLeave = 0;
            try {
                leaveIfRunning(left);
            } catch (RuntimeException failure) {
                connections.report(failure);
            }
        }
    }

    /** Refuses what needs a connection on which operations can be submitted. */
    void checkUsable() {
        if (state != ConnectionState.ESTABLISHED) {
            checkConnecting();
        } else if (details == null && connections.hasFailed(pointer)) {
            throw new ConnectionEndedException(this + " is over: " + FAILURE);
        }
    }

    /** With the peer's details known, the SDK takes operations, which wait for the peer. */
    private void checkConnecting() {
        if (state.isFinal()) {
            throw over();
        }
        if (state == ConnectionState.PREPARED || details == null) {
            throw new IllegalStateException(this + " is not established yet");
        }
    }

    private ConnectionEndedException over() {
        return new ConnectionEndedException(this + " is over: " + end);
    }

    /** Somebody waits for it to be established. */
    Completion<RdmaConnection> expect(String byFunction, String inWords, List<String> soFar) {
        Completion<RdmaConnection> completion = connections.completion();
        expected = completion;
        function = byFunction;
        attempt = inWords;
        reasons = soFar;
        return completion;
    }

    /** Data can flow. */
    void established() {
        if (state == ConnectionState.CONNECTING) {
            change(ConnectionState.ESTABLISHED);
            Completion<RdmaConnection> completion = expected;
            expected = null;
            if (completion != null) {
                completion.complete(this);
            }
        } else {
            refuseExpected(over());
        }
    }

    /** An operation that finds out whether data can flow is on its way: {@link #established()} or {@link #failed} will follow. */
    void beginProbe() {
        isProbed = true;
    }

    /** The attempt to find out whether data can flow has failed, and mostly the context with it. */
    void failed(RuntimeException failure) {
        if (state != ConnectionState.CONNECTING) {
            refuseExpected(failure);
            return;
        }
        try {
            leaveSoon();
        } catch (RuntimeException second) {
            failure.addSuppressed(second);
        }
        end(ConnectionState.FAILED, "it was not established", failure);
    }

    /** The same for one that is natively there, and of which nothing else is known. */
    void failed(long newPointer, RuntimeException failure) {
        pointer = newPointer;
        failed(failure);
    }

    /** The SDK has reported that it failed, and destroyed the native connection. */
    void failed(List<String> more) {
        connections.destroyed(this);
        List<String> all = new ArrayList<>(reasons);
        all.addAll(more);
        if (state == ConnectionState.ESTABLISHED) {
            end(ConnectionState.DISCONNECTED, FAILURE);
        } else {
            end(
                    ConnectionState.FAILED,
                    "it was not established",
                    Connections.failure(DocaError.CONNECTION_ABORTED.code(), function, attempt, all));
        }
        nativeEnded();
    }

    /**
     * The SDK has reported that it failed. Graphs that would submit tasks on it can be kept from that in one way only: a context
     * that stops takes none.
     */
    void nativeEnded() {
        pointerToLeave = 0;
        if (lentTasks > 0) {
            context().core().stop();
        }
    }

    /** The peer has disconnected, or is gone; the SDK waits for this side to do the same. */
    void disconnectedByPeer() {
        if (!state.isFinal()) {
            try {
                leaveSoon();
            } finally {
                end(ConnectionState.DISCONNECTED, "the peer has disconnected");
            }
        }
    }

    /** The context has stopped. A listener of another connection may have ended this one. */
    void endWithContext() {
        if (state.isFinal()) {
            return;
        }
        boolean wasEstablished = state == ConnectionState.ESTABLISHED;
        Completion<RdmaConnection> learnsMore = isProbed ? expected : null;
        expected = learnsMore == null ? expected : null;
        String reason = "its context has stopped, which ends all connections; make new ones after a restart";
        end(
                wasEstablished ? ConnectionState.DISCONNECTED : ConnectionState.FAILED,
                reason,
                new ConnectionEndedException(this + " was not established: its context has stopped"));
        expected = learnsMore;
    }

    private void refuseExpected(RuntimeException failure) {
        Completion<RdmaConnection> completion = expected;
        expected = null;
        if (completion != null) {
            completion.completeExceptionally(failure);
        }
    }

    /** Leaves now, or when graphs have given all tasks back that they would submit on a native connection that is no more. */
    private void leaveSoon() {
        if (lentTasks == 0) {
            leaveIfRunning(pointer);
        } else {
            pointerToLeave = pointer;
        }
    }

    /** The native connections of a context that has stopped go without that. */
    private void leaveIfRunning(long left) {
        if (context().core().stateNow() == ContextState.RUNNING) {
            leave(left);
        }
    }

    private void leave(long left) {
        // They have the native connection as an argument.
        context().core().flushHeld();
        if (!connections.hasFailed(left)) {
            connections.calls().disconnect(left);
        }
        connections.destroyed(this);
    }

    private void end(ConnectionState last, String reason) {
        end(last, reason, new ConnectionEndedException(this + " was not established: " + reason));
    }

    private void end(ConnectionState last, String reason, RuntimeException failure) {
        connections.remove(this);
        pointer = 0;
        end = reason;
        change(last);
        Completion<RdmaConnection> completion = expected;
        expected = null;
        List<Completion<RdmaConnection>> connected = List.copyOf(waiting);
        waiting.clear();
        connections.deliver(() -> {
            if (completion != null) {
                completion.completeExceptionally(failure);
            }
            connected.forEach(one -> one.complete(this));
        });
    }

    private void change(ConnectionState next) {
        ConnectionState previous = state;
        state = next;
        Jfr.connectionChanged(this, previous, next);
        if (listeners.isEmpty()) {
            return;
        }
        // A listener that is added meanwhile knows the state already; one that is removed is not called any more.
        List<RdmaConnectionListener> concerned = List.copyOf(listeners);
        connections.deliver(() -> {
            for (RdmaConnectionListener listener : concerned) {
                if (listeners.contains(listener)) {
                    notifyListener(listener, previous, next);
                }
            }
        });
    }

    private void notifyListener(RdmaConnectionListener listener, ConnectionState previous, ConnectionState next) {
        try {
            listener.stateChanged(this, previous, next);
        } catch (Throwable failure) {
            connections.report(failure);
        }
    }

    @Override
    public String toString() {
        return (id == 0 ? "A connection by address" : "Connection " + Integer.toUnsignedString(id)) + " of the "
                + context();
    }
}
