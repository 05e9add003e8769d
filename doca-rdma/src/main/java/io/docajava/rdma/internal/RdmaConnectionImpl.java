/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.hot.RdmaCalls;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.ConnectionState;
import io.docajava.rdma.OperationEnd;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaConnectionListener;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link RdmaConnection}. */
public final class RdmaConnectionImpl implements RdmaConnection {

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

    /** True until the first attempt to connect it by details. */
    private boolean isUntouched = true;

    private String endReason = "";

    /** The completion that waits for the connection to be established; null if none. */
    private @Nullable Completion<RdmaConnection> connectWaiter;

    private String function = "";
    private String attempt = "";

    RdmaConnectionImpl(
            Connections connections, long number, ConnectionState state, @Nullable ConnectionDetails details) {
        this.connections = connections;
        this.number = number;
        this.state = state;
        this.details = details;
    }

    @Override
    public RdmaContextImpl context() {
        return connections.context();
    }

    @Override
    public ConnectionState state() {
        return state;
    }

    @Override
    public int id() {
        return id.orElseThrow(
                () -> new IllegalStateException("A connection has a number when the peer has answered: " + this));
    }

    @Override
    public ConnectionDetails details() {
        if (details == null) {
            throw new IllegalStateException("A connection by address has no details for the peer: " + this);
        }
        return details;
    }

    @Override
    public Completion<RdmaConnection> connect(ConnectionDetails peer) {
        Objects.requireNonNull(peer, "peer");
        return context().onItsThread("connected", () -> connectHere(peer));
    }

    private Completion<RdmaConnection> connectHere(ConnectionDetails peer) {
        context().checkRunningNow();
        if (state != ConnectionState.PREPARED) {
            throw state.isFinal() ? ended() : new IllegalStateException(this + " was connected already");
        }
        isUntouched = false;
        connections.rdma().connect(pointer, peer);
        // A listener may end the connection, which fails the completion.
        Completion<RdmaConnection> completion = awaitConnect("doca_rdma_connect", "connecting " + this);
        change(ConnectionState.CONNECTING);
        // A listener may have stopped the context, whose end then fails the completion.
        if (context().life().refresh() == ContextState.RUNNING && !RdmaCalls.isRunningWhenConnected()) {
            established();
        }
        return completion;
    }

    @Override
    public void disconnect() {
        context().onItsThread("disconnected", this::disconnectHere);
    }

    private void disconnectHere() {
        context().checkThread();
        if (state.isFinal()) {
            return;
        }
        context().checkRunningNow();
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
        if (details != null && isUntouched) {
            connections.prepareAgain(new RdmaObject.Exported(pointer, id(), details));
        } else {
            disconnectNative(pointer);
        }
        end(ConnectionState.DISCONNECTED, "this side has disconnected");
        context().engine().delivery().runPending();
    }

    @Override
    public Completion<RdmaConnection> whenDisconnected() {
        return context().onItsThread("asked", this::awaitDisconnect);
    }

    private Completion<RdmaConnection> awaitDisconnect() {
        context().checkThread();
        Completion<RdmaConnection> completion =
                new OperationCompletion<>(context().engine());
        if (state.isFinal()) {
            completion.complete(this);
        } else {
            disconnectWaiters.add(completion);
        }
        return completion;
    }

    @Override
    public void addListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().checkThread();
        listeners.addIfAbsent(listener);
    }

    @Override
    public void removeListener(RdmaConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        context().checkThread();
        listeners.remove(listener);
    }

    @Override
    public Completion<Long> submit(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().submit(this, (RdmaOperationImpl) operation);
    }

    @Override
    public void submit(RdmaOperation operation, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(operation, "operation");
        context().submit(this, (RdmaOperationImpl) operation, handler);
    }

    @Override
    public RdmaTask task(RdmaOperation operation) {
        Objects.requireNonNull(operation, "operation");
        return context().task(this, (RdmaOperationImpl) operation);
    }

    @Override
    public Completion<Long> send(Buf message) {
        return submit(RdmaOperation.send(message));
    }

    @Override
    public Completion<Long> read(Buf remote, Buf target) {
        return submit(RdmaOperation.read(remote, target));
    }

    @Override
    public Completion<Long> write(Buf source, Buf remote) {
        return submit(RdmaOperation.write(source, remote));
    }

    @Override
    public Completion<Long> send(MapRange message) {
        return submit(RdmaOperation.send(message));
    }

    @Override
    public Completion<Long> read(MapRange remote, MapRange target) {
        return submit(RdmaOperation.read(remote, target));
    }

    @Override
    public Completion<Long> write(MapRange source, MapRange remote) {
        return submit(RdmaOperation.write(source, remote));
    }

    @Override
    public Completion<Long> fetchAdd(MapRange remote, long addend) {
        return submit(RdmaOperation.fetchAdd(remote, addend));
    }

    @Override
    public Completion<Long> compareAndSwap(MapRange remote, long expected, long replacement) {
        return submit(RdmaOperation.compareAndSwap(remote, expected, replacement));
    }

    @Override
    public void send(Mmap message, long offset, long length, long tag, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(handler, "handler");
        context().submit(this, RdmaTaskType.SEND, message, offset, null, 0, length, tag, handler);
    }

    @Override
    public void send(MapRange message, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(handler, "handler");
        send(message.map(), message.offset(), message.length(), 0, handler);
    }

    @Override
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

    @Override
    public void read(MapRange remote, MapRange target, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        RdmaOperationImpl.checkLengths("A read", remote, target);
        read(remote.map(), remote.offset(), target.map(), target.offset(), remote.length(), 0, handler);
    }

    @Override
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

    @Override
    public void write(MapRange source, MapRange remote, Handler<? super OperationEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(handler, "handler");
        RdmaOperationImpl.checkLengths("A write", source, remote);
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
        context().activity().addConnects(1);
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
            context().stop();
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
            context().activity().addConnects(-1);
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
        if (context().life().refresh() == ContextState.RUNNING) {
            disconnectNative(ended);
        }
    }

    private void disconnectNative(long ended) {
        // Deferred tasks have the native connection as an argument.
        context().flushDeferred();
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
