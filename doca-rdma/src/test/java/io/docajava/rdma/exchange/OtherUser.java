/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A process that connects to a Unix-domain socket, and waits until the other side closes the connection. */
final class OtherUser {

    private OtherUser() {}

    /**
     * Runs the process.
     *
     * @param args the path of the socket
     */
    public static void main(String[] args) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(args[0]))) {
            if (channel.read(ByteBuffer.allocate(1)) != -1) {
                throw new IOException("The connection was not closed");
            }
        }
    }
}
