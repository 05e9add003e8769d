/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.internal;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.ConnectionState;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a context, and the port that it listens at. All belong to one run of the context, from a start to the next
 * stop: the SDK destroys them when the context stops.
 */
final class Connections {

    private static final System.Logger LOG = System.getLogger("io.docajava.rdma");

    /** The kinds of events, which are the numbers of callbacks. */
    static final int REQUESTED = 0;

    static final int ESTABLISHED = 1;
    static final int FAILED = 2;
    static final int DISCONNECTED = 3;

    private final RdmaContextImpl context;
    private final RdmaObject rdma;

    /** The connections that have not ended, by the numbers that their events have as user data. */
    private final Map<Long, RdmaConnectionImpl> open = new LinkedHashMap<>();

    /** The connections of this run by native pointers, including ended ones: their received messages may be undelivered. */
    private final ConnectionTable byPointer;

    /** The only one, as the SDK does not report the port of a request; null if there is none. */
    private @Nullable RdmaListenerImpl listener;
    /** The requests that were not answered yet, and whose failure was not delivered. */
    private final List<ConnectionRequestImpl> requests = new ArrayList<>();
    /** The native addresses that connections by address still use, by the numbers of the connections. */
    private final Map<Long, Long> addresses = new LinkedHashMap<>();
    /** The native pointers that requests of this run had. The SDK uses the places of ended connections again. */
    private final Set<Long> placesOfRequests = new HashSet<>();

    /**
     * The native connections of prepared connections that were disconnected before anybody connected them. They are prepared again,
     * because DOCA 3.0 frees the place of a connection only if it was connected.
     */
    private final ArrayDeque<RdmaObject.Exported> unconnected = new ArrayDeque<>();

    /** Notifications that users have not received yet, in order. */
    private final ArrayDeque<Runnable> undelivered = new ArrayDeque<>();

    private boolean isDelivering;

    /**
     * True from the first use of an address until the end of the run: the connection manager of the SDK may have events. When an
     * engine is armed, DOCA 3.0 discards an event that is pending: of a request, of a connection that is being established, or of
     * a disconnect.
     */
    private boolean isUsingAddresses;

    private long lastNumber;
    /** The number of starts of the context. */
    private int run;
    /** The number of starts whose RUNNING state was delivered. */
    private int deliveredRun;

    Connections(RdmaContextImpl context, RdmaObject rdma, ConnectionTable byPointer) {
        this.context = context;
        this.rdma = rdma;
        this.byPointer = byPointer;
        rdma.attach(this);
        rdma.add(this::destroyAddresses);
    }

    RdmaContextImpl context() {
        return context;
    }

    RdmaObject rdma() {
        return rdma;
    }

    private EngineImpl engine() {
        return context.engine();
    }

    /** Returns a copy of the connections that have not ended. */
    List<RdmaConnectionImpl> open() {
        return List.copyOf(open.values());
    }

    /** Returns whether the SDK may have events of connections by address, which it loses when the engine is armed. */
    boolean isUsingAddresses() {
        return isUsingAddresses;
    }

    int addressesInUse() {
        return addresses.size();
    }

    /** Returns the connection with a native pointer; null if none is known. */
    @Nullable
    RdmaConnectionImpl of(long pointer) {
        return byPointer.get(pointer);
    }

    RdmaConnectionImpl prepare() {
        context.checkRunningNow();
        RdmaObject.Exported left = unconnected.poll();
        RdmaObject.Exported exported = left == null ? withRoom(rdma::export) : left;
        RdmaConnectionImpl connection =
                new RdmaConnectionImpl(this, ++lastNumber, ConnectionState.PREPARED, exported.details());
        add(connection, exported.connection());
        connection.setPointer(exported.connection(), exported.id());
        return connection;
    }

    /** Keeps a native connection for the next {@link #prepare()}. Nobody has tried to connect it. */
    void prepareAgain(RdmaObject.Exported exported) {
        unconnected.add(exported);
    }

    Completion<RdmaConnection> connect(RdmaAddress address, int port) {
        context.checkRunningNow();
        RdmaConnectionImpl connection = new RdmaConnectionImpl(this, ++lastNumber, ConnectionState.CONNECTING, null);
        isUsingAddresses = true;
        String attempt = "connecting the " + context + " to " + address + " port " + port;
        long number = lastNumber;
        addresses.put(number, withRoom(() -> rdma.connect(address, port, number, attempt)));
        open.put(lastNumber, connection);
        return connection.awaitConnect("doca_rdma_connect_to_addr", attempt);
    }

    /** Makes a connection natively. Its failure says what to do if there are too many. */
    private <T> T withRoom(Supplier<T> attempt) {
        try {
            return attempt.get();
        } catch (DocaCallException failure) {
            if (failure.error() != DocaError.FULL) {
                throw failure;
            }
            ResourceExhaustedException exhausted = new ResourceExhaustedException(noRoom());
            exhausted.initCause(failure);
            throw exhausted;
        }
    }

    private String noRoom() {
        return context + " has no room for another connection: its limit is "
                + context.limits().maxConnections()
                + "; disconnect one, or raise maxConnections()";
    }

