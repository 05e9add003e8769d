/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations on channels whose time passes before, during and after them. */
@Timeout(600)
final class DeadlineTest {

    private static final Deadline PASSED = Deadline.after(Duration.ZERO);

    @Test
    void reportsATimeoutIfTheChannelIsClosedBeforeTheOperationBegins() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> PASSED.during(
                            channel,
                            () -> {
                                awaitClosed(channel);
                                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
                            },
                            () -> "too late"))
                    .withMessage("too late")
                    .withCauseInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void reportsATimeoutIfTheChannelIsClosedWhenTheOperationHasSucceeded() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> PASSED.during(channel, () -> awaitClosed(channel), () -> "too late"))
                    .withMessage("too late");
        }
    }

    @Test
    void keepsTheChannelOpenIfTheOperationEndsInTime() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            Deadline.after(Duration.ofSeconds(50)).during(channel, () -> {}, () -> "too late");

            assertThat(channel.isOpen()).isTrue();
        }
    }

    @Test
    void passesOnThatSomebodyElseHasClosedTheChannel() throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.close();

        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> Deadline.after(Duration.ofSeconds(50))
                        .during(
                                channel,
                                () -> channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)),
                                () -> "too late"));
    }

    private static void awaitClosed(SocketChannel channel) {
        while (channel.isOpen()) {
            Thread.onSpinWait();
        }
    }
}
