/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.testing.Await;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests waits for messages, and how a connection ends. */
@Timeout(600)
class InboxTest {

    private static final Duration LONG = Duration.ofDays(1);

    @TempDir
    private Path folder;

    private ServerSocketChannel server;
    private SocketChannel here;
    private SocketChannel there;

    @BeforeEach
    void connect() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
        here = SocketChannel.open(address);
        there = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        there.close();
        here.close();
        server.close();
    }

    @Test
    void bothChannelsAreClosedWhenBothSidesHaveClosed() throws Exception {
        Inbox first = new Inbox(here, "here");
        Inbox second = new Inbox(there, "there");
        first.open();
        second.open();
        first.close(LONG);
        assertThatThrownBy(() -> second.take("anything", LONG)).isInstanceOf(EOFException.class);
        assertThat(there.isOpen()).isTrue();
        second.close(LONG);
        assertThat(there.isOpen()).isFalse();
        Await.until(() -> !here.isOpen(), "the end of the channel");
    }

    @Test
    void waitsForAMessageAgainAfterATimeout() throws Exception {
        Inbox inbox = new Inbox(here, "here");
        inbox.open();
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> inbox.take("late", Duration.ofMillis(100)))
                .withMessage("The peer at here has not sent \"late\" within 100 ms");
        Message.write(there, "late", new byte[1]);
        assertThat(inbox.take("late", LONG)).hasSize(1);
    }

    /** Messages of the second round fit only if those of the first no longer count. */
    @Test
    void keepsAsManyMessagesAsItMay() throws Exception {
        Inbox inbox = new Inbox(here, "here");
        inbox.open();
        for (int round = 0; round < 2; round++) {
            sendAndTakeFromTheLast(inbox, round, 256, 0);
        }
    }

    @Test
    void keepsAsManyBytesAsItMay() throws Exception {
        Inbox inbox = new Inbox(here, "here");
        inbox.open();
        for (int round = 0; round < 2; round++) {
            sendAndTakeFromTheLast(inbox, round, 4, DescriptorExchange.MAX_LENGTH);
        }
    }

    /** When the last message is taken first, all are in the inbox at once. */
    private void sendAndTakeFromTheLast(Inbox inbox, int round, int count, int length) throws IOException {
        for (int i = 0; i < count; i++) {
            Message.write(there, round + "." + i, new byte[length]);
        }
        for (int i = count - 1; i >= 0; i--) {
            assertThat(inbox.take(round + "." + i, LONG)).hasSize(length);
        }
    }

    @Test
    void oneMessageMoreEndsTheExchange() throws Exception {
        assertEnds(256, 0, 0);
    }

    @Test
    void oneByteMoreEndsTheExchange() throws Exception {
        assertEnds(4, DescriptorExchange.MAX_LENGTH, 1);
    }

    private void assertEnds(int count, int length, int more) throws IOException {
        Inbox inbox = new Inbox(here, "here");
        inbox.open();
        for (int i = 0; i < count; i++) {
            Message.write(there, "" + i, new byte[length]);
        }
        Message.write(there, "more", new byte[more]);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> inbox.take("none", LONG))
                .withMessage("The peer at here has not sent \"none\": it has sent more than 256 messages or 4194304"
                        + " bytes that were not received");
    }

    @Test
    void receiversGetTheErrorThatHasEndedTheReader() throws Exception {
        Error noMemory = new OutOfMemoryError("Java heap space");
        SocketChannel failing = new FailingChannel(here, noMemory);
        Inbox inbox = new Inbox(failing, "here");
        inbox.open();
        for (String label : List.of("first", "second")) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> inbox.take(label, LONG))
                    .withMessage("Cannot receive \"" + label + "\" from the peer at here: reading its messages"
                            + " has failed: java.lang.OutOfMemoryError: Java heap space")
                    .withCause(noMemory);
        }
        // The peer is notified.
        assertThat(there.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(failing.isOpen()).isFalse();
    }
}
