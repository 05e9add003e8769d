/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections until one of them completes the handshake, which is the peer. Each connection has its own thread, so that a
 * silent one does not delay the others. If too many are silent, the one that has waited longest is closed: the peer completes its
 * handshake at once.
 */
final class PeerAcceptor {

    /** The longest time for a handshake. */
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    /** The number of connections whose handshake may be pending. */
    static final int MAX_PENDING = 16;

    private final ServerSocketChannel listener;
    private final SocketAddress address;
    private final Deadline deadline;
    private final Duration handshakeTimeout;
    /** The identity of the socket's file; null for TCP. */
    private final UnixSockets.@Nullable FileId file;

    private final CompletableFuture<SocketChannel> peer = new CompletableFuture<>();
    /** The connections whose handshake has not ended, oldest first. The thread that removes one completes or closes it. */
    private final Queue<SocketChannel> pending = new ConcurrentLinkedQueue<>();
    /** The last connection that could not be accepted, or whose handshake has failed. */
    private final AtomicReference<@Nullable Refusal> lastRefusal = new AtomicReference<>();

    /**
     * A connection that is not the peer's.
     *
     * @param text continues a message
     */
    private record Refusal(String text, IOException reason) {}

    /**
     * Accepts at a listener.
     *
     * @throws IOException if the file of a Unix-domain socket cannot be read
     */
    PeerAcceptor(ServerSocketChannel listener, SocketAddress address, Deadline deadline) throws IOException {
        this(listener, address, deadline, HANDSHAKE_TIMEOUT);
    }

    PeerAcceptor(ServerSocketChannel listener, SocketAddress address, Deadline deadline, Duration handshakeTimeout)
            throws IOException {
        this.listener = listener;
        this.address = address;
        this.deadline = deadline;
        this.handshakeTimeout = handshakeTimeout;
        this.file = address instanceof UnixDomainSocketAddress unix ? UnixSockets.FileId.of(unix) : null;
    }

    /**
     * Waits for the peer. Then closes all other connections and the listener, and deletes the socket's file.
     *
     * @throws SocketTimeoutException if the peer does not connect in time
     */
    SocketChannel await() throws IOException {
        String timeoutMessage = "No peer has connected to " + ExchangeAddress.describe(address) + " in time";
        try {
            deadline.during(listener, this::acceptAll, () -> timeoutMessage);
            return peer.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException failure
                    ? failure
                    : new IOException(
                            "The handshake at " + ExchangeAddress.describe(address) + " has failed: " + cause, cause);
        } catch (IOException e) {
            closePeer(e);
            throw withLastRefusal(e, timeoutMessage);
        } catch (Throwable e) {
            closePeer(e);
            throw e;
        } finally {
            listener.close();
            for (SocketChannel channel : pending) {
                channel.close();
            }
            // Another process may have taken the file of the closed listener for a dead one, and replaced it.
            if (address instanceof UnixDomainSocketAddress unix && file != null) {
                UnixSockets.remove(unix.getPath(), file);
            }
        }
    }

    /** Ends the wait with a failure. If the handshake with the peer has succeeded at the same time, closes its connection. */
    private void closePeer(Throwable failure) throws IOException {
        peer.completeExceptionally(failure);
        if (!peer.isCompletedExceptionally()) {
            peer.join().close();
        }
    }

    private void acceptAll() throws IOException {
        while (!peer.isDone()) {
            try {
                SocketChannel channel = listener.accept();
                if (pending.size() >= MAX_PENDING) {
                    closeOldest();
                }
                pending.add(channel);
                ExchangeThread.start("handshake at " + ExchangeAddress.describe(address), () -> shakeHands(channel));
            } catch (ClosedChannelException e) {
                if (!peer.isDone()) {
                    throw e;
                }
            } catch (IOException e) {
                // The process probably has no free descriptor. The pause lets the peer complete a pending handshake.
                PeerChannel.pause();
                closeOldest();
                lastRefusal.set(new Refusal("could not be accepted", e));
            }
        }
    }

    /** Makes room for a newer connection. */
    private void closeOldest() {
        SocketChannel oldest = pending.poll();
        if (oldest != null) {
            refuse(new IOException("The process at " + ExchangeAddress.describe(address)
                    + " has sent no handshake before newer connections needed its place"));
            PeerChannel.close(oldest);
        }
    }

    private void refuse(IOException reason) {
        lastRefusal.set(new Refusal("was not the peer's", reason));
    }

    /** Ends the wait if this is the peer, even one with another version of the protocol. */
    private void shakeHands(SocketChannel channel) {
        boolean isPeer = false;
        try {
            PeerChannel.prepare(channel);
            Handshake.exchange(channel, address, deadline.atMost(handshakeTimeout));
            isPeer = pending.remove(channel) && peer.complete(channel);
        } catch (Handshake.VersionException e) {
            peer.completeExceptionally(e);
        } catch (ClosedChannelException e) {
            // This side has closed it, to make room or at the end of the wait.
        } catch (IOException e) {
            refuse(e);
        } catch (Throwable e) {
            peer.completeExceptionally(e);
        } finally {
            pending.remove(channel);
            if (!isPeer) {
                PeerChannel.close(channel);
            }
            if (peer.isDone()) {
                PeerChannel.close(listener);
            }
        }
    }

    private IOException withLastRefusal(IOException failure, String timeoutMessage) {
        Refusal last = lastRefusal.get();
        if (last == null || !(failure instanceof SocketTimeoutException)) {
            return failure;
        }
        return Deadline.timeout(
                timeoutMessage + ". The last connection " + last.text() + ": "
                        + last.reason().getMessage(),
                last.reason());
    }
}
