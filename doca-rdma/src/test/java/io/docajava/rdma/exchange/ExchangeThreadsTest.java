/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.testing.Await;
import java.io.EOFException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests exchanges of platform threads while the virtual threads of an application occupy all carriers. */
@Timeout(600)
class ExchangeThreadsTest {

    private static final Duration LONG = Await.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private BusyCarriers busy;

    @BeforeEach
    void occupyAllCarriers() throws InterruptedException {
        busy = BusyCarriers.occupy();
    }

    @AfterEach
    void releaseAllCarriers() {
        busy.close();
    }

    private UnixDomainSocketAddress unix() {
        return UnixDomainSocketAddress.of(folder.resolve("socket"));
    }

    @Test
    void aListenerTimesOut() {
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> DescriptorExchange.listen(unix(), SHORT))
                .withMessage("No peer has connected to " + ExchangeAddress.describe(unix()) + " in time");
    }

    @Test
    void aHandshakeTimesOut() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SocketChannel channel = SocketChannel.open(silent.getLocalSocketAddress())) {
            SocketAddress address = silent.getLocalSocketAddress();
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> Handshake.exchange(channel, address, Deadline.after(SHORT)))
                    .withMessage(
                            "The process at " + ExchangeAddress.describe(address) + " has sent no handshake in time");
        }
    }

    @Test
    void twoSidesExchangeMessages() throws Exception {
        FutureTask<DescriptorExchange> other = new FutureTask<>(() -> DescriptorExchange.connect(unix(), LONG));
        Thread.ofPlatform().daemon().start(other);
        try (DescriptorExchange one = DescriptorExchange.listen(unix(), LONG)) {
            try (DescriptorExchange two = other.get()) {
                one.send("a", new byte[] {1});
                two.send("b", new byte[] {2});

                assertThat(two.receive("a")).containsExactly(1);
                assertThat(one.receive("b")).containsExactly(2);
            }
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> one.receive("c"))
                    .withMessage(
                            "The peer at " + ExchangeAddress.describe(unix()) + " has ended without sending \"c\"");
        }
    }

    @Test
    void sendsStartNoThreads() throws Exception {
        FutureTask<DescriptorExchange> other = new FutureTask<>(() -> DescriptorExchange.connect(unix(), LONG));
        Thread.ofPlatform().daemon().start(other);
        try (DescriptorExchange one = DescriptorExchange.listen(unix(), LONG);
                DescriptorExchange two = other.get()) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long before = threads.getTotalStartedThreadCount();

            for (int i = 0; i < 200; i++) {
                one.send("label-" + i, new byte[] {1});
                assertThat(two.receive("label-" + i)).containsExactly(1);
            }

            // Other parts of the JVM may start a few.
            assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(20);
        }
    }

    @Test
    void aClosedSideStopsWaitingForItsPeer() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(unix());
            try (SocketChannel here = SocketChannel.open(unix());
                    SocketChannel there = server.accept()) {
                Inbox inbox = new Inbox(here, "here");
                inbox.open();
                inbox.close(SHORT);
                while (here.isOpen() && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                assertThat(here.isOpen()).isFalse();
                assertThat(there.isOpen()).isTrue();
            }
        }
    }
}
