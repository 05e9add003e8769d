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
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connections that come to the side that listens, one of which is the peer. Each is greeted on a thread of its own, so
 * that one that says nothing keeps no other from being greeted.
 */
final class Visitors {

    /** The time in which a connection must send its greeting, which a peer does at once. */
    private static final Duration GREETING = Duration.ofSeconds(5);

    private final ServerSocketChannel listener;
    private final SocketAddress address;
    private final Deadline deadline;

    private final CompletableFuture<SocketChannel> peer = new CompletableFuture<>();
    /** Those that have not sent their greeting yet. */
    private final Set<SocketChannel> silent = ConcurrentHashMap.newKeySet();
    /** Why the last connection was not the peer's. */
    private final AtomicReference<@Nullable IOException> stranger = new AtomicReference<>();

    Visitors(ServerSocketChannel listener, SocketAddress address, Deadline deadline) {
        this.listener = listener;
        this.address = address;
        this.deadline = deadline;
    }

    /**
     * Waits for the peer, and closes all other connections, the listener, and the file of its socket.
     *
     * @throws SocketTimeoutException if it does not come in time
     */
    SocketChannel await() throws IOException {
        String late = "No peer has come to " + ExchangeAddress.describe(address) + " in time";
        try {
            deadline.during(listener, this::acceptAll, () -> late);
            return peer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        } catch (IOException e) {
            // Whoever ended the wait, the peer may have been greeted in the same moment: nobody takes it now.
            peer.completeExceptionally(e);
            if (!peer.isCompletedExceptionally()) {
                peer.join().close();
            }
            throw withStranger(e, late);
        } finally {
            listener.close();
            for (SocketChannel channel : silent) {
                channel.close();
            }
            if (address instanceof UnixDomainSocketAddress unix) {
                Files.deleteIfExists(unix.getPath());
            }
        }
    }

    private void acceptAll() throws IOException {
        while (!peer.isDone()) {
            try {
                SocketChannel channel = listener.accept();
                silent.add(channel);
                Thread.ofVirtual()
                        .name("greeting at " + ExchangeAddress.describe(address))
                        .start(() -> greet(channel));
            } catch (ClosedChannelException e) {
                if (!peer.isDone()) {
                    throw e;
                }
            }
        }
    }

    /** Ends the wait if this is the peer, also one of another version. */
    private void greet(SocketChannel channel) {
        boolean taken = false;
        try {
            Meeting.prepare(channel);
            Greeting.exchange(channel, address, deadline.atMost(GREETING));
            taken = peer.complete(channel);
        } catch (Greeting.VersionException e) {
            peer.completeExceptionally(e);
        } catch (IOException e) {
            stranger.set(e);
        } catch (Throwable e) {
            peer.completeExceptionally(e);
        } finally {
            silent.remove(channel);
            if (!taken) {
                close(channel);
            }
            if (peer.isDone()) {
                close(listener);
            }
        }
    }

    private IOException withStranger(IOException failure, String late) {
        IOException last = stranger.get();
        if (last == null || !(failure instanceof SocketTimeoutException)) {
            return failure;
        }
        return Deadline.timeout(late + ". The last connection was not the peer's: " + last.getMessage(), last);
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed nevertheless.
        }
    }
}
