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
import java.nio.file.Files;
import java.time.Duration;

/**
 * How two sides find each other at one address: one of them listens there, and the other one connects.
 *
 * @param channel between the two
 * @param isFirst whether this side listened
 */
record Meeting(SocketChannel channel, boolean isFirst) {

    /** How soon to look again whether the peer is there. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    static Meeting at(SocketAddress address, Deadline deadline) throws IOException {
        if (address instanceof InetSocketAddress tcp && tcp.isUnresolved()) {
            throw new UnknownHostException("There is no host " + tcp.getHostString());
        }
        if (!(address instanceof InetSocketAddress || address instanceof UnixDomainSocketAddress)) {
            throw new IllegalArgumentException(
                    "Descriptors are exchanged at a TCP port or a Unix-domain socket, and not at " + address);
        }
        IOException last;
        do {
            try (ServerSocketChannel listener = listen(address)) {
                return new Meeting(accept(listener, address, deadline), true);
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

    private static ServerSocketChannel listen(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            return UnixMeeting.listen(unix);
        }
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            return listener.bind(address, 1);
        } catch (Throwable failure) {
            listener.close();
            throw failure;
        }
    }

    private static SocketChannel accept(ServerSocketChannel listener, SocketAddress address, Deadline deadline)
            throws IOException {
        try {
            SocketChannel channel = deadline.during(
                    listener,
                    listener::accept,
                    () -> "No peer has come to " + ExchangeAddress.describe(address) + " in time");
            return prepared(channel);
        } finally {
            if (address instanceof UnixDomainSocketAddress unix) {
                Files.deleteIfExists(unix.getPath());
            }
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
            return prepared(channel);
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

    private static SocketChannel prepared(SocketChannel channel) throws IOException {
        if (channel.getRemoteAddress() instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } else {
            UnixMeeting.checkUser(channel);
        }
        return channel;
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