    /** Accepts a pending request. If the SDK refuses, the request is still pending. */
    Completion<RdmaConnection> accept(ConnectionRequestImpl request, byte[] privateData) {
        long pointer = request.pointer();
        RdmaConnectionImpl connection = new RdmaConnectionImpl(this, ++lastNumber, ConnectionState.CONNECTING, null);
        rdma.setUserData(pointer, lastNumber);
        rdma.accept(pointer, privateData);
        markAnswered(request);
        try {
            add(connection, pointer);
            connection.setPointer(pointer, rdma.id(pointer));
        } catch (Throwable failure) {
            connection.setUpFailed(pointer, failure);
            throw failure;
        }
        return connection.awaitConnect("doca_rdma_connection_accept", "accepting a connection to the " + context);
    }

    /** Adds a connection that has a native pointer from now on. */
    private void add(RdmaConnectionImpl connection, long pointer) {
        open.put(connection.number(), connection);
        byPointer.put(pointer, connection);
    }

    void remove(RdmaConnectionImpl connection) {
        open.remove(connection.number());
    }

    RdmaListenerImpl listen(int port, Consumer<? super ConnectionRequest> handler) {
        context.checkRunningNow();
        if (listener != null) {
            throw new IllegalStateException(
                    "The " + context + " cannot listen to port " + port + ", as it listens to port " + listener.port()
                            + ": DOCA does not report to which port a request has come");
        }
        RdmaListenerImpl opened = new RdmaListenerImpl(this, port, handler);
        isUsingAddresses = true;
        rdma.listen(port);
        listener = opened;
        return opened;
    }

    void stopListening(RdmaListenerImpl closed) {
        context.checkThread();
        if (isListening(closed)) {
            context.checkRunningNow();
            rdma.stopListening(closed.port());
            listener = null;
        }
    }

    boolean isListening(RdmaListenerImpl candidate) {
        return listener == candidate;
    }

    /** Returns whether a request can be answered. */
    boolean isPending(ConnectionRequestImpl request) {
        return requests.contains(request) && !hasFailed(request.pointer());
    }

    private void markAnswered(ConnectionRequestImpl request) {
        requests.remove(request);
        request.markAnswered();
    }

    /**
     * Returns whether the SDK has reported the failure of a connection, and the report was not delivered yet. The native connection
     * is destroyed then, and no function may be called with it. After a disconnect of the peer it exists until this side
     * disconnects as well.
     */
    boolean hasFailed(long pointer) {
        return engine().isUndelivered(FAILED, pointer);
    }

    /** Rejects a pending request. If the SDK refuses, the request is still pending. */
    void reject(ConnectionRequestImpl request) {
        rdma.reject(request.pointer());
        markAnswered(request);
    }

    /** Handles a start of the context: ends remaining connections of earlier runs. */
    void begin() {
        run++;
        forgetNative();
        endAll();
    }

    /**
     * Disconnects natively before a stop that fails receives. Without it, DOCA 3.0 completes a receive twice if its message has
     * arrived since the last progress, and the context never becomes idle. A refusal is ignored, as the stop ends the connection.
     */
    void disconnectBeforeStop() {
        if (!context.hasReceives()) {
            return;
        }
        for (RdmaConnectionImpl connection : open()) {
            if (connection.isDisconnectable() && !hasFailed(connection.pointer())) {
                rdma.disconnectQuietly(connection.pointer());
            }
        }
    }

    /** Ends connections when the context's state changes. */
    @SuppressWarnings("unused") // the signature is that of listeners
    void stateChanged(Context changed, ContextState previous, ContextState next) {
        if (next == ContextState.RUNNING) {
            deliveredRun++;
        } else if (deliveredRun == run) {
            if (next == ContextState.IDLE) {
                forgetNative();
            }
            endAll();
        }
    }

    /** Fails the futures of all connections, whose changes will not be reported. */
    void abandon(RuntimeException reason) {
        open().forEach(connection -> connection.abandon(reason));
    }

    /** Drops the native connections, which the SDK has destroyed with the end of a run. */
    private void forgetNative() {
        isUsingAddresses = false;
        byPointer.clear();
        unconnected.clear();
        destroyAddresses();
        placesOfRequests.clear();
    }

    /** Ends all connections. A listener may restart the context meanwhile; the connections of the new run are not affected. */
    private void endAll() {
        listener = null;
        requests.clear();
        for (RdmaConnectionImpl connection : open()) {
            connection.endWithContext();
        }
    }

    /** Destroys the native address of a connection whose native connection is destroyed. */
    void destroyed(RdmaConnectionImpl connection) {
        Long address = addresses.remove(connection.number());
        if (address != null && !isAddressOfSdk(connection.pointer())) {
            destroyAddress(address);
        }
    }

    private void destroyAddresses() {
        Map<Long, Long> unused = Map.copyOf(addresses);
        addresses.clear();
        unused.forEach((number, address) -> {
            RdmaConnectionImpl connection = open.get(number);
            if (!isAddressOfSdk(connection == null ? 0 : connection.pointer())) {
                destroyAddress(address);
            }
        });
    }

