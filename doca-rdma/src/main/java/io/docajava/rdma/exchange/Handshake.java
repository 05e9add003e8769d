/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/** The first message of each side, which identifies the protocol: a magic number (4 bytes) and the version (4). */
final class Handshake {

    /** The peer uses another version of the protocol. */
    static final class VersionException extends ProtocolException {

        private static final long serialVersionUID = 1;

        VersionException(String message) {
            super(message);
        }
    }

    /** No export begins with this number. */
    static final int MAGIC = 0xd0ca_e803;

    private static final int VERSION = 1;
    private static final int LENGTH = 4 + 4;

    private Handshake() {}

    static void exchange(SocketChannel channel, SocketAddress address, Deadline deadline) throws IOException {
        String peer = ExchangeAddress.describe(address);
        deadline.during(
                channel,
                () -> {
                    write(channel);
                    check(ByteBuffer.wrap(read(channel, peer)), peer);
                },
                () -> "The process at " + peer + " has sent no handshake in time");
    }

    private static void write(SocketChannel channel) throws IOException {
        ByteBuffer mine =
                ByteBuffer.allocate(LENGTH).putInt(MAGIC).putInt(VERSION).flip();
        try {
            while (mine.hasRemaining()) {
                channel.write(mine);
            }
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException ended) {
            // The bytes that the peer has sent before its end explain more.
        }
    }

    private static byte[] read(SocketChannel channel, String peer) throws IOException {
        try {
            return Message.read(channel, LENGTH);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("The peer at " + peer + " has ended before its handshake", e);
        }
    }

    private static void check(ByteBuffer greeting, String peer) throws ProtocolException {
        if (greeting.getInt() != MAGIC) {
            throw new ProtocolException(
                    "The process at " + peer + " is not a descriptor exchange: it has sent other bytes");
        }
        int version = greeting.getInt();
        if (version != VERSION) {
            throw new VersionException("The peer at " + peer + " uses version " + Integer.toUnsignedString(version)
                    + " of the descriptor exchange; this doca-java uses version " + VERSION);
        }
    }
}
