/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEventExport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a {@link CommServer} and a {@link CommClient}, {@code struct doca_comch_connection}: reliable, and in the
 * order of sending. Messages are whole: each {@code send} there is one message here.
 *
 * <p>A message is copied when it is sent, so what it was in can be used again at once. {@link #send(byte[])} says what its end
 * tells, and what it does not.
 *
 * <p>A connection is of one run of its server or client: after a restart there are new ones.
 *
 * <p>Used by the engine's thread.
 */
public final class CommConnection {

    private final CommEndpoint endpoint;
    private final long number;
    /** The native connection; 0 when it is no more. */
    private long pointer;

    private boolean isLeaving;
    /** The number of sends in flight whose completions are not delivered yet. */
    private int inFlight;
    /** The peer takes no more until one of those has ended. */
    private boolean isFull;
    /** Sends that wait, on the engine of a loop. */
    private final WaitingLine waiting;

    /** Why there is no native connection any more; users may not know yet. */
    private @Nullable DisconnectReason end;
    /** The same as users know it. */
    private volatile @Nullable DisconnectReason deliveredEnd;

    /** Those who wait for its end. */
    private final List<Completion<DisconnectReason>> awaitingEnd = new ArrayList<>();

    CommConnection(CommEndpoint endpoint, long number, long pointer) {
        this.endpoint = endpoint;
        this.number = number;
        this.pointer = pointer;
        this.waiting = endpoint.core().openLine();
        Jfr.connectionChanged(this, "NONE", "CONNECTED");
    }

    /** The server or client on this side. */
    public CommEndpoint endpoint() {
        return endpoint;
    }

    /** Returns whether it is not over, as of what was delivered until now. Any thread may ask. */
    public boolean isConnected() {
        return deliveredEnd == null;
    }

    /** Why it is over; empty while it is not. Any thread may ask. */
    public Optional<DisconnectReason> disconnectReason() {
        return Optional.ofNullable(deliveredEnd);
    }

    /**
     * Sends a message ({@code doca_comch_..._task_send_alloc_init}, {@code doca_task_submit}).
     *
     * <p>How it ends says how far the message has come:
     *
     * <ul>
     *   <li>Sent: it has left for the peer's receive queue, and whatever was sent before it on this connection has as well. The
     *       peer's program handles it once, unless its process dies or it leaves before: nothing reports that.
     *   <li>{@link TaskFailedException}: the connection has ended, or the server or client has stopped, while it was on its way.
     *       The peer's program may have handled it, once, or not at all.
     *   <li>Another exception, of the future or of this method: it has not left, and the peer's program will never see it.
     * </ul>
     *
     * <p>No message comes twice, and none is lost but in the first two cases. Only a reply proves that a message was handled. Programs
     * that must not lose any number their messages and have the peer answer; when a connection has ended, the peer says on the next
     * one how far it has come, and they go on from there.
     *
     * <p>On the engine of a {@link ProgressLoop} it waits when no task is free or the peer's receive queue is full, and no send on
     * this connection by a future passes it.
     *
     * @param message from 1 byte to {@link CommLimits#maxMessageSize()}
     * @return completes with the number of bytes sent; with a {@link TaskFailedException}; with a {@link ConnectionEndedException}
     *     if the connection has ended; with a {@link ContextNotRunningException}; with a {@link ResourceExhaustedException} if no task
     *     is free; or with another {@link DocaException} if the SDK refuses the task, such as a {@link DocaCallException} with {@code
     *     AGAIN} if the peer's receive queue is full, which is so until a send completes
     * @throws IllegalArgumentException if the message is empty or too long
     * @throws IllegalStateException if the server or client is closed, or the thread is the wrong one
     */
    public Completion<Long> send(byte[] message) {
        Objects.requireNonNull(message, "message");
        return send(MemorySegment.ofArray(message));
    }

    /** {@link #send(byte[])} of all bytes of a segment, which the thread must have access to. */
    public Completion<Long> send(MemorySegment message) {
        return endpoint.send(this, Objects.requireNonNull(message, "message"));
    }

    /**
     * {@link #send(byte[])} with a handler in place of a future; never waits for a task. What would fail the future before the message
     * is on its way is thrown.
     */
    public void send(byte[] message, SendHandler handler) {
        Objects.requireNonNull(message, "message");
        send(MemorySegment.ofArray(message), handler);
    }

    /** {@link #send(MemorySegment)} with a handler in place of a future; never waits for a task. */
    public void send(MemorySegment message, SendHandler handler) {
        endpoint.send(this, Objects.requireNonNull(message, "message"), Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Sends an export of memory, so that the peer can reach that: it gets a message that has it as its {@link
     * CommMessage#mmapExport()}.
     *
     * @return as {@link #send(byte[])}
     * @throws IllegalArgumentException if the export is longer than one message can be
     */
    public Completion<Long> sendExport(MmapExport export) {
        Objects.requireNonNull(export, "export");
        return endpoint.sendExport(this, export, export.toBytes());
    }

    /**
     * Sends an export of a sync event, so that the peer can take part in that: it gets a message that has it as its {@link
     * CommMessage#syncEventExport()}.
     *
     * @return as {@link #send(byte[])}
     * @throws IllegalArgumentException if the export is longer than one message can be
     */
    public Completion<Long> sendExport(SyncEventExport export) {
        Objects.requireNonNull(export, "export");
        return endpoint.sendExport(this, export, export.toBytes());
    }

    /**
     * Ends the connection: of a server, {@code doca_comch_server_disconnect}; the client of a connection is stopped, as it has no
     * other one. Sends in flight fail, unless they were carried out before. The peer learns of it. Does nothing when the
     * connection is over.
     *
     * @throws IllegalStateException if the thread is the wrong one
     * @throws DocaException if the SDK refuses, for example with {@code AGAIN} as its queue is full: the connection goes on, and it
     *     can be tried again
     */
    public void disconnect() {
        endpoint.core().checkThread();
        if (end == null) {
            endpoint.disconnect(this);
        }
    }

    /** Completes when the connection is over and all that came by it was delivered, however that comes about. */
    public Completion<DisconnectReason> disconnected() {
        endpoint.core().checkThread();
        Completion<DisconnectReason> completion = EngineAccess.completion(endpoint.engine());
        DisconnectReason reason = deliveredEnd;
        if (reason != null) {
            completion.complete(reason);
        } else {
            awaitingEnd.add(completion);
        }
        return completion;
    }

    /** The {@code struct doca_comch_connection *}; to be used after {@link #checkUsable()}. */
    long pointer() {
        return pointer;
    }

    /** Refuses what needs a native connection. */
    void checkUsable() {
        DisconnectReason reason = end;
        if (reason != null) {
            throw over(reason);
        }
    }

    private ConnectionEndedException over(DisconnectReason reason) {
        return new ConnectionEndedException(this + " is over: " + reason.words());
    }

    /** Returns the queue of sends that wait for a task, or for room at the peer. */
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

    /** The peer has no room. */
    void setFull() {
        isFull = true;
    }

    /** Returns whether a send need not wait for room; it need not either to be refused as the connection is over. */
    boolean hasRoom() {
        return !isFull || end != null;
    }

    /** This side ends it; the SDK may report that as any other end. */
    void setLeaving(boolean leaving) {
        isLeaving = leaving;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /** There is no native connection any more. */
    void endNative(DisconnectReason reason) {
        if (end == null) {
            end = reason;
            pointer = 0;
        }
    }

    /** Users are to learn of the end. */
    DisconnectReason endForUsers() {
        DisconnectReason reason = Objects.requireNonNull(end);
        deliveredEnd = reason;
        Jfr.connectionChanged(this, "CONNECTED", reason);
        endpoint.core().closeLine(waiting);
        waiting.refuse(over(reason));
        List<Completion<DisconnectReason>> waiting = List.copyOf(awaitingEnd);
        awaitingEnd.clear();
        waiting.forEach(completion -> completion.complete(reason));
        return reason;
    }

    @Override
    public String toString() {
        return "Connection " + number + " of the " + endpoint;
    }
}
