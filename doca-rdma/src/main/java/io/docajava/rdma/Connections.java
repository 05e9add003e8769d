/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.engine.EngineCore;
import io.docajava.core.progress.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a context, and the ports that it listens to. All are of one run of the context: the SDK destroys them when
 * it stops, and none is used after that.
 */
final class Connections {

    /** Numbers of callbacks. */
    static final int REQUESTED = 0;

    static final int ESTABLISHED = 1;
    static final int FAILED = 2;
    static final int DISCONNECTED = 3;

    private final RdmaContext context;
    private final ConnectionCalls calls;

    /** Those that are not over, by the numbers that their events have as user data. */
    private final Map<Long, RdmaConnection> open = new LinkedHashMap<>();

    /** Those over as well, as long as something that came by them may be undelivered. */
    private final ConnectionTable byPointer = new ConnectionTable();

    private final List<RdmaListener> listeners = new ArrayList<>();
    /** Those without an answer. */
    private final List<ConnectionRequest> requests = new ArrayList<>();
    /** The native addresses that were asked at, by the numbers of the connections that still have them. */
    private final Map<Long, Long> addresses = new LinkedHashMap<>();

    /** Notifications that users have not received yet, in order. */
    private final ArrayDeque<Runnable> undelivered = new ArrayDeque<>();

    private boolean isTelling;

    private long lastNumber;
    /** Which run of the context this is, and which one's start was delivered last. */
    private int run;

    private int deliveredRun;

    Connections(RdmaContext context, RdmaObject rdma) {
        this.context = context;
        this.calls = new ConnectionCalls(rdma);
        rdma.attach(this);
        rdma.add(this::destroyAddresses);
    }

    RdmaContext context() {
        return context;
    }

    ConnectionCalls calls() {
        return calls;
    }

    private ContextCore core() {
        return context.core();
    }

    private EngineCore engine() {
        return core().engine();
    }

    /** Those that are not over. */
    List<RdmaConnection> open() {
        return List.copyOf(open.values());
    }

    /** Returns the number of native addresses. */
    int addressesInUse() {
        return addresses.size();
    }

    /** The connection behind a native pointer; null if none is known. */
    @Nullable
    RdmaConnection of(long pointer) {
        return byPointer.get(pointer);
    }

    /** Makes a connection whose details are to go to the peer. */
    RdmaConnection prepare() {
        core().checkRunningNow();
        ConnectionCalls.Exported exported = calls.export();
        RdmaConnection connection =
                new RdmaConnection(this, ++lastNumber, ConnectionState.PREPARED, exported.details());
        add(connection, exported.connection());
        return connection;
    }

    /** Asks for a connection at an address. */
    Completion<RdmaConnection> ask(RdmaAddress address, int port) {
        core().checkRunningNow();
        RdmaConnection connection = new RdmaConnection(this, ++lastNumber, ConnectionState.CONNECTING, null);
        String attempt = "connecting the " + context + " to " + address + " port " + port;
        ConnectionCalls.Asked asked = calls.ask(address, port, lastNumber, attempt);
        addresses.put(lastNumber, asked.address());
        open.put(lastNumber, connection);
        return connection.expect("doca_rdma_connect_to_addr", attempt, asked.reasons());
    }

    /** Accepts what a peer asks for. */
    Completion<RdmaConnection> accept(long pointer, byte[] privateData) {
        RdmaConnection connection = new RdmaConnection(this, ++lastNumber, ConnectionState.CONNECTING, null);
        calls.setUserData(pointer, lastNumber);
        calls.accept(pointer, privateData);
        try {
            add(connection, pointer);
        } catch (RuntimeException failure) {
            connection.failed(pointer, failure);
            throw failure;
        }
        return connection.expect("doca_rdma_connection_accept", "accepting a connection to the " + context, List.of());
    }

    /** The connection has a native pointer from now on. */
    void add(RdmaConnection connection, long pointer) {
        open.put(connection.number(), connection);
        byPointer.put(pointer, connection);
        connection.setPointer(pointer);
    }

    /** The connection has ended. */
    void remove(RdmaConnection connection) {
        open.remove(connection.number());
    }

    RdmaListener listen(int port, Consumer<? super ConnectionRequest> handler) {
        core().checkRunningNow();
        RdmaListener listener = new RdmaListener(this, port, handler);
        calls.listen(port);
        listeners.add(listener);
        return listener;
    }

    void stopListening(RdmaListener listener) {
        core().checkThread();
        if (listeners.contains(listener)) {
            core().checkRunningNow();
            calls.stopListening(listener.port());
            listeners.remove(listener);
        }
    }

    boolean isListening(RdmaListener listener) {
        return listeners.contains(listener);
    }

    /** Returns whether a request can be answered; it cannot any more, then. */
    boolean take(ConnectionRequest request) {
        return requests.remove(request) && !hasFailed(request.pointer());
    }

    /**
     * Returns whether the SDK has reported that a connection has failed, and listeners are not notified yet. The native one is no
     * more then: no function may be called with it. One whose peer has disconnected is there until this side disconnects as
     * well.
     */
    boolean hasFailed(long pointer) {
        return engine().isUndelivered(FAILED, pointer);
    }

    void reject(long pointer) {
        calls.reject(pointer);
    }

