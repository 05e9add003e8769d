/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.progress.Completion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of a comm channel ({@code struct doca_comch_client}). A client has one connection, to the server that has its
 * name.
 *
 * {@snippet :
 * CommClient client = CommClient.builder(device, "service").start(engine, (connection, message) -> use(message));
 * CommConnection connection = client.whenConnected().await();
 * connection.send(bytes).await();
 * }
 *
 * <p>A client is {@link ContextState#STARTING} until the server has answered. It becomes {@link ContextState#IDLE} if the server
 * refuses it, and when either side ends the connection. {@link #restart()} connects it again.
 *
 * <p>There are two ways of a refusal, and a program must expect both. If the device finds no server of the name, the start throws
 * a {@link DocaException} with {@code CONNECTION_ABORTED}. If the server is there and refuses the client, for example because
 * its {@link CommEndpointBuilder#maxMessageSize(int) maxMessageSize} is another one, {@link #whenConnected()} fails with the same
 * error.
 */
public final class CommClient extends CommEndpoint {

    /** The incomplete futures of {@link #whenConnected()}. */
    private final List<Completion<CommConnection>> connectWaiters = new ArrayList<>();
    /** The errors that the SDK has logged during the start. */
    private final Set<String> startReasons = new LinkedHashSet<>();
    /** The connection since the last start; null until it is delivered, and after its end. */
    private @Nullable CommConnection connection;
    /** The reason why there is no connection. */
    private @Nullable RuntimeException failure;
    /** The failure to get the connection of a running client, which then stops. */
    private @Nullable DocaException refusal;

    CommClient(Parts parts) {
        super(parts);
    }

    /**
     * Returns a builder, which configures a client and starts it.
     *
     * @param device the host's PCI function whose representor the server uses; it cannot be closed before the client
     * @param name of the server, 1 to {@link CommCapabilities#maxNameLength()} bytes in UTF-8, without NUL
     * @return a builder; its {@code start} checks the name and the device
     */
    public static CommClientBuilder builder(Device device, String name) {
        return new CommClientBuilder(device, name);
    }

    /**
     * Returns a future of the client's connection. Each restart of the client makes a new connection.
     *
     * @return a future that completes with the connection when the server has answered. It fails with a {@link DocaException} if
     *     the client could not connect, or with a {@link ConnectionEndedException} if the client was stopped before it was
     *     connected, or if the connection has ended
     * @throws IllegalStateException if the client is closed, or another thread than the engine's calls
     */
    public Completion<CommConnection> whenConnected() {
        return core().onItsThread("asked for its connection", this::awaitConnected);
    }

    private Completion<CommConnection> awaitConnected() {
        core().checkUsable();
        Completion<CommConnection> completion = new OperationCompletion<>(engine());
        CommConnection present = connection;
        RuntimeException reason = failure;
        // Until STARTING is delivered, the fields are of the run before.
        if (present != null && core().life().state() != ContextState.STARTING) {
            completion.complete(present);
        } else if (reason != null && core().life().state() == ContextState.IDLE) {
            completion.completeExceptionally(reason);
        } else {
            connectWaiters.add(completion);
            core().activity().addConnects(1);
        }
        return completion;
    }

    /**
     * Connects a stopped client again, as {@link io.docajava.core.context.Context#restart()} does.
     *
     * @throws DocaException if the SDK cannot start the client, for example because there is no server; {@link #whenConnected()} then
     *     fails with this exception
     */
    @Override
    public void restart() {
        try {
            super.restart();
        } catch (DocaException reason) {
            if (core().life().isIdleForAll()) {
                failure = reason;
            }
            throw reason;
        }
    }

    @Override
    void disconnect(CommConnection leaving) {
        stop();
    }

    @Override
    void stopped() {
        super.stopped();
        if (!connectWaiters.isEmpty()) {
            fail(refusal != null ? refusal : stoppedTooSoon());
        }
    }

    private ConnectionEndedException stoppedTooSoon() {
        return new ConnectionEndedException("The " + this + " was stopped before it was connected");
    }

    /** Begins the connection: its first message may arrive before the client's state is delivered. */
    @Override
    CommConnection beginByMessage(long pointer, CommMessage message) {
        return allConnections().begin(pointer);
    }

    @Override
    void stateChanged(ContextState next) {
        switch (next) {
            case STARTING -> {
                connection = null;
                failure = null;
                refusal = null;
                startReasons.clear();
            }
            case RUNNING -> started();
            case STOPPING -> startReasons.addAll(reasons());
            case IDLE -> ended();
        }
    }

    private void started() {
        CommConnection present = allConnections().only();
        CommConnection begun = present != null ? present : begin();
        if (begun == null) {
            stop();
            return;
        }
        connection = begun;
        allConnections().notifyConnected(begun);
        takeConnectWaiters().forEach(waiter -> waiter.complete(begun));
    }

    private List<Completion<CommConnection>> takeConnectWaiters() {
        List<Completion<CommConnection>> taken = Connections.takeAll(connectWaiters);
        core().activity().addConnects(-taken.size());
        return taken;
    }

    /** Begins the connection, which may have ended already. Returns null if the SDK refuses to return it. */
    private @Nullable CommConnection begin() {
        try {
            return allConnections().begin(object().connection("reading the connection of the " + this));
        } catch (DocaException reason) {
            if (core().life().whyNotRunningNow().isPresent()) {
                return allConnections().begin(0);
            }
            refusal = reason;
            return null;
        }
    }

    private void ended() {
        startReasons.addAll(core().life().startReasons());
        startReasons.addAll(reasons());
        CommConnection ended = connection;
        connection = null;
        if (ended != null) {
            failure = new ConnectionEndedException(ended + " has ended");
        }
        allConnections().endAll();
        if (ended != null) {
            return;
        }
        if (refusal != null) {
            notConnected(refusal);
        } else if (core().life().cause().isRequested()) {
            fail(stoppedTooSoon());
        } else if (core().life().state() == ContextState.IDLE) {
            String hint = "a server and its clients must have the same maxMessageSize, which is "
                    + limits().maxMessageSize() + " here";
            notConnected(Connections.failure(
                    "connecting the " + this,
                    Stream.concat(startReasons.stream(), Stream.of(hint)).toList()));
        }
    }

    private void notConnected(DocaException reason) {
        fail(reason);
        allConnections().notifyFailed(reason);
    }

    private void fail(RuntimeException reason) {
        failure = reason;
        failWaiters(reason);
    }

    @Override
    void abandoned(RuntimeException reason) {
        super.abandoned(reason);
        failWaiters(reason);
    }

    private void failWaiters(RuntimeException reason) {
        takeConnectWaiters().forEach(waiter -> waiter.completeExceptionally(reason));
    }
}
