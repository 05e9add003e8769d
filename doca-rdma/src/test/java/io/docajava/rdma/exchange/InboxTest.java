/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a connection ends whose two sides close one after the other. */
@Timeout(60)
class InboxTest {

    private static final Duration LONG = Duration.ofDays(1);

    @TempDir
    private Path folder;

    @Test
    void bothChannelsAreClosedWhenBothSidesHaveClosed() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            try (SocketChannel here = SocketChannel.open(address);
                    SocketChannel there = server.accept()) {
                Inbox first = new Inbox(here, "here");
                Inbox second = new Inbox(there, "there");
                first.open();
                second.open();
                first.close(LONG);
                assertThatThrownBy(() -> second.take("anything", LONG)).isInstanceOf(EOFException.class);
                assertThat(there.isOpen()).isTrue();
                second.close(LONG);
                assertThat(there.isOpen()).isFalse();
                while (here.isOpen()) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
