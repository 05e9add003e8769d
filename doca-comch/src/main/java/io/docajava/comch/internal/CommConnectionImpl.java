/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommConnection;
import io.docajava.comch.CommEndpoint;
import io.docajava.comch.DisconnectReason;
import io.docajava.comch.SendEnd;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.Handler;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEventExport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link CommConnection}. */
public final class CommConnectionImpl implements CommConnection {

    private final AbstractEndpoint endpoint;
    private final long number;
    /** The native connection; 0 after its end. */
    private long pointer;

    /** True if this side ends the connection, which the SDK may report as any other end. */
    private boolean isLeaving;
    /** The number of sends in flight, including those whose completions are not delivered yet. */
    private int inFlight;
    /** True if the peer's receive queue is full until a send in flight has ended. */
    private boolean isFull;
    /** Sends that wait for a task or for room at the peer, on the engine of a loop. */
    private final WaitingLine waiting;

    /** The reason of the native end; null before. */
    private @Nullable DisconnectReason end;
    /** The same after the end was delivered to users. */
    private volatile @Nullable DisconnectReason deliveredEnd;

    /** The incomplete futures of {@link #whenDisconnected()}. */
    private final List<Completion<DisconnectReason>> disconnectWaiters = new ArrayList<>();

    CommConnectionImpl(AbstractEndpoint endpoint, long number, long pointer) {
        this.endpoint = endpoint;
        this.number = number;
        this.pointer = pointer;
        this.waiting = endpoint.openLine();
        Jfr.connectionChanged(this, "NONE", "CONNECTED");
    }

    @Override
    public CommEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public boolean isConnected() {
        return deliveredEnd == null;
    }

    @Override
    public Optional<DisconnectReason> disconnectReason() {
        return Optional.ofNullable(deliveredEnd);
    }

    @Override
    public Completion<Long> send(byte[] message) {
        Objects.requireNonNull(message, "message");
        return send(MemorySegment.ofArray(message));
    }

    @Override
    public Completion<Long> send(MemorySegment message) {
        return endpoint.send(this, Objects.requireNonNull(message, "message"));
    }

    @Override
    public void send(byte[] message, Handler<? super SendEnd> handler) {
        Objects.requireNonNull(message, "message");
        send(MemorySegment.ofArray(message), handler);
    }

    @Override
    public void send(MemorySegment message, Handler<? super SendEnd> handler) {
        endpoint.send(this, Objects.requireNonNull(message, "message"), Objects.requireNonNull(handler, "handler"));
    }

    @Override
    public Completion<Long> sendExport(MmapExport export) {
        Objects.requireNonNull(export, "export");
        return endpoint.sendExport(this, export, export.toBytes());
    }

    @Override
    public Completion<Long> sendExport(SyncEventExport export) {
        Objects.requireNonNull(export, "export");
        return endpoint.sendExport(this, export, export.toBytes());
    }

    @Override
    public void disconnect() {
        endpoint.onItsThread("made to disconnect", this::disconnectHere);
    }

    private void disconnectHere() {
        endpoint.checkThread();
        if (end != null) {
            return;
        }
        isLeaving = true;
        try {
            endpoint.disconnect(this);
        } catch (Throwable failure) {
            isLeaving = false;
            throw failure;
        }
    }

    @Override
    public Completion<DisconnectReason> whenDisconnected() {
        return endpoint.onItsThread("asked", this::awaitEnd);
    }

    private Completion<DisconnectReason> awaitEnd() {
        endpoint.checkThread();
        Completion<DisconnectReason> completion = new OperationCompletion<>(endpoint.engine());
        DisconnectReason reason = deliveredEnd;
        if (reason != null) {
            completion.complete(reason);
        } else {
            disconnectWaiters.add(completion);
        }
        return completion;
    }

    /** Returns the {@code struct doca_comch_connection *}; call {@link #checkUsable()} first. */
    long pointer() {
        return pointer;
    }

    /** Throws if the native connection has ended. */
    void checkUsable() {
        DisconnectReason reason = end;
        if (reason != null) {
            throw ended(reason);
        }
    }

    private ConnectionEndedException ended(DisconnectReason reason) {
        return new ConnectionEndedException(this + " has ended: " + words(reason));
    }

    WaitingLine waiting() {
        return waiting;
    }

    void markSubmitted() {
        inFlight++;
    }

    void markCompleted() {
        inFlight--;
        isFull = false;
    }

    boolean hasInFlight() {
        return inFlight > 0;
    }

    void setFull() {
        isFull = true;
    }

    /** Returns whether a send can be submitted or refused now: there is room, or the connection has ended. */
    boolean hasRoom() {
        return !isFull || end != null;
    }

    /** Returns the reason of an end that the SDK has reported or is about to report. */
    DisconnectReason endReason() {
        if (isLeaving) {
            return DisconnectReason.DISCONNECTED;
        }
        return endpoint.life().cause().isRequested() ? DisconnectReason.STOPPED : DisconnectReason.PEER;
    }

    /** Notes the end of the native connection; only the first reason counts. */
    void endNative(DisconnectReason reason) {
        if (end == null) {
            end = reason;
            pointer = 0;
        }
    }

    /** Delivers the end: refuses waiting sends and completes {@link #whenDisconnected()}. */
    DisconnectReason deliverEnd() {
        DisconnectReason reason = Objects.requireNonNull(end);
        deliveredEnd = reason;
        Jfr.connectionChanged(this, "CONNECTED", reason);
        endpoint.closeLine(waiting);
        waiting.refuse(ended(reason));
        Connections.takeAll(disconnectWaiters).forEach(waiter -> waiter.complete(reason));
        return reason;
    }

    /** Fails the futures of the end, which will not be reported. */
    void abandon(RuntimeException reason) {
        Connections.takeAll(disconnectWaiters).forEach(waiter -> waiter.completeExceptionally(reason));
    }

    private static String words(DisconnectReason reason) {
        return switch (reason) {
            case DISCONNECTED -> "this side has disconnected";
            case PEER -> "the peer has disconnected or exited";
            case STOPPED -> "its server or client was stopped";
        };
    }

    @Override
    public String toString() {
        return "Connection " + number + " of the " + endpoint;
    }
}