    /** A run begins. Ends the connections of earlier ones that have not ended yet. */
    void begin() {
        run++;
        forgetNative();
        endAll();
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

    /** The SDK has destroyed the connections of the run that has ended. */
    private void forgetNative() {
        byPointer.clear();
        destroyAddresses();
    }

    /**
     * Ends all connections; events that they delivered before may arrive later. A listener may restart
     * the context: it finds nothing of the run before then, and nothing is done to the new one after it.
     */
    private void endAll() {
        listeners.clear();
        requests.clear();
        for (RdmaConnection connection : open()) {
            connection.endWithContext();
        }
    }

    /** The native connection is no more, so that nothing has its address. */
    void destroyed(RdmaConnection connection) {
        Long address = addresses.remove(connection.number());
        if (address != null) {
            destroyAddress(address);
        }
    }

    private void destroyAddresses() {
        List<Long> unused = List.copyOf(addresses.values());
        addresses.clear();
        unused.forEach(this::destroyAddress);
    }

    /** Destroys a native address; a failure is logged and does not reach the caller of connect or disconnect. */
    private void destroyAddress(long address) {
        try {
            calls.destroyAddress(address);
        } catch (RuntimeException failure) {
            report(failure);
        }
    }

    /**
     * Handles an event of the SDK; one of an earlier run is ignored. If a call fails that handles it, a connection that would
     * be established fails, others end, and a request is rejected, so that nobody waits in vain.
     */
    void event(int kind, long pointer, long number) {
        if (deliveredRun != run) {
            return;
        }
        try {
            handle(kind, pointer, number);
        } catch (RuntimeException failure) {
            if (kind == REQUESTED) {
                rejectAfter(failure, pointer);
            } else {
                endAfter(failure, kind, pointer, open.get(number));
            }
            throw failure;
        }
    }

    private void rejectAfter(RuntimeException failure, long pointer) {
        try {
            reject(pointer);
        } catch (RuntimeException second) {
            failure.addSuppressed(second);
        }
    }

    private void endAfter(RuntimeException failure, int kind, long pointer, @Nullable RdmaConnection connection) {
        if (connection == null) {
            return;
        }
        switch (kind) {
            case ESTABLISHED -> connection.failed(pointer, failure);
            case FAILED -> connection.failed(engine().reasons());
            default -> connection.disconnectedByPeer();
        }
    }

    private void handle(int kind, long pointer, long number) {
        // The code of a user may have stopped the context since; when it is idle, the pointer is of no use.
        ContextState now = core().stateNow();
        if (kind == REQUESTED) {
            if (now == ContextState.RUNNING) {
                requested(pointer);
            }
            return;
        }
        RdmaConnection connection = open.get(number);
        if (connection == null) {
            // Who has asked has given up, or this side has been the first to disconnect.
            if (kind == FAILED) {
                requests.removeIf(request -> request.pointer() == pointer);
                endLate(pointer, number);
            }
            return;
        }
        switch (kind) {
            case ESTABLISHED -> {
                if (now != ContextState.IDLE && !hasFailed(pointer)) {
                    add(connection, pointer);
                    connection.established();
                }
            }
            case FAILED -> connection.failed(engine().reasons());
            case DISCONNECTED -> connection.disconnectedByPeer();
            default -> throw new IllegalStateException("Unknown event of kind " + kind);
        }
    }

    /** The native connection may outlive the one that users see. */
    private void endLate(long pointer, long number) {
        RdmaConnection over = of(pointer);
        if (over != null && over.number() == number) {
            over.nativeEnded();
        }
    }

    /** It is delivered behind the events recorded so far, one of which may be that the peer has cancelled it. */
    private void requested(long pointer) {
        ConnectionRequest request = new ConnectionRequest(this, pointer);
        requests.add(request);
        engine().deliverLater(() -> offer(request, pointer));
    }

    private void offer(ConnectionRequest request, long pointer) {
        if (!requests.contains(request) || core().stateNow() != ContextState.RUNNING) {
            return;
        }
        RdmaListener listener = listenerFor(pointer);
        if (listener != null) {
            listener.handle(request);
        } else if (take(request)) {
            calls.reject(pointer);
        }
    }

    /** The SDK may not report the port; then it is that of the only listener, or of the first one. */
    private @Nullable RdmaListener listenerFor(long pointer) {
        if (listeners.size() > 1) {
            OptionalInt port = calls.port(pointer);
            for (RdmaListener listener : listeners) {
                if (port.isPresent() && port.getAsInt() == listener.port()) {
                    return listener;
                }
            }
        }
        return listeners.isEmpty() ? null : listeners.getFirst();
    }

    /**
     * Runs code that may call that of users: now if that is the time for it, or with the next delivery; in any case behind what
     * was to be delivered before.
     */
    void deliver(Runnable delivery) {
        undelivered.add(delivery);
        if (engine().isDelivering()) {
            deliverAll();
        } else {
            engine().deliverLater(this::deliverAll);
        }
    }

    /** Delivers all notifications; those that arise meanwhile are delivered by the same call. */
    private void deliverAll() {
        if (isTelling) {
            return;
        }
        isTelling = true;
        try {
            for (Runnable next = undelivered.poll(); next != null; next = undelivered.poll()) {
                next.run();
            }
        } finally {
            isTelling = false;
        }
    }

    /** Delivers what was left for later, if this is the time for it. */
    void deliver() {
        engine().deliverPending();
    }

    void report(Throwable failure) {
        engine().report(failure);
    }

    <T> Completion<T> completion() {
        return EngineAccess.completion(context.engine());
    }

    /** A failure to connect, with what the SDK said. */
    static RuntimeException failure(int code, String function, String attempt, List<String> reasons) {
        return Calls.failure(code, function, attempt, reasons);
    }
}
