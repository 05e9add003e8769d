/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.DocaException;
import io.docajava.comch.CommClient;
import io.docajava.comch.CommClientBuilder;
import io.docajava.comch.CommConnection;
import io.docajava.comch.CommMessage;
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

/** The implementation of {@link CommClient}. */
public final class CommClientImpl extends AbstractEndpoint implements CommClient {

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

    CommClientImpl(Parts parts) {
        super(parts);
    }

    public static CommClientBuilder builder(Device device, String name) {
        return new CommClientBuilderImpl(device, name);
    }

    @Override
    public Completion<CommConnection> whenConnected() {
        return onItsThread("asked for its connection", this::awaitConnected);
    }

    private Completion<CommConnection> awaitConnected() {
        checkUsable();
        Completion<CommConnection> completion = new OperationCompletion<>(engine());
        CommConnection present = connection;
        RuntimeException reason = failure;
        // Until STARTING is delivered, the fields are of the run before.
        if (present != null && life().state() != ContextState.STARTING) {
            completion.complete(present);
        } else if (reason != null && life().state() == ContextState.IDLE) {
            completion.completeExceptionally(reason);
        } else {
            connectWaiters.add(completion);
            activity().addConnects(1);
        }
        return completion;
    }

    @Override
    public void restart() {
        try {
            super.restart();
        } catch (DocaException reason) {
            if (life().isIdleForAll()) {
                failure = reason;
            }
            throw reason;
        }
    }

    @Override
    void disconnect(CommConnectionImpl leaving) {
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
    CommConnectionImpl beginByMessage(long pointer, CommMessage message) {
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
        CommConnectionImpl present = allConnections().only();
        CommConnectionImpl begun = present != null ? present : begin();
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
        activity().addConnects(-taken.size());
        return taken;
    }

    /** Begins the connection, which may have ended already. Returns null if the SDK refuses to return it. */
    private @Nullable CommConnectionImpl begin() {
        try {
            return allConnections().begin(object().connection("reading the connection of the " + this));
        } catch (DocaException reason) {
            if (life().whyNotRunningNow().isPresent()) {
                return allConnections().begin(0);
            }
            refusal = reason;
            return null;
        }
    }

    private void ended() {
        startReasons.addAll(life().startReasons());
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
        } else if (life().cause().isRequested()) {
            fail(stoppedTooSoon());
        } else if (life().state() == ContextState.IDLE) {
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
