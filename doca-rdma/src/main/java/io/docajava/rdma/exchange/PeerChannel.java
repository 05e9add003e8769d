/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A channel to the peer. One side listens at an address, and the other side connects to it.
 *
 * @param channel the open channel, after the handshake
 * @param isFirst whether this side listened
 */
record PeerChannel(SocketChannel channel, boolean isFirst) {

    /** The time between two attempts to reach the peer. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** The number of connections that may wait to be accepted. */
    static final int BACKLOG = 16;

    /** Listens at the address until the peer has connected. */
    static PeerChannel byListening(SocketAddress address, Deadline deadline) throws IOException {
        try (ServerSocketChannel listener = listenAlone(address)) {
            return new PeerChannel(new PeerAcceptor(listener, address, deadline).await(), true);
        }
    }

    /** Connects to the address as soon as the peer listens there. */
    static PeerChannel byConnecting(SocketAddress address, Deadline deadline) throws IOException {
        IOException last;
        do {
            try {
                return new PeerChannel(connect(address, deadline), false);
            } catch (ConnectException | NoRouteToHostException notYet) {
                last = notYet;
            }
            pause();
        } while (!deadline.isOver());
        throw Deadline.timeout(
                "No peer has listened at " + ExchangeAddress.describe(address) + " in time: " + last.getMessage(),
                last);
    }

    /** Listens at the address, or connects to it if the peer listens there. */
    static PeerChannel byEither(SocketAddress address, Deadline deadline) throws IOException {
        IOException last;
        do {
            try (ServerSocketChannel listener = listen(address)) {
                return new PeerChannel(new PeerAcceptor(listener, address, deadline).await(), true);
            } catch (BindException otherSide) {
                last = otherSide;
            }
            try {
                return new PeerChannel(connect(address, deadline), false);
            } catch (ConnectException | NoRouteToHostException notYet) {
                notYet.addSuppressed(last);
                last = notYet;
            }
            pause();
        } while (!deadline.isOver());
        throw Deadline.timeout(
                "No peer was found at " + ExchangeAddress.describe(address) + " in time: " + last.getMessage(), last);
    }

    /** Refuses an address that is neither TCP nor a Unix-domain socket. */
    static void check(SocketAddress address) throws UnknownHostException {
        if (address instanceof InetSocketAddress tcp && tcp.isUnresolved()) {
            throw new UnknownHostException("There is no host " + tcp.getHostString());
        }
        if (!(address instanceof InetSocketAddress || address instanceof UnixDomainSocketAddress)) {
            throw new IllegalArgumentException(
                    "Descriptors are exchanged at a TCP port or a Unix-domain socket, and not at " + address);
        }
    }

    private static ServerSocketChannel listenAlone(SocketAddress address) throws IOException {
        try {
            if (address instanceof UnixDomainSocketAddress unix) {
                UnixSockets.removeDead(unix);
            }
            return listen(address);
        } catch (BindException refused) {
            String message = "Cannot listen at " + ExchangeAddress.describe(address) + ": " + refused.getMessage();
            throw withCause(new BindException(message), refused);
        }
    }

    private static ServerSocketChannel listen(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            return UnixSockets.listen(unix);
        }
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            return listener.bind(address, BACKLOG);
        } catch (Throwable failure) {
            listener.close();
            throw failure;
        }
    }

    private static SocketChannel connect(SocketAddress address, Deadline deadline) throws IOException {
        boolean isUnix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = isUnix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            deadline.during(
                    channel,
                    () -> connect(channel, address),
                    () -> "The process at " + ExchangeAddress.describe(address) + " has not answered in time");
            prepare(channel);
            Handshake.exchange(channel, address, deadline);
            return channel;
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    private static void connect(SocketChannel channel, SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            UnixSockets.connect(channel, unix);
            return;
        }
        channel.connect(address);
        // If no process listens at a port of the ephemeral range, a socket may connect to itself.
        if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
            throw new ConnectException("No process listens there yet");
        }
    }

    /** Sets the options of a channel, and refuses a process of another user. */
    static void prepare(SocketChannel channel) throws IOException {
        if (channel.getRemoteAddress() instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } else {
            UnixSockets.checkUser(channel);
        }
    }

    static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel is closed nevertheless.
        }
    }

    /** Sets the cause of an exception whose constructor takes none. */
    static <T extends IOException> T withCause(T failure, @Nullable Throwable cause) {
        failure.initCause(cause);
        return failure;
    }

    static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a peer");
        }
    }
}
