/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.testing.Await;
import io.docajava.testing.DeepStack;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exchanges between two threads of this process, and with peers that do not follow the protocol. */
@Timeout(600)
class DescriptorExchangeTest {

    private static final Duration LONG = Await.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final byte[] GREETING =
            ByteBuffer.allocate(8).putInt(Handshake.MAGIC).putInt(1).array();

    @TempDir
    private Path folder;

    private SocketAddress unix() {
        return UnixDomainSocketAddress.of(folder.resolve("socket"));
    }

    private static SocketAddress freePort() throws IOException {
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return port.getLocalSocketAddress();
        }
    }

    private SocketAddress address(String kind) throws IOException {
        return kind.equals("unix") ? unix() : freePort();
    }

    private static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static FutureTask<DescriptorExchange> openInBackground(SocketAddress address) {
        return inBackground(() -> DescriptorExchange.open(address, LONG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void passesEachSideTheDataOfTheOther(String kind) throws Exception {
        SocketAddress address = address(kind);
        ConnectionDetails details = ConnectionDetails.of(new byte[] {1, 2, 3});
        MmapExport export = MmapExport.of(new byte[] {4, 5}, 4096, 100);
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            assertThat(one.isFirst()).isNotEqualTo(two.isFirst());
            one.send("memory", export);
            one.send("connection", details);
            two.send("connection", ConnectionDetails.of(new byte[] {6}));
            two.send("nothing", new byte[0]);

            assertThat(two.receiveConnection("connection")).isEqualTo(details);
            assertThat(two.receiveExport("memory")).isEqualTo(export);
            assertThat(one.receive("nothing")).isEmpty();
            assertThat(one.receiveConnection("connection").bytes()).containsExactly(6);
            assertThat(one).hasToString("Exchange of descriptors at " + ExchangeAddress.describe(address));
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Each call either overflows before it has changed anything, or works. */
    @Test
    void worksAfterOverflows() throws Throwable {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            List<byte[]> received = new ArrayList<>();
            DeepStack.onSmallStack(() -> {
                assertThat(DeepStack.attempt(() -> DescriptorExchange.address("[::1]:5")))
                        .isPositive();
                assertThat(DeepStack.attempt(() -> one.send("label", new byte[] {7})))
                        .isPositive();
                assertThat(DeepStack.attempt(() -> received.add(two.receive("label"))))
                        .isPositive();
                assertThat(DeepStack.attempt(one::close)).isPositive();
            });
            assertThat(received).containsExactly(new byte[] {7});
            assertThatThrownBy(() -> two.receive("other"))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("The peer at " + ExchangeAddress.describe(address)
                            + " has ended without sending \"other\"");
        }
    }

    @Test
    void leavesASocketThatHasReplacedItsOwn() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        PeerAcceptor acceptor =
                new PeerAcceptor(UnixSockets.listen(address), address, Deadline.after(Duration.ofMillis(1)));
        Files.delete(address.getPath());
        try (ServerSocketChannel other = UnixSockets.listen(address)) {
            assertThatThrownBy(acceptor::await).isInstanceOf(SocketTimeoutException.class);
            assertThat(address.getPath()).exists();
            assertThat(other.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void meetsWhoeverComesFirst(String kind) throws Exception {
        SocketAddress address = address(kind);
        for (int i = 0; i < 100; i++) {
            FutureTask<DescriptorExchange> other = openInBackground(address);
            try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                    DescriptorExchange two = other.get()) {
                assertThat(one.isFirst()).isNotEqualTo(two.isFirst());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void oneSideListensAndTheOtherOneConnects(String kind) throws Exception {
        SocketAddress address = address(kind);
        for (int i = 0; i < 50; i++) {
            FutureTask<DescriptorExchange> client = inBackground(() -> DescriptorExchange.connect(address, LONG));
            try (DescriptorExchange server = DescriptorExchange.listen(address, LONG);
                    DescriptorExchange connected = client.get()) {
                assertThat(server.isFirst()).isTrue();
                assertThat(connected.isFirst()).isFalse();
                connected.send("a", new byte[] {1});
                assertThat(server.receive("a")).containsExactly(1);
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "so", "socket", "a socket with a long name"})
    void meetsAtTheLongestPathOfASocket(String name) throws Exception {
        Path longest = longestPath(name);
        SocketAddress address = UnixDomainSocketAddress.of(longest);
        FutureTask<DescriptorExchange> client = inBackground(() -> DescriptorExchange.connect(address, LONG));
        try (DescriptorExchange server = DescriptorExchange.listen(address, LONG);
                DescriptorExchange connected = client.get()) {
            connected.send("a", new byte[] {1});
            assertThat(server.receive("a")).containsExactly(1);
        }
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            assertThat(one.isFirst()).isNotEqualTo(two.isFirst());
        }
        assertThat(longest.getParent()).isEmptyDirectory();

        Path tooLong = longest.resolveSibling(name + "s");
        SocketAddress bad = UnixDomainSocketAddress.of(tooLong);
        String reason = tooLong + ": the path has 107 bytes, and that of a Unix-domain socket has at most 106";
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> DescriptorExchange.listen(bad, LONG))
                .withMessage(reason);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> DescriptorExchange.connect(bad, LONG))
                .withMessage(reason);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> DescriptorExchange.open(bad, LONG))
                .withMessage(reason);
    }

    /** Returns the longest path of a file with this name to which a socket can be bound, in a new folder. */
    private Path longestPath(String name) throws IOException {
        Path longest = null;
        for (int length = 1; ; length++) {
            Path parent = Files.createDirectory(folder.resolve("f".repeat(length)));
            Path file = parent.resolve(name);
            try (ServerSocketChannel direct = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                direct.bind(UnixDomainSocketAddress.of(file));
            } catch (SocketException tooLong) {
                return Objects.requireNonNull(longest, "the temporary folder has a long name");
            }
            Files.delete(file);
            longest = file;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void twoThatConnectDoNotMeet(String kind) throws Exception {
        SocketAddress address = address(kind);
        FutureTask<DescriptorExchange> first = inBackground(() -> DescriptorExchange.connect(address, SHORT));
        FutureTask<DescriptorExchange> second = inBackground(() -> DescriptorExchange.connect(address, SHORT));
        for (FutureTask<DescriptorExchange> one : List.of(first, second)) {
            assertThatThrownBy(one::get)
                    .cause()
                    .isInstanceOf(SocketTimeoutException.class)
                    // The time may also pass in the middle of the last attempt.
                    .message()
                    .containsAnyOf(
                            "No peer has listened at " + ExchangeAddress.describe(address) + " in time: ",
                            "The process at " + ExchangeAddress.describe(address) + " has not answered in time");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void twoDoNotListenAtOneAddress(String kind) throws Exception {
        SocketAddress address = address(kind);
        try (ServerSocketChannel other = kind.equals("unix")
                ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                : ServerSocketChannel.open()) {
            other.bind(address);
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> DescriptorExchange.listen(address, LONG))
                    .withMessage("Cannot listen at " + ExchangeAddress.describe(address) + ": Address already in use");
        }
    }

    @Test
    void listensInPlaceOfAProcessThatHasEnded() throws Exception {
        SocketAddress address = unix();
        try (ServerSocketChannel stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stale.bind(address);
        }
        FutureTask<DescriptorExchange> server = inBackground(() -> DescriptorExchange.listen(address, LONG));
        try (DescriptorExchange client = DescriptorExchange.connect(address, LONG);
                DescriptorExchange listening = server.get()) {
            assertThat(client.isFirst()).isFalse();
            assertThat(listening.isFirst()).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nobodyComesToOneThatListens() throws Exception {
        SocketAddress address = unix();
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> DescriptorExchange.listen(address, SHORT))
                .withMessage("No peer has connected to " + ExchangeAddress.describe(address) + " in time");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void takesMuchFromBothSidesAtOnce() throws Exception {
        SocketAddress address = unix();
        byte[] much = new byte[DescriptorExchange.MAX_LENGTH];
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            FutureTask<Boolean> sending = inBackground(() -> {
                two.send("a", much);
                two.send("b", much);
                return true;
            });
            one.send("a", much);
            one.send("b", much);

            assertThat(sending.get()).isTrue();
            assertThat(one.receive("b")).hasSize(much.length);
            assertThat(two.receive("a")).hasSize(much.length);
        }
    }

    @Test
    void deliversWhatWasSentBeforeTheEnd() throws Exception {
        SocketAddress address = freePort();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        DescriptorExchange one = DescriptorExchange.open(address, LONG);
        try (DescriptorExchange two = other.get()) {
            two.send("unread", new byte[1000]);
            one.send("last", "words".getBytes(UTF_8));
            one.close();
            one.close();

            assertThat(two.receive("last")).asString(UTF_8).isEqualTo("words");
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> two.receive("more"))
                    .withMessage(
                            "The peer at " + ExchangeAddress.describe(address) + " has ended without sending \"more\"");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> one.receive("unread"))
                    .withMessage("The exchange of descriptors at " + ExchangeAddress.describe(address) + " is closed");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> one.send("more", new byte[1]))
                    .withMessage("The exchange of descriptors at " + ExchangeAddress.describe(address) + " is closed")
                    .withCauseInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void aSendReportsThatThePeerHasEnded() throws Exception {
        SocketAddress address = unix();
        FutureTask<Boolean> peer = stranger(address, GREETING);
        try (DescriptorExchange exchange = DescriptorExchange.open(address, LONG)) {
            assertThat(peer.get()).isTrue();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> exchange.send("a", new byte[1]))
                    .withMessage("Cannot send \"a\" to the peer at " + ExchangeAddress.describe(address)
                            + ": it has ended (Broken pipe)");
        }
    }

    @Test
    void endsWhenItIsInterrupted() throws Exception {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    one.receive("never");
                } catch (IOException e) {
                    outcome.complete(e);
                }
            });
            waiting.interrupt();

            assertThat(outcome.get())
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessageStartingWith("Interrupted while waiting for the peer at unix:");
            two.send("never", new byte[1]);
            assertThat(one.receive("never")).hasSize(1);
        }
    }

    @Test
    void receiversLearnThatAnInterruptedSendHasEndedTheExchange() throws Exception {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            assertThat(two.isFirst()).isNotEqualTo(one.isFirst());
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(ClosedByInterruptException.class).isThrownBy(() -> one.send("a", new byte[1]));
            assertThat(Thread.interrupted()).isTrue();

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> one.receive("b"))
                    .withMessage("Cannot receive \"b\" from the peer at " + ExchangeAddress.describe(address)
                            + ": a send was interrupted or has timed out, which has ended the exchange")
                    .withCauseInstanceOf(ClosedChannelException.class);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> one.send("c", new byte[1]))
                    .withMessage("Cannot send \"c\" to the peer at " + ExchangeAddress.describe(address)
                            + ": a send was interrupted or has timed out, which has ended the exchange")
                    .withCauseInstanceOf(ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void givesUpWhenNoPeerConnects(String kind) throws Exception {
        SocketAddress address = address(kind);

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> DescriptorExchange.open(address, SHORT))
                .withMessage("No peer has connected to " + ExchangeAddress.describe(address) + " in time");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void givesUpWhenNoPeerListensOnAnotherMachine() throws IOException {
        // The address is in the block for documentation, which has no hosts.
        SocketAddress far = new InetSocketAddress("192.0.2.1", 18515);
        assumeTrue(hasRoute(far), "the machine has no route to other machines");

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> DescriptorExchange.open(far, SHORT))
                .withMessageContaining("192.0.2.1:18515")
                .withMessageContaining("in time");
    }

    private static boolean hasRoute(SocketAddress address) throws IOException {
        // Connecting sends no datagram.
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(address);
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void replacesTheSocketOfAProcessThatHasEnded() throws Exception {
        SocketAddress address = unix();
        try (ServerSocketChannel stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stale.bind(address);
        }
        assertThat(folder).isNotEmptyDirectory();

        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            one.send("a", new byte[1]);
            assertThat(two.receive("a")).hasSize(1);
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Covers both sides finding the socket of an ended process at once: each of them removes its file. */
    @Test
    void findsNoPeerWhenTheSocketIsRemovedMeanwhile() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        Path dead = folder.resolve("dead");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(dead))
                .close();
        AtomicBoolean isEnough = new AtomicBoolean();
        FutureTask<Boolean> peer = inBackground(() -> {
            while (!isEnough.get()) {
                if (!Files.exists(address.getPath())) {
                    Files.createLink(address.getPath(), dead);
                }
                Files.deleteIfExists(address.getPath());
            }
            return true;
        });

        for (int i = 0; i < 5_000; i++) {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                assertThatExceptionOfType(ConnectException.class)
                        .isThrownBy(() -> UnixSockets.connect(channel, address));
            }
        }
        isEnough.set(true);
        assertThat(peer.get()).isTrue();
    }

    @Test
    void leavesOtherFilesAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("socket"), "not a socket");

        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> DescriptorExchange.open(unix(), LONG))
                .withMessage(file + ": it is not a socket");
        assertThat(file).hasContent("not a socket");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> DescriptorExchange.open(UnixDomainSocketAddress.of(file + "s/socket"), LONG))
                .withMessage(file + "s/socket: there is no folder " + file + "s");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> DescriptorExchange.connect(UnixDomainSocketAddress.of(file + "s/socket"), LONG))
                .withMessage(file + "s/socket: there is no folder " + file + "s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tmp", "/tmp/..", "."})
    void leavesFoldersAlone(String path) {
        assertIsNoSocket(path);
    }

    /** The system refuses to connect to a named pipe or a device with the error for a dead socket. */
    @Test
    void leavesSpecialFilesAlone() throws Exception {
        Path pipe = folder.resolve("socket");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertIsNoSocket(pipe.toString());
    }

    /** Checks that each way to open an exchange refuses the file, and leaves it. */
    private static void assertIsNoSocket(String path) {
        SocketAddress address = DescriptorExchange.address("unix:" + path);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> DescriptorExchange.open(address, LONG),
                () -> DescriptorExchange.listen(address, LONG),
                () -> DescriptorExchange.connect(address, LONG))) {
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(call)
                    .withMessage(path + ": it is not a socket");
            assertThat(Path.of(path)).exists();
        }
    }

    /** Acts as a program that does not follow the protocol: accepts the exchange's connection, sends the given bytes, and ends. */
    private FutureTask<Boolean> stranger(SocketAddress address, byte[]... parts) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(address);
        return inBackground(() -> {
            try (listener;
                    SocketChannel channel = listener.accept()) {
                // Reads the greeting, as closing a socket with unread bytes discards the bytes that it has sent.
                Message.read(channel, GREETING.length);
                for (byte[] part : parts) {
                    channel.write(ByteBuffer.wrap(part));
                }
                return true;
            }
        });
    }

    @Test
    void refusesWhatIsNoExchange() throws Exception {
        SocketAddress address = unix();
        String name = ExchangeAddress.describe(address);
        FutureTask<Boolean> web = stranger(address, "HTTP/1.1 400 Bad Request".getBytes(UTF_8));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> DescriptorExchange.open(address, LONG))
                .withMessage("The process at " + name + " is not a descriptor exchange: it has sent other bytes");
        assertThat(web.get()).isTrue();

        Files.delete(folder.resolve("socket"));
        FutureTask<Boolean> newer = stranger(
                address,
                ByteBuffer.allocate(8).putInt(Handshake.MAGIC).putInt(2).array());
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> DescriptorExchange.open(address, LONG))
                .withMessage("The peer at " + name + " uses version 2 of the descriptor exchange; this doca-java uses"
                        + " version 1");
        assertThat(newer.get()).isTrue();

        Files.delete(folder.resolve("socket"));
        FutureTask<Boolean> silent = stranger(address, new byte[3]);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> DescriptorExchange.open(address, LONG))
                .withMessage("The peer at " + name + " has ended before its handshake");
        assertThat(silent.get()).isTrue();
    }

    /** The two formats begin differently, so that no reader mistakes one for the other. */
    @Test
    void beginsAsNoExportDoes() {
        SyncEventExport event = SyncEventExport.of(SyncEventExport.Kind.RDMA, new byte[1]);
        MmapExport memory = MmapExport.of(new byte[1], 4096, 1);
        assertThat(Stream.of(GREETING, event.toBytes(), memory.toBytes())
                        .map(bytes -> ByteBuffer.wrap(bytes).getInt()))
                .doesNotHaveDuplicates();
    }

    /** Connects to the listening side, which may not listen yet, without following the protocol. */
    private static SocketChannel connectAsStranger(SocketAddress address) throws IOException {
        while (true) {
            try {
                return SocketChannel.open(address);
            } catch (IOException notYet) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void waitsForThePeerWhateverElseConnects(String kind) throws Exception {
        SocketAddress address = address(kind);
        FutureTask<DescriptorExchange> first = openInBackground(address);
        try (SocketChannel silent = connectAsStranger(address);
                SocketChannel half = SocketChannel.open(address);
                SocketChannel garbage = SocketChannel.open(address)) {
            SocketChannel.open(address).close();
            half.write(ByteBuffer.wrap(GREETING, 0, 3));
            garbage.write(ByteBuffer.wrap("GET / HTTP/1.1".getBytes(UTF_8)));
            // Each connection gets its own greeting, in any order.
            assertThat(Message.read(silent, GREETING.length)).isEqualTo(GREETING);
            try (DescriptorExchange two = DescriptorExchange.open(address, LONG);
                    DescriptorExchange one = first.get()) {
                assertThat(one.isFirst()).isTrue();
                one.send("a", new byte[3]);
                assertThat(two.receive("a")).hasSize(3);
                // The exchange does not wait for the silent connection.
                assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
    }

    @Test
    void closesTheOldestOfTooManySilentConnections() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        PeerAcceptor acceptor = new PeerAcceptor(UnixSockets.listen(address), address, Deadline.after(LONG), LONG);
        FutureTask<SocketChannel> accepted = inBackground(acceptor::await);
        List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                silent.add(SocketChannel.open(address));
            }
            int closed = silent.size() - PeerAcceptor.MAX_PENDING;
            for (SocketChannel oldest : silent.subList(0, closed)) {
                assertThat(endsAfterAGreeting(oldest)).isTrue();
            }
            for (SocketChannel newest : silent.subList(closed, silent.size())) {
                assertThat(Message.read(newest, GREETING.length)).isEqualTo(GREETING);
            }
            try (SocketChannel peer = PeerChannel.byConnecting(address, Deadline.after(LONG))
                            .channel();
                    SocketChannel channel = accepted.get()) {
                assertThat(channel.isConnected()).isTrue();
                assertThat(peer.isConnected()).isTrue();
            }
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    /** Returns whether the other side ends a connection, on which it may have sent its greeting before. */
    private static boolean endsAfterAGreeting(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(GREETING.length + 1);
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = channel.read(bytes);
        }
        return read < 0;
    }

    /** Returns a listener whose calls of accept() from one to another fail. */
    private static ServerSocketChannel failing(int firstFailure, int lastFailure) throws IOException {
        return FailingListener.withoutDescriptors(listenAtFreePort(), firstFailure, lastFailure);
    }

    private static ServerSocketChannel listenAtFreePort() throws IOException {
        return ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), PeerChannel.BACKLOG);
    }

    @Test
    void acceptsThePeerAfterAFailure() throws Exception {
        try (ServerSocketChannel listener = failing(2, 4);
                SocketChannel silent = SocketChannel.open(listener.getLocalAddress())) {
            SocketAddress address = listener.getLocalAddress();
            PeerAcceptor acceptor = new PeerAcceptor(listener, address, Deadline.after(LONG), LONG);
            FutureTask<SocketChannel> accepted = inBackground(acceptor::await);
            // The first failure closes the pending connection; there is none at the others.
            assertThat(endsAfterAGreeting(silent)).isTrue();
            try (SocketChannel peer = PeerChannel.byConnecting(address, Deadline.after(LONG))
                            .channel();
                    SocketChannel channel = accepted.get()) {
                assertThat(channel.getRemoteAddress()).isEqualTo(peer.getLocalAddress());
            }
        }
    }

    @Test
    void reportsTheLastFailureToAcceptIfThePeerDoesNotConnect() throws IOException {
        try (ServerSocketChannel listener = failing(1, Integer.MAX_VALUE)) {
            SocketAddress address = listener.getLocalAddress();
            PeerAcceptor acceptor = new PeerAcceptor(listener, address, Deadline.after(SHORT));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(acceptor::await)
                    .withMessage("No peer has connected to " + ExchangeAddress.describe(address)
                            + " in time. The last connection could not be accepted: Too many open files")
                    .havingCause()
                    .isExactlyInstanceOf(IOException.class);
        }
    }

    @Test
    void reportsAtOnceTheErrorOfAHandshake() throws IOException {
        Error noMemory = new OutOfMemoryError("Java heap space");
        try (ServerSocketChannel listener = new FailingListener(
                        listenAtFreePort(), (wrapped, call) -> new FailingChannel(wrapped.accept(), noMemory));
                SocketChannel peer = SocketChannel.open(listener.getLocalAddress())) {
            SocketAddress address = listener.getLocalAddress();
            PeerAcceptor acceptor = new PeerAcceptor(listener, address, Deadline.after(Duration.ofDays(1)));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(acceptor::await)
                    .withMessage("The handshake at " + ExchangeAddress.describe(address)
                            + " has failed: java.lang.OutOfMemoryError: Java heap space")
                    .withCause(noMemory);
            assertThat(endsAfterAGreeting(peer)).isTrue();
        }
    }

    @Test
    void closesTheConnectionOfThePeerIfAnErrorEndsTheWait() throws Exception {
        Error noThread = new OutOfMemoryError("unable to create native thread");
        CountDownLatch waitingForMore = new CountDownLatch(1);
        try (ServerSocketChannel listener = new FailingListener(listenAtFreePort(), (wrapped, call) -> {
                    if (call == 1) {
                        return wrapped.accept();
                    }
                    waitingForMore.countDown();
                    // The handshake closes the listener when it has succeeded.
                    while (wrapped.isOpen()) {
                        Thread.onSpinWait();
                    }
                    throw noThread;
                });
                SocketChannel peer = SocketChannel.open(listener.getLocalAddress())) {
            PeerAcceptor acceptor = new PeerAcceptor(listener, listener.getLocalAddress(), Deadline.after(LONG), LONG);
            FutureTask<SocketChannel> accepted = inBackground(acceptor::await);
            waitingForMore.await();
            peer.write(ByteBuffer.wrap(GREETING));

            assertThatThrownBy(accepted::get).cause().isSameAs(noThread);
            assertThat(endsAfterAGreeting(peer)).isTrue();
        }
    }

    @Test
    void reportsTheLastStrangerIfThePeerDoesNotConnect() throws Exception {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> first =
                inBackground(() -> DescriptorExchange.open(address, Duration.ofSeconds(1)));
        try (SocketChannel garbage = connectAsStranger(address)) {
            garbage.write(ByteBuffer.wrap("GET / HTTP/1.1".getBytes(UTF_8)));
            String name = ExchangeAddress.describe(address);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(first::get)
                    .havingCause()
                    .isInstanceOf(SocketTimeoutException.class)
                    .withMessage(
                            "No peer has connected to " + name + " in time. The last connection was not the peer's:"
                                    + " The process at " + name
                                    + " is not a descriptor exchange: it has sent other bytes");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesAPeerOfAnotherVersionThatConnects() throws Exception {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> first = openInBackground(address);
        try (SocketChannel newer = connectAsStranger(address)) {
            newer.write(ByteBuffer.allocate(8).putInt(Handshake.MAGIC).putInt(2).flip());
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(first::get)
                    .havingCause()
                    .isInstanceOf(ProtocolException.class)
                    .withMessage("The peer at " + ExchangeAddress.describe(address)
                            + " uses version 2 of the descriptor exchange; this doca-java uses version 1");
        }
    }

    @Test
    void givesUpOnWhatSaysNothing() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> DescriptorExchange.open(mute.getLocalSocketAddress(), Duration.ofSeconds(1)))
                    .withMessage("The process at " + ExchangeAddress.describe(mute.getLocalSocketAddress())
                            + " has sent no handshake in time");
        }
    }

    private static byte[] message(int labelLength, int length, String rest) {
        byte[] bytes = rest.getBytes(UTF_8);
        return ByteBuffer.allocate(5 + bytes.length)
                .put((byte) labelLength)
                .putInt(length)
                .put(bytes)
                .array();
    }

    private void assertBroken(String reason, byte[]... parts) throws Exception {
        SocketAddress address = unix();
        byte[][] all = new byte[parts.length + 1][];
        all[0] = GREETING;
        System.arraycopy(parts, 0, all, 1, parts.length);
        FutureTask<Boolean> stranger = stranger(address, all);
        try (DescriptorExchange exchange = DescriptorExchange.open(address, LONG)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> exchange.receive("wanted"))
                    .withMessage(
                            "The peer at " + ExchangeAddress.describe(address) + " has not sent \"wanted\": " + reason);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> exchange.send("x", new byte[1]))
                    .withMessage(
                            "Cannot send \"x\" to the peer at " + ExchangeAddress.describe(address) + ": " + reason);
        }
        assertThat(stranger.get()).isTrue();
        Files.delete(folder.resolve("socket"));
    }

    @Test
    void refusesMessagesThatAreNone() throws Exception {
        assertBroken("it has sent a label of 0 bytes; a label has 1 to 64", message(0, 1, "x"));
        assertBroken("it has sent a label of 200 bytes; a label has 1 to 64", message(200, 1, "x"));
        assertBroken("it has sent a message of 1048577 bytes; the limit is 1048576", message(1, 1048577, ""));
        assertBroken("it has sent a message of 4294967295 bytes; the limit is 1048576", message(1, -1, ""));
        assertBroken("it has ended in the middle of a message", message(5, 10, "label123"));
        assertBroken("it has ended in the middle of a message", new byte[] {1, 0});
        assertBroken("it has sent \"a\" twice", message(1, 1, "ax"), message(1, 1, "ay"));
    }

    @Test
    void refusesMoreThanItKeeps() throws Exception {
        byte[][] many = new byte[257][];
        for (int i = 0; i < many.length; i++) {
            many[i] = message(3, 0, "%03d".formatted(i));
        }
        assertBroken("it has sent more than 256 messages or 4194304 bytes that were not received", many);
    }

    @Test
    void refusesWhatIsNoDescriptor() throws Exception {
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            one.send("memory", new byte[] {1, 2, 3});
            one.send("connection", new byte[0]);

            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> two.receiveExport("memory"))
                    .withMessage(
                            "The message \"memory\" of the peer cannot be used: Not an export of an Mmap: it begins"
                                    + " with other bytes; pass a bare descriptor to Mmap.fromDescriptor");
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> two.receiveConnection("connection"))
                    .withMessage(
                            "The message \"connection\" of the peer cannot be used: The details of an RDMA connection"
                                    + " have 1 to 65536 bytes, and not 0");
        }
    }

    /** A blocking connect would wait for room in the backlog, which is full. */
    @Test
    void listeningDoesNotWaitForAProcessThatDoesNotAccept() throws Exception {
        try (ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(unix(), 1);
            List<SocketChannel> waiting = new ArrayList<>();
            try {
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
                    while (true) {
                        waiting.add(SocketChannel.open(StandardProtocolFamily.UNIX));
                        waiting.getLast().configureBlocking(false);
                        waiting.getLast().connect(unix());
                    }
                });

                assertThatExceptionOfType(BindException.class)
                        .isThrownBy(() -> DescriptorExchange.listen(unix(), LONG))
                        .withMessageEndingWith(": Address already in use");
            } finally {
                for (SocketChannel channel : waiting) {
                    channel.close();
                }
            }
        }
    }

    @Test
    void refusesArgumentsOutOfRange() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DescriptorExchange.open(unix(), Duration.ZERO))
                .withMessage("A timeout is more than zero, and not PT0S");
        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> DescriptorExchange.open(InetSocketAddress.createUnresolved("nowhere", 1), LONG))
                .withMessage("There is no host nowhere");
        SocketAddress address = unix();
        FutureTask<DescriptorExchange> other = openInBackground(address);
        try (DescriptorExchange one = DescriptorExchange.open(address, LONG);
                DescriptorExchange two = other.get()) {
            for (String label : new String[] {"", "ä", "a b", "x".repeat(65)}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> one.send(label, new byte[1]))
                        .withMessage("A label has 1 to 64 letters, digits, dots, underscores and dashes, and is not \""
                                + label + "\"");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> two.send("a", new byte[1048577]))
                    .withMessage("A message has 1048576 bytes at most, and not 1048577");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "[::1]:65535", "unix:/tmp/a:b"})
    void readsAddresses(String text) {
        assertThat(ExchangeAddress.describe(DescriptorExchange.address(text)))
                .isEqualTo(text.replace("[::1]", "[0:0:0:0:0:0:0:1]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tmfifo_net0", "enP2p1s0f0np0", "br-lan", "2"})
    void readsLinkLocalAddresses(String zone) {
        assertThat(DescriptorExchange.address("[fe80::1%" + zone + "]:18515"))
                .asInstanceOf(InstanceOfAssertFactories.type(InetSocketAddress.class))
                .satisfies(address -> {
                    assertThat(address.getHostString()).contains("fe80:");
                    assertThat(address.getPort()).isEqualTo(18515);
                });
    }

    @Test
    void readsTheAddressOfAllNetworks() {
        assertThat(DescriptorExchange.address(":18515")).isEqualTo(new InetSocketAddress(18515));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "host:",
                "host:0",
                "host:65536",
                "host:123456",
                "a b:1",
                "::1:5",
                "unix:",
                "host:-1",
                "[zz]:7",
                "[::g]:5",
                "[1.2.3.4]:5",
                "[fe80::1%]:5",
                "[fe80::1%a b]:5"
            })
    void refusesTextsThatAreNoAddress(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DescriptorExchange.address(text))
                .withMessage(
                        "\"" + text + "\" is not an address: use host:port, [IPv6]:port or :port, with a port from 1"
                                + " to 65535, or unix:path");
    }
}
