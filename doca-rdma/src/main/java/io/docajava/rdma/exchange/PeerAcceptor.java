/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections until one of them completes the handshake, which is the peer. Each connection has its own thread, so that a
 * silent one does not delay the others.
 */
final class PeerAcceptor {

    /** The longest time for a handshake. */
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    private final ServerSocketChannel listener;
    private final SocketAddress address;
    private final Deadline deadline;
    /** The identity of the socket's file; null for TCP. */
    private final UnixSockets.@Nullable FileId file;

    private final CompletableFuture<SocketChannel> peer = new CompletableFuture<>();
    /** The connections whose handshake has not ended. */
    private final Set<SocketChannel> pending = ConcurrentHashMap.newKeySet();
    /** The failure of the last handshake that has failed. */
    private final AtomicReference<@Nullable IOException> lastRefusal = new AtomicReference<>();

    /**
     * Accepts at a listener.
     *
     * @throws IOException if the file of a Unix-domain socket cannot be read
     */
    PeerAcceptor(ServerSocketChannel listener, SocketAddress address, Deadline deadline) throws IOException {
        this.listener = listener;
        this.address = address;
        this.deadline = deadline;
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
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        } catch (IOException e) {
            // If the handshake with the peer has succeeded at the same time, its connection is closed.
            peer.completeExceptionally(e);
            if (!peer.isCompletedExceptionally()) {
                peer.join().close();
            }
            throw withLastRefusal(e, timeoutMessage);
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

    private void acceptAll() throws IOException {
        while (!peer.isDone()) {
            try {
                SocketChannel channel = listener.accept();
                pending.add(channel);
                Thread.ofVirtual()
                        .name("handshake at " + ExchangeAddress.describe(address))
                        .start(() -> shakeHands(channel));
            } catch (ClosedChannelException e) {
                if (!peer.isDone()) {
                    throw e;
                }
            }
        }
    }

    /** Ends the wait if this is the peer, even one with another version of the protocol. */
    private void shakeHands(SocketChannel channel) {
        boolean isPeer = false;
        try {
            PeerChannel.prepare(channel);
            Handshake.exchange(channel, address, deadline.atMost(HANDSHAKE_TIMEOUT));
            isPeer = peer.complete(channel);
        } catch (Handshake.VersionException e) {
            peer.completeExceptionally(e);
        } catch (IOException e) {
            lastRefusal.set(e);
        } catch (Throwable e) {
            peer.completeExceptionally(e);
        } finally {
            pending.remove(channel);
            if (!isPeer) {
                close(channel);
            }
            if (peer.isDone()) {
                close(listener);
            }
        }
    }

    private IOException withLastRefusal(IOException failure, String timeoutMessage) {
        IOException last = lastRefusal.get();
        if (last == null || !(failure instanceof SocketTimeoutException)) {
            return failure;
        }
        return Deadline.timeout(
                timeoutMessage + ". The last connection was not the peer's: " + last.getMessage(), last);
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel is closed nevertheless.
        }
    }
}
