/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;
import io.docajava.comch.internal.CommConnectionImpl;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEventExport;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection between a {@link CommServer} and a {@link CommClient} ({@code struct doca_comch_connection}). It is reliable and
 * keeps messages in order. Each {@code send} of the peer is received as one message.
 *
 * <p>Sending copies the message, so the caller may change its memory as soon as {@code send} has returned. {@link #send(byte[])}
 * documents what the completion of a send proves.
 *
 * <p>A connection ends at the latest when its server or client stops. A restart makes new connections.
 *
 * <p>A connection belongs to the engine's thread: calls by another one throw an {@link IllegalStateException}. If the server or
 * client is on a loop, any thread may send with a future, disconnect, and wait for the end. Any thread may call {@link
 * #endpoint()}, {@link #isConnected()} and {@link #disconnectReason()}.
 */
public sealed interface CommConnection permits CommConnectionImpl {

    /** {@return the server or client on this side} Any thread may call. */
    CommEndpoint endpoint();

    /** {@return whether the connection has not ended; true until the disconnect is delivered} Any thread may call. */
    boolean isConnected();

    /** {@return why the connection has ended; empty until the disconnect is delivered} Any thread may call. */
    Optional<DisconnectReason> disconnectReason();

    /**
     * Sends a message ({@code doca_comch_..._task_send_alloc_init}, {@code doca_task_submit}).
     *
     * <p>The result of the send shows how far the message has come:
     *
     * <ul>
     *   <li>Success: the message has left for the peer's receive queue, as have all earlier messages on this connection. The peer's
     *       program handles the message once, unless it disconnects or exits first, which is not reported.
     *   <li>{@link TaskFailedException}: the connection has ended, or the server or client has stopped, while the message was in
     *       flight. The peer's program may have handled the message once, or not at all.
     *   <li>Another exception, of the future or of this method: the message was not sent.
     * </ul>
     *
     * <p>No message is received twice. A message can be lost only in the first two cases. Only a reply proves that a message was
     * handled. A program that must not lose messages can number them and have the peer reply; when a connection has ended, the peer
     * sends the number of its last message on the next connection, and the program resumes from there.
     *
     * <p>On the engine of a {@link ProgressLoop}, the send waits if no task is free or the peer's receive queue is full. Later
     * sends with a future on this connection then wait behind it.
     *
     * @param message of 1 to {@link CommLimits#maxMessageSize()} bytes
     * @return a future of the number of bytes sent. It fails with a {@link TaskFailedException} if the task fails, a {@link
     *     ConnectionEndedException} if the connection has ended, a {@link ContextNotRunningException} if the server or client is
     *     not running, a {@link ResourceExhaustedException} if no task is free, or another {@link DocaException} if the SDK refuses
     *     the task. That is a {@link DocaCallException} with {@code AGAIN} if the peer's receive queue is full; send again when
     *     another send has completed
     * @throws IllegalArgumentException if the message is empty or too long
     * @throws IllegalStateException if the server or client is closed
     * @throws RejectedExecutionException if the endpoint is on a loop that does not accept the send
     */
    Completion<Long> send(byte[] message);

    /**
     * Sends all bytes of a segment, as {@link #send(byte[])} does.
     *
     * @param message a segment of 1 to {@link CommLimits#maxMessageSize()} bytes, which the thread can access; it is copied before
     *     this method returns
     * @return a future, as from {@link #send(byte[])}
     * @throws IllegalArgumentException if the message is empty or too long
     * @throws IllegalStateException if the server or client is closed
     */
    Completion<Long> send(MemorySegment message);

    /**
     * Sends a message, as {@link #send(byte[])} does, and calls a handler when the send has ended. This does not wait for a free
     * task or for room in the peer's receive queue, not even on the engine of a {@link ProgressLoop}.
     *
     * @param message of 1 to {@link CommLimits#maxMessageSize()} bytes
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the message is empty or too long
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the server or client is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task, with {@code AGAIN} if the peer's receive queue is full
     * @throws IllegalStateException if the server or client is closed
     */
    void send(byte[] message, Handler<? super SendEnd> handler);

    /**
     * Sends all bytes of a segment, as {@link #send(byte[], Handler)} does.
     *
     * @param message a segment of 1 to {@link CommLimits#maxMessageSize()} bytes, which the thread can access; it is copied before
     *     this method returns
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the message is empty or too long
     * @throws ConnectionEndedException if the connection has ended
     * @throws ContextNotRunningException if the server or client is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task, with {@code AGAIN} if the peer's receive queue is full
     * @throws IllegalStateException if the server or client is closed
     */
    void send(MemorySegment message, Handler<? super SendEnd> handler);

    /**
     * Sends an export of memory, with which the peer can access that memory. The peer receives a message that has the export as its
     * {@link CommMessage#mmapExport()}.
     *
     * @param export of memory of this process; the memory must stay open as long as the peer uses the export
     * @return a future, as from {@link #send(byte[])}
     * @throws IllegalArgumentException if the export is longer than {@link CommLimits#maxMessageSize()}
     * @throws IllegalStateException if the server or client is closed
     */
    Completion<Long> sendExport(MmapExport export);

    /**
     * Sends an export of a sync event, with which the peer can use that event. The peer receives a message that has the export as
     * its {@link CommMessage#syncEventExport()}.
     *
     * @param export of an event of this process; the event must stay open as long as the peer uses the export
     * @return a future, as from {@link #send(byte[])}
     * @throws IllegalArgumentException if the export is longer than {@link CommLimits#maxMessageSize()}
     * @throws IllegalStateException if the server or client is closed
     */
    Completion<Long> sendExport(SyncEventExport export);

    /**
     * Ends the connection and notifies the peer. A server disconnects its client ({@code doca_comch_server_disconnect}); a client
     * stops, as it has no other connection. Sends in flight fail, unless they have been carried out. Does nothing if the connection
     * has ended.
     *
     * @throws DocaException if the SDK refuses, for example with {@code AGAIN} because its queue is full; the connection then goes
     *     on, and this method may be called again
     */
    void disconnect();

    /**
     * Returns a future of the end of the connection, whichever side ends it.
     *
     * @return a future that completes with the reason, after all messages of the connection were delivered. It fails only if the
     *     engine's loop ends and cannot close the context
     */
    Completion<DisconnectReason> whenDisconnected();
}