    /**
     * Returns whether the SDK may destroy the address of a connection. DOCA 3.0 destroys the addresses of requests, and takes each
     * connection for a request whose place had one since the start of the context. If the place is unknown, as the connection was
     * not established, the address remains allocated: a few bytes are lost, but none is freed twice.
     */
    private boolean isAddressOfSdk(long pointer) {
        return pointer == 0 ? !placesOfRequests.isEmpty() : placesOfRequests.contains(pointer);
    }

    /** Destroys a native address; a failure goes to the engine's error handler and not to the caller of connect or disconnect. */
    private void destroyAddress(long address) {
        try {
            rdma.destroyAddress(address);
        } catch (Throwable failure) {
            report(failure);
        }
    }

    /**
     * Handles an event of the SDK; events of earlier runs are ignored. If the handling fails, the connection fails or ends and a
     * request is rejected, so that its future completes and its peer gets an answer.
     */
    void event(int kind, long pointer, long number) {
        if (deliveredRun != run) {
            return;
        }
        try {
            handle(kind, pointer, number);
        } catch (Throwable failure) {
            if (kind == REQUESTED) {
                Undo.after(failure, () -> rdma.reject(pointer));
            } else {
                endAfter(failure, kind, pointer, open.get(number));
            }
            throw failure;
        }
    }

    /** Handles the report that the SDK runs the context, which connects by details. */
    void contextRuns() {
        if (deliveredRun == run) {
            open().forEach(RdmaConnectionImpl::contextRuns);
        }
    }

    private void endAfter(Throwable failure, int kind, long pointer, @Nullable RdmaConnectionImpl connection) {
        if (connection == null) {
            return;
        }
        switch (kind) {
            case ESTABLISHED -> connection.setUpFailed(pointer, failure);
            case FAILED -> connection.failed(engine().delivery().reasonsOf(pointer));
            default -> connection.disconnectedByPeer();
        }
    }

    private void handle(int kind, long pointer, long number) {
        // A callback may have stopped the context since; the pointer is not valid in an idle context.
        ContextState now = context.life().refresh();
        if (kind == REQUESTED) {
            if (now == ContextState.RUNNING) {
                requested(pointer);
            }
            return;
        }
        RdmaConnectionImpl connection = open.get(number);
        if (connection == null) {
            // The requesting peer has given up, or this side has disconnected first.
            if (kind == FAILED) {
                requests.removeIf(request -> request.pointer() == pointer);
                RdmaConnectionImpl ended = of(pointer);
                if (ended != null && ended.number() == number) {
                    ended.nativeEnded();
                }
            }
            return;
        }
        switch (kind) {
            case ESTABLISHED -> {
                if (now != ContextState.IDLE && !hasFailed(pointer)) {
                    add(connection, pointer);
                    connection.setPointer(pointer, rdma.id(pointer));
                    connection.established();
                }
            }
            case FAILED -> connection.failed(engine().delivery().reasonsOf(pointer));
            case DISCONNECTED -> connection.disconnectedByPeer();
            default -> throw new IllegalStateException("Unknown event of kind " + kind);
        }
    }

    /** Offers the request to the listener after the events recorded so far, because the peer may have cancelled it already. */
    private void requested(long pointer) {
        placesOfRequests.add(pointer);
        if (hasFailed(pointer) || isRejectedBySdk(pointer)) {
            return;
        }
        ConnectionRequestImpl request = new ConnectionRequestImpl(this, pointer);
        requests.add(request);
        engine().delivery().later(() -> offer(request));
    }

    /**
     * Returns whether the SDK has rejected a request itself, as the context had no place for a connection. DOCA 3.0 reports it with
     * a connection that it destroys before progress returns.
     */
    private boolean isRejectedBySdk(long pointer) {
        if (rdma.hasAddress(pointer)) {
            return false;
        }
        SafeLog.write(() ->
                LOG.log(System.Logger.Level.WARNING, "The SDK has rejected a connection request, as the " + noRoom()));
        return true;
    }

    private void offer(ConnectionRequestImpl request) {
        if (!requests.contains(request) || context.life().refresh() != ContextState.RUNNING) {
            return;
        }
        RdmaListenerImpl open = listener;
        if (open != null) {
            open.handle(request);
        } else if (isPending(request)) {
            reject(request);
        }
    }

    /** Runs code that may call users, after all earlier notifications: now if the engine delivers events, otherwise later. */
    void deliver(Runnable delivery) {
        undelivered.add(delivery);
        if (engine().delivery().isRunning()) {
            deliverAll();
        } else {
            engine().delivery().later(this::deliverAll);
        }
    }

    /** Delivers all notifications, including those that are added meanwhile. One that fails does not delay the others. */
    private void deliverAll() {
        if (isDelivering) {
            return;
        }
        isDelivering = true;
        try {
            for (Runnable next = undelivered.poll(); next != null; next = undelivered.poll()) {
                try {
                    next.run();
                } catch (Throwable failure) {
                    report(failure);
                }
            }
        } finally {
            isDelivering = false;
        }
    }

    void report(Throwable failure) {
        engine().delivery().report(failure);
    }
}
