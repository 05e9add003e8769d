/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.EngineCore;
import io.docajava.ffi.comch.ComchCallbacks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server or client, twice: as the SDK has them, known as soon as it reports a change, so that no native
 * connection is used after its end; and as users know them, who are notified in order, when progress has returned.
 */
final class Connections implements ComchCallbacks.Listener {

    private final CommEndpoint endpoint;
    private final MessageHandler messages;
    private final CopyOnWriteArrayList<CommConnectionListener> listeners = new CopyOnWriteArrayList<>();

    /** Those that the SDK has, by their native pointers. */
    private final Map<Long, CommConnection> live = new LinkedHashMap<>();

    /** The connections whose begin was delivered to users, and whose end was not. */
    private final Set<CommConnection> open = new LinkedHashSet<>();

    private long lastNumber;

    Connections(CommEndpoint endpoint, MessageHandler messages, List<CommConnectionListener> listeners) {
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

    /** Those that users know as open. */
    List<CommConnection> open() {
        return List.copyOf(open);
    }

    /** The only one that the SDK has; null if there is none. */
    @Nullable
    CommConnection only() {
        return live.values().stream().findFirst().orElse(null);
    }

    /** A connection has begun; users are not notified yet. */
    CommConnection begin(long pointer) {
        CommConnection connection = new CommConnection(endpoint, ++lastNumber, pointer);
        live.put(pointer, connection);
        return connection;
    }

    @Override
    public void connected(long pointer, boolean successful) {
        if (successful) {
            CommConnection connection = begin(pointer);
            engine().deliverInTurn(() -> opened(connection));
        } else {
            engine().deliverInTurn(() -> failed(failure("taking a client of the " + endpoint, engine().reasons())));
        }
    }

    @Override
    public void disconnected(long pointer, boolean successful) {
        CommConnection connection = live.get(pointer);
        if (connection != null) {
            end(
                    connection,
                    connection.isLeaving()
                            ? DisconnectReason.DISCONNECTED
                            : endpoint.core().isStopRequested() ? DisconnectReason.STOPPED : DisconnectReason.PEER);
        }
    }

    @Override
    public void received(long pointer, byte[] bytes) {
        CommMessage message = new CommMessage(bytes);
        CommConnection connection = live.get(pointer);
        CommConnection by = connection != null ? connection : endpoint.beginBy(pointer, message);
        engine().deliverInTurn(() -> messages.received(by, message));
    }

    @Override
    public void failed(Throwable failure) {
        engine().deliverInTurn(() -> engine().report(failure));
    }

    /** The native connection is no more, or is to be used no more; users learn of it behind all that came by it. */
    void end(CommConnection connection, DisconnectReason reason) {
        live.values().remove(connection);
        connection.endNative(reason);
        engine().deliverInTurn(() -> closed(connection));
    }

    /** This side has ended a connection, whether the SDK reports that or not. */
    void left(CommConnection connection) {
        if (live.containsValue(connection)) {
            end(connection, DisconnectReason.DISCONNECTED);
        }
    }

    /** The context is being stopped by a call, and the SDK ends its connections. Users are notified in order. */
    void stopped() {
        for (CommConnection connection : live.values()) {
            connection.endNative(connection.isLeaving() ? DisconnectReason.DISCONNECTED : DisconnectReason.STOPPED);
        }
    }

    /** The context is idle: the SDK has no connection any more. All their messages were delivered. */
    void endAll(DisconnectReason reason) {
        for (CommConnection connection : live.values()) {
            connection.endNative(reason);
        }
        live.clear();
        open().forEach(this::closed);
    }

    /** Tells users that a connection has begun. */
    void opened(CommConnection connection) {
        open.add(connection);
        notifyListeners(listener -> listener.connected(connection));
    }

    private void closed(CommConnection connection) {
        if (open.remove(connection)) {
            DisconnectReason reason = connection.endForUsers();
            notifyListeners(listener -> listener.disconnected(connection, reason));
        }
    }

    /** Tells users that a connection did not come about. */
    void failed(DocaException failure) {
        notifyListeners(listener -> listener.connectionFailed(endpoint, failure));
    }

    /** Returns the exception for a connection that did not come about; the SDK gives no code for it. */
    static DocaException failure(String attempt, List<String> reasons) {
        return Calls.failure(DocaError.CONNECTION_ABORTED.code(), "doca_ctx_start", attempt, new ArrayList<>(reasons));
    }

    private void notifyListeners(Consumer<CommConnectionListener> event) {
        for (CommConnectionListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                engine().report(failure);
            }
        }
    }

    private EngineCore engine() {
        return endpoint.core().engine();
    }
}
