/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextCore;
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
import io.docajava.core.progress.ProgressEngine;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One end of a comm channel: a {@link CommServer} or a {@link CommClient}.
 *
 * <p>Progress delivers messages to the {@link MessageHandler} that the endpoint was started with, and changes of connections to
 * {@link CommConnectionListener}s. A failed send does not stop the endpoint. According to NVIDIA, comm channels of newer releases
 * do not wake threads that sleep until the engine has an event: use a polling idle strategy there. The emulator supports all idle
 * strategies.
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public abstract sealed class CommEndpoint extends ContextBase permits CommServer, CommClient {

    private final CommCapabilities capabilities;
    private final CommLimits limits;
    private final String name;
    private final EndpointObject object;
    private final SendOperations sending;
    private final OperationPool sends;
    private final Connections connections;
    private final ContextCore core;
    private final SendOperations.Ends ends = new SendOperations.Ends();
    private final EngineLoop.OperationStart<Long> queued = (connection, message, completion) ->
            start((CommConnection) connection, (MemorySegment) message, completion);

    /** Creates an endpoint, before which the engine, the device and {@code more} resources must not be closed. */
    CommEndpoint(Parts parts, Resource... more) {
        super(parts.device(), parts.engine());
        this.capabilities = parts.capabilities();
        this.limits = parts.limits();
        this.name = parts.name();
        this.object = parts.object();
        this.sending = new SendOperations(object, limits);
        this.sends = new OperationPool(sending, "task to send", "maxSends()", 0, limits.maxSends());
        this.connections = new Connections(this, parts.messages(), parts.connectionListeners());
        object.register(connections);
        this.core = new ContextCore(
                this,
                object.description(),
                parts.device(),
                EngineImpl.of(parts.engine()),
                object,
                List.of(sends),
                parts.closeTimeout(),
                more);
        setCore(core);
        core.onAbandon(this::abandoned);
        core.life().addListener((context, previous, next) -> stateChanged(next));
    }

    record Parts(
            Device device,
            ProgressEngine engine,
            String name,
            EndpointObject object,
            CommCapabilities capabilities,
            CommLimits limits,
            MessageHandler messages,
            List<CommConnectionListener> connectionListeners,
            Duration closeTimeout) {}

    /** {@return the name of the server, on both sides} Any thread may call. */
    public final String name() {
        return name;
    }

    /** {@return the capabilities of the device, read when this endpoint was created} Any thread may call. */
    public final CommCapabilities capabilities() {
        return capabilities;
    }

    /** {@return the limits of this endpoint, which may be lower than those of the device} Any thread may call. */
    public final CommLimits limits() {
        return limits;
    }

    /**
     * Returns the open connections, according to the events delivered so far.
     *
     * @return an unmodifiable copy in the order in which the connections began; a client has at most one
     * @throws IllegalStateException if this endpoint is closed, or another thread than the engine's calls
     */
    public final List<CommConnection> connections() {
        return core.onItsThread("asked for its connections", () -> {
            core.checkUsable();
            return connections.open();
        });
    }

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener to be called by the engine's thread until it is removed; if it was added before, nothing changes
     * @throws IllegalStateException if this endpoint is closed, or another thread than the engine's calls
     */
    public final void addConnectionListener(CommConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        core.onItsThread("given a listener", () -> {
            core.checkUsable();
            connections.addListener(listener);
        });
    }

    /**
     * Removes a listener. If the notification of an event is under way, the listener may still be called for that event.
     *
     * @param listener that was added; nothing changes if it was not
     * @throws IllegalStateException if this endpoint is closed, or another thread than the engine's calls
     */
    public final void removeConnectionListener(CommConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        core.onItsThread("relieved of a listener", () -> {
            core.checkUsable();
            connections.removeListener(listener);
        });
    }

    /** Ends connections when the context's state changes. */
    abstract void stateChanged(ContextState next);

    /** Disconnects a connection that has not ended. */
    abstract void disconnect(CommConnection connection);

    /** Returns the connection of a message that has arrived before the SDK has reported the connection. */
    abstract CommConnection beginByMessage(long pointer, CommMessage message);

    final Completion<Long> send(CommConnection connection, MemorySegment message) {
        EngineLoop loop = core.loopOrCheck();
        checkLength(message);
        if (loop != null) {
            return loop.enqueue(queued, connection, copy(message));
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(connection, message, completion);
        return completion;
    }

    private static MemorySegment copy(MemorySegment message) {
        return MemorySegment.ofArray(message.toArray(JAVA_BYTE));
    }

    /** Starts a send on the engine's thread, also one that another thread has queued. */
    private void start(CommConnection connection, MemorySegment message, Completion<Long> completion) {
        core.checkOpen();
        try {
            checkConnected(connection);
            WaitingLine line = connection.waiting();
            boolean waits = line.hasToWait(sends) || !submit(connection, message, OperationSink.future(), completion);
            if (waits && !core.engine().isOfLoop()) {
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

    final void send(CommConnection connection, MemorySegment message, Handler<? super SendEnd> handler) {
        core.checkUsable();
        checkLength(message);
        checkConnected(connection);
        if (!submit(connection, message, ends, handler)) {
            throw full(connection, message);
        }
    }

    private static DocaException full(CommConnection connection, MemorySegment message) {
        return Calls.failure(
                DocaError.AGAIN.code(),
                "doca_task_submit",
                SendOperations.attempt(connection, message.byteSize()),
                List.of("the peer's receive queue is full; progress until a send completes"));
    }

    final Completion<Long> sendExport(CommConnection connection, Object export, byte[] bytes) {
        if (bytes.length > limits.maxMessageSize()) {
            throw new IllegalArgumentException(export + " is " + bytes.length + " bytes to send, and a message of the "
                    + this + " has " + limits.maxMessageSize() + " at most");
        }
        return send(connection, MemorySegment.ofArray(bytes));
    }

    /** Submits a message now; returns false if the peer's receive queue is full. */
    private boolean submit(CommConnection connection, MemorySegment message, OperationSink sink, Object receiver) {
        core.checkRunningNow();
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

    private void checkConnected(CommConnection connection) {
        connection.checkUsable();
        core.checkRunningNow();
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

    final ContextCore core() {
        return core;
    }

    final EndpointObject object() {
        return object;
    }

    /** Returns the errors of the round that is being delivered that name this endpoint. */
    final List<String> reasons() {
        return core.engine().delivery().reasonsOf(object.address(), object.context());
    }

    /** Returns the errors of that round that name this endpoint or a native connection, or the place to look. */
    final List<String> reasonsOrHint(long connection) {
        return core.engine().delivery().reasonsOrHint(object.address(), object.context(), connection);
    }

    final Connections allConnections() {
        return connections;
    }

    /** Stops this endpoint as {@link Context#stop()} does, and ends all its connections. */
    @Override
    public final void stop() {
        core.stop();
        if (core.life().cause().isRequested()) {
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

    /** {@return the kind of the context and the name of the device} Any thread may call. */
    @Override
    public final String toString() {
        return description();
    }
}
