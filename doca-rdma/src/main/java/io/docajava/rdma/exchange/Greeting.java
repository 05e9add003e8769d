/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/** First message of each side, which identifies the protocol: what this is (4 bytes), and its version (4). */
final class Greeting {

    /** The peer is of another version. */
    static final class VersionException extends ProtocolException {

        private static final long serialVersionUID = 1;

        VersionException(String message) {
            super(message);
        }
    }

    /** No export begins with it. */
    static final int MAGIC = 0xd0ca_e803;

    private static final int VERSION = 1;
    private static final int LENGTH = 4 + 4;

    private Greeting() {}

    static void exchange(SocketChannel channel, SocketAddress address, Deadline deadline) throws IOException {
        String peer = ExchangeAddress.describe(address);
        byte[] theirs = deadline.during(
                channel,
                () -> {
                    write(channel);
                    return read(channel, peer);
                },
                () -> "What is at " + peer + " has said nothing in time");
        check(ByteBuffer.wrap(theirs), peer);
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
        } catch (IOException gone) {
            // The bytes before it explain more.
        }
    }

    private static byte[] read(SocketChannel channel, String peer) throws IOException {
        try {
            return Message.read(channel, LENGTH);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("The peer at " + peer + " has ended at once", e);
        }
    }

    private static void check(ByteBuffer greeting, String peer) throws ProtocolException {
        if (greeting.getInt() != MAGIC) {
            throw new ProtocolException(
                    "What is at " + peer + " is no exchange of descriptors: it begins with other bytes");
        }
        int version = greeting.getInt();
        if (version != VERSION) {
            throw new VersionException("The peer at " + peer + " exchanges descriptors by version "
                    + Integer.toUnsignedString(version) + ", and this doca-java by version " + VERSION);
        }
    }
}
