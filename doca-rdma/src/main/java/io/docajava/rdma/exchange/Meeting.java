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
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * Connects two sides at one address: one of them listens there, and the other one connects.
 *
 * @param channel between the two
 * @param isFirst whether this side listened
 */
record Meeting(SocketChannel channel, boolean isFirst) {

    /** The time between two attempts to reach the peer. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** The number of connections that may wait to be accepted. */
    static final int BACKLOG = 16;

    /** Listens at the address until the peer has come. */
    static Meeting byListening(SocketAddress address, Deadline deadline) throws IOException {
        check(address);
        try (ServerSocketChannel listener = listenAlone(address)) {
            return new Meeting(new Visitors(listener, address, deadline).await(), true);
        }
    }

    /** Connects to the address as soon as the peer listens there. */
    static Meeting byConnecting(SocketAddress address, Deadline deadline) throws IOException {
        check(address);
        IOException last;
        do {
            try {
                return new Meeting(connect(address, deadline), false);
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
    static Meeting at(SocketAddress address, Deadline deadline) throws IOException {
        check(address);
        IOException last;
        do {
            try (ServerSocketChannel listener = listen(address)) {
                return new Meeting(new Visitors(listener, address, deadline).await(), true);
            } catch (BindException otherSide) {
                last = otherSide;
            }
            try {
                return new Meeting(connect(address, deadline), false);
            } catch (ConnectException | NoRouteToHostException notYet) {
                notYet.addSuppressed(last);
                last = notYet;
            }
            pause();
        } while (!deadline.isOver());
        throw Deadline.timeout(
                "No peer was to be met at " + ExchangeAddress.describe(address) + " in time: " + last.getMessage(),
                last);
    }

    private static void check(SocketAddress address) throws UnknownHostException {
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
                UnixMeeting.removeDead(unix);
            }
            return listen(address);
        } catch (BindException refused) {
            BindException failure = new BindException(
                    "Cannot listen at " + ExchangeAddress.describe(address) + ": " + refused.getMessage());
            failure.initCause(refused);
            throw failure;
        }
    }

    private static ServerSocketChannel listen(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            return UnixMeeting.listen(unix);
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
                    () -> "What is at " + ExchangeAddress.describe(address) + " has not answered in time");
            prepare(channel);
            Greeting.exchange(channel, address, deadline);
            return channel;
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    private static void connect(SocketChannel channel, SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            UnixMeeting.connect(channel, unix);
            return;
        }
        channel.connect(address);
        // Where nobody listens at a port of the range for clients, a socket may be connected with itself.
        if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
            throw new ConnectException("Nobody is there yet");
        }
    }

    /** Sets what the exchange needs of a connection, and refuses the process of another user. */
    static void prepare(SocketChannel channel) throws IOException {
        if (channel.getRemoteAddress() instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } else {
            UnixMeeting.checkUser(channel);
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a peer");
        }
    }
}
