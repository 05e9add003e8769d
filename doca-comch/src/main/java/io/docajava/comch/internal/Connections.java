/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.DocaException;
import io.docajava.comch.CommConnectionListener;
import io.docajava.comch.CommMessage;
import io.docajava.comch.DisconnectReason;
import io.docajava.comch.MessageHandler;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.Delivery;
import io.docajava.ffi.comch.ComchCallbacks;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server or client in two views. The native view changes as soon as the SDK reports a change, so that no
 * native connection is used after its end. The users' view changes when progress has returned and users are notified, in order.
 */
final class Connections implements ComchCallbacks.Listener {

    private final AbstractEndpoint endpoint;
    private final MessageHandler messages;
    private final CopyOnWriteArrayList<CommConnectionListener> listeners = new CopyOnWriteArrayList<>();

    /** The connections that exist natively, by their native pointers. */
    private final Map<Long, CommConnectionImpl> live = new LinkedHashMap<>();

    /** The connections whose begin was delivered to users, and whose end was not. */
    private final Set<CommConnectionImpl> open = new LinkedHashSet<>();

    private long lastNumber;

    Connections(AbstractEndpoint endpoint, MessageHandler messages, List<CommConnectionListener> listeners) {
        this.endpoint = endpoint;
        this.messages = messages;
        this.listeners.addAll(listeners);
    }

    void addListener(CommConnectionListener listener) {
        listeners.addIfAbsent(listener);
    }

    void removeListener(CommConnectionListener listener) {
        listeners.remove(listener);
    }

    /** Returns a copy of the connections that users know as open. */
    List<CommConnectionImpl> open() {
        return List.copyOf(open);
    }

    /** Returns the native connection of a client; null if there is none. */
    @Nullable
    CommConnectionImpl only() {
        return live.values().stream().findFirst().orElse(null);
    }

    /** Adds a native connection, without notifying users. */
    CommConnectionImpl begin(long pointer) {
        CommConnectionImpl connection = new CommConnectionImpl(endpoint, ++lastNumber, pointer);
        live.put(pointer, connection);
        return connection;
    }

    @Override
    public void connected(long pointer, boolean successful) {
        if (successful) {
            CommConnectionImpl connection = begin(pointer);
            delivery().inTurn(() -> notifyConnected(connection));
        } else {
            delivery()
                    .inTurn(() -> notifyFailed(
                            failure("accepting a client of the " + endpoint, endpoint.reasonsOrHint(pointer))));
        }
    }

    @Override
    public void disconnected(long pointer, boolean successful) {
        CommConnectionImpl connection = live.get(pointer);
        if (connection != null) {
            end(connection, connection.endReason());
        }
    }

    @Override
    public void received(long pointer, byte[] bytes) {
        CommMessage message = new CommMessageImpl(bytes);
        CommConnectionImpl connection = live.get(pointer);
        CommConnectionImpl receiving = connection != null ? connection : endpoint.beginByMessage(pointer, message);
        delivery().inTurn(() -> messages.received(receiving, message));
    }

    @Override
    public void failed(Throwable failure) {
        delivery().inTurn(() -> delivery().report(failure));
    }

    /** Ends a native connection. Users are notified after all its messages. */
    private void end(CommConnectionImpl connection, DisconnectReason reason) {
        live.values().remove(connection);
        connection.endNative(reason);
        delivery().inTurn(() -> notifyDisconnected(connection));
    }

    /** Ends a connection that this side has disconnected, unless the SDK has already reported its end. */
    void endDisconnected(CommConnectionImpl connection) {
        if (live.containsValue(connection)) {
            end(connection, DisconnectReason.DISCONNECTED);
        }
    }

    /** Ends all native connections. Users are notified later. */
    void endAllNative() {
        live.values().forEach(connection -> connection.endNative(connection.endReason()));
    }

    /** Ends all connections and notifies users, when the context is idle and all messages were delivered. */
    void endAll() {
        endAllNative();
        live.clear();
        open().forEach(this::notifyDisconnected);
    }

    /** Fails the futures of all connections, whose ends will not be reported. */
    void abandon(RuntimeException reason) {
        Set<CommConnectionImpl> all = new LinkedHashSet<>(open);
        all.addAll(live.values());
        all.forEach(connection -> connection.abandon(reason));
    }

    void notifyConnected(CommConnectionImpl connection) {
        open.add(connection);
        notifyListeners(listener -> listener.connected(connection));
    }

    private void notifyDisconnected(CommConnectionImpl connection) {
        if (open.remove(connection)) {
            DisconnectReason reason = connection.deliverEnd();
            notifyListeners(listener -> listener.disconnected(connection, reason));
        }
    }

    void notifyFailed(DocaException failure) {
        notifyListeners(listener -> listener.connectionFailed(endpoint, failure));
    }

    /** Returns the exception for a connection that was not established; the SDK reports no error code for it. */
    static DocaException failure(String attempt, List<String> reasons) {
        return Calls.failure(DocaError.CONNECTION_ABORTED.code(), "doca_ctx_start", attempt, reasons);
    }

    /** Empties a list of futures before they are completed: code of users that runs then may add others. */
    static <T> List<T> takeAll(List<T> waiters) {
        List<T> taken = List.copyOf(waiters);
        waiters.clear();
        return taken;
    }

    private void notifyListeners(Consumer<CommConnectionListener> event) {
        for (CommConnectionListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                delivery().report(failure);
            }
        }
    }

    private Delivery delivery() {
        return endpoint.engine().delivery();
    }
}
