/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.comch.CommCapabilities;
import io.docajava.comch.CommConnection;
import io.docajava.comch.CommConnectionListener;
import io.docajava.comch.CommEndpoint;
import io.docajava.comch.CommLimits;
import io.docajava.comch.CommMessage;
import io.docajava.comch.MessageHandler;
import io.docajava.comch.SendEnd;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.ParkedOperation;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.progress.Completion;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What servers and clients have in common. */
public abstract sealed class AbstractEndpoint extends AbstractContext implements CommEndpoint
        permits CommServerImpl, CommClientImpl {

    private final CommCapabilities capabilities;
    private final CommLimits limits;
    private final String name;
    private final EndpointObject object;
    private final SendOperations sending;
    private final OperationPool sends;
    private final Connections connections;
    private final SendOperations.Ends ends = new SendOperations.Ends();
    private final EngineLoop.OperationStart<Long> queued = (connection, message, completion) ->
            start((CommConnectionImpl) connection, (MemorySegment) message, completion);

    /** Creates an endpoint, before which the engine, the device and {@code more} resources must not be closed. */
    AbstractEndpoint(Parts parts, Resource... more) {
        SendOperations type = new SendOperations(parts.object(), parts.limits());
        OperationPool pool = new OperationPool(
                type, "task to send", "maxSends()", 0, parts.limits().maxSends());
        super(
                parts.object().description(),
                parts.device(),
                parts.engine(),
                parts.object(),
                List.of(pool),
                parts.closeTimeout(),
                more);
        this.capabilities = parts.capabilities();
        this.limits = parts.limits();
        this.name = parts.name();
        this.object = parts.object();
        this.sending = type;
        this.sends = pool;
        this.connections = new Connections(this, parts.messages(), parts.connectionListeners());
        object.listen(connections);
        onAbandon(this::abandoned);
        life().addListener((context, previous, next) -> stateChanged(next));
    }

    record Parts(
            Device device,
            EngineImpl engine,
            String name,
            EndpointObject object,
            CommCapabilities capabilities,
            CommLimits limits,
            MessageHandler messages,
            List<CommConnectionListener> connectionListeners,
            Duration closeTimeout) {}

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final CommCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public final CommLimits limits() {
        return limits;
    }

    @Override
    public final List<CommConnection> connections() {
        return onItsThread("asked for its connections", () -> {
            checkUsable();
            return List.<CommConnection>copyOf(connections.open());
        });
    }

    @Override
    public final void addConnectionListener(CommConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        onItsThread("given a listener", () -> {
            checkUsable();
            connections.addListener(listener);
        });
    }

    @Override
    public final void removeConnectionListener(CommConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        onItsThread("relieved of a listener", () -> {
            checkUsable();
            connections.removeListener(listener);
        });
    }

    /** Ends connections when the context's state changes. */
    abstract void stateChanged(ContextState next);

    /** Disconnects a connection that has not ended. */
    abstract void disconnect(CommConnectionImpl connection);

    /** Returns the connection of a message that has arrived before the SDK has reported the connection. */
    abstract CommConnectionImpl beginByMessage(long pointer, CommMessage message);

    final Completion<Long> send(CommConnectionImpl connection, MemorySegment message) {
        EngineLoop loop = loopOrCheck();
        checkLength(message);
        if (loop != null) {
            return loop.enqueue(connection.waiting().room(), queued, connection, copy(message));
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(connection, message, completion);
        return completion;
    }

    private static MemorySegment copy(MemorySegment message) {
        return MemorySegment.ofArray(message.toArray(JAVA_BYTE));
    }

    /** Starts a send on the engine's thread, also one that another thread has queued. */
    private void start(CommConnectionImpl connection, MemorySegment message, Completion<Long> completion) {
        checkOpen();
        try {
            checkConnected(connection);
            WaitingLine line = connection.waiting();
            boolean waits = line.hasToWait(sends) || !submit(connection, message, OperationSink.future(), completion);
            if (waits && !engine().isOfLoop()) {
                throw full(connection, message);
            }
            if (waits) {
                MemorySegment copy = copy(message);
                line.park(new ParkedOperation(
                        sends,
                        connection,
                        null,
                        null,
                        null,
                        completion,
                        () -> submit(connection, copy, OperationSink.future(), completion)));
            }
        } catch (DocaException failure) {
            completion.completeExceptionally(failure);
        }
    }

    final void send(CommConnectionImpl connection, MemorySegment message, Handler<? super SendEnd> handler) {
        checkUsable();
        checkLength(message);
        checkConnected(connection);
        if (!submit(connection, message, ends, handler)) {
            throw full(connection, message);
        }
    }

    private static DocaException full(CommConnectionImpl connection, MemorySegment message) {
        return Calls.failure(
                DocaError.AGAIN.code(),
                "doca_task_submit",
                SendOperations.attempt(connection, message.byteSize()),
                List.of("the peer's receive queue is full; progress until a send completes"));
    }

    final Completion<Long> sendExport(CommConnectionImpl connection, Object export, byte[] bytes) {
        if (bytes.length > limits.maxMessageSize()) {
            throw new IllegalArgumentException(export + " is " + bytes.length + " bytes to send, and a message of the "
                    + this + " has " + limits.maxMessageSize() + " at most");
        }
        return send(connection, MemorySegment.ofArray(bytes));
    }

    /** Submits a message now; returns false if the peer's receive queue is full. */
    private boolean submit(CommConnectionImpl connection, MemorySegment message, OperationSink sink, Object receiver) {
        checkRunningNow();
        connection.checkUsable();
        Operation operation = sends.take();
        try {
            sending.copy(operation, message);
        } catch (Throwable failure) {
            operation.free();
            throw failure;
        }
        try {
            operation.on(connection).submit(sink, receiver);
            return true;
        } catch (DocaCallException refusal) {
            if (refusal.error() == DocaError.AGAIN && connection.hasInFlight()) {
                connection.setFull();
                return false;
            }
            throw refusal;
        }
    }

    private void checkConnected(CommConnectionImpl connection) {
        connection.checkUsable();
        checkRunningNow();
    }

    private void checkLength(MemorySegment message) {
        long length = message.byteSize();
        if (length < 1 || length > limits.maxMessageSize()) {
            throw new IllegalArgumentException(
                    "A message of the " + this + " has 1 to " + limits.maxMessageSize() + " bytes, and not " + length);
        }
    }

    /** Fails all futures that do not belong to a send: the context could not be closed, and its changes will not be reported. */
    void abandoned(RuntimeException reason) {
        connections.abandon(reason);
    }

    final EndpointObject object() {
        return object;
    }

    /** Returns the errors of the round that is being delivered that name this endpoint. */
    final List<String> reasons() {
        return engine().delivery().reasonsOf(object.address(), object.context());
    }

    /** Returns the errors of that round that name this endpoint or a native connection, or the place to look. */
    final List<String> reasonsOrHint(long connection) {
        return engine().delivery().reasonsOrHint(object.address(), object.context(), connection);
    }

    final Connections allConnections() {
        return connections;
    }

    @Override
    public final void stop() {
        super.stop();
        if (life().cause().isRequested()) {
            stopped();
        }
    }

    /**
     * Notes that a call has stopped the context. This sets the reason of the ends at once, because a callback may restart the
     * context before the ends are delivered.
     */
    void stopped() {
        connections.endAllNative();
    }
}
