/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a server with clients in a process on the host. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class ConnectionTest extends CompletionModes {

    private static final String PEER_GONE =
            "the peer has gone: it has disconnected or stopped, or its process has ended";

    private static PeerJvm host;

    private ServerLab lab;

    @BeforeAll
    static void startHost() {
        host = Peer.start(DocaEmulator.Role.HOST);
    }

    @AfterAll
    static void endHost() {
        host.close();
    }

    @BeforeEach
    void open() {
        lab = new ServerLab();
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private String ask(String question) throws InterruptedException {
        return host.ask(question.replace("NAME", lab.name));
    }

    private static byte[] bytes(String text) {
        return ServerLab.bytes(text);
    }

    @Test
    void messagesGoBothWays() throws Exception {
        CommConnection connection = lab.connect(host);
        assertThat(lab.comm.connections()).containsExactly(connection);
        assertThat(connection).hasToString("Connection 1 of the " + lab.server);
        assertThat(connection.endpoint()).isSameAs(lab.comm);
        assertThat(connection.isConnected()).isTrue();
        assertThat(connection.disconnectReason()).isEmpty();

        Completion<Long> send = connection.send(bytes("ping"));

        assertThat(lab.comm.inFlight()).isEqualTo(1);
        assertThat(ask("event NAME")).isEqualTo("message ping");
        assertThat(lab.get(send)).isEqualTo(4);
        assertThat(lab.comm.stats()).isEqualTo(new ContextStats(0, 0, 1, 0, 4, 0, Duration.ZERO));
        host.send("send " + lab.name + " pong");
        assertThat(lab.next()).isEqualTo("message pong");
        CommMessage message = Objects.requireNonNull(lab.events.message);
        assertThat(message.length()).isEqualTo(4);
        assertThat(message.bytes()).isEqualTo(bytes("pong"));
        assertThat(message.buffer().isReadOnly()).isTrue();
        assertThat(message).hasToString("A message of 4 bytes");
        assertThat(message.mmapExport()).isEmpty();
        assertThat(message.syncEventExport()).isEmpty();
        assertThat(host.receive(lab.engine)).isEqualTo("sent 4");
    }

    @Test
    void messagesKeepTheirOrder() throws Exception {
        lab.connect(host);
        host.send("burst " + lab.name + " 300");

        for (int i = 0; i < 300; i++) {
            assertThat(lab.next()).isEqualTo("message " + i);
        }
        assertThat(host.receive(lab.engine)).isEqualTo("sent 300");
    }

    @Test
    void aMessageHasFromOneToTheMostBytes() throws Exception {
        CommConnection connection = lab.connect(host);
        assertThat(lab.comm.limits().maxMessageSize()).isEqualTo(2048);

        assertThat(lab.get(connection.send(bytes("x".repeat(2048))))).isEqualTo(2048);
        assertThat(ask("event NAME")).isEqualTo("message " + "x".repeat(2048));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connection.send(new byte[2049]))
                .withMessage("A message of the " + lab.server + " has 1 to 2048 bytes, and not 2049");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connection.send(new byte[0], new Ends()))
                .withMessage("A message of the " + lab.server + " has 1 to 2048 bytes, and not 0");
    }

    @Test
    void anyMemoryCanBeSentAndUsedAgainAtOnce() throws Exception {
        CommConnection connection = lab.connect(host);
        Completion<Long> send;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom("native");
            send = connection.send(text.asSlice(0, 6));
            text.fill((byte) 'x');
        }
        assertThat(ask("event NAME")).isEqualTo("message native");
        assertThat(lab.get(send)).isEqualTo(6);

        Arena closed = Arena.ofConfined();
        MemorySegment gone = closed.allocate(8);
        closed.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> connection.send(gone))
                .withMessage("Already closed");
        assertThat(lab.comm.inFlight()).isZero();
    }

    @Test
    void aHandlerIsCalledInPlaceOfAFuture() throws Exception {
        CommConnection connection = lab.connect(host);
        Ends ends = new Ends();

        for (int i = 0; i < 8; i++) {
            connection.send(bytes("message-" + i), ends);
        }
        assertThatExceptionOfType(ResourceExhaustedException.class)
                .isThrownBy(() -> connection.send(bytes("one too many"), ends))
                .withMessage(lab.server
                        + " has no free task to send: all 8 are in use; progress until one completes, or raise"
                        + " maxSends()");

        assertThat(lab.engine.await(() -> ends.lengths.size() == 8, ServerLab.SOON))
                .as("waits for the ends of 8 sends")
                .isTrue();
        assertThat(ends.lengths).containsOnly(9L);
        assertThat(ends.failure).isNull();
    }

    @Test
    void aPeerWithoutRoomIsReported() throws Exception {
        assertThat(ask("echo NAME 1")).isEqualTo("started");
        assertThat(lab.next()).isEqualTo("connected");
        CommConnection connection = lab.connection();
        Completion<Long> first = connection.send(bytes("first"));
        Completion<Long> waiting = connection.send(bytes("waiting"));

        assertThat(connection.send(bytes("third")).exceptionNow())
                .isInstanceOf(DocaException.class)
                .hasMessage("Sending 5 bytes on " + connection
                        + ": doca_task_submit failed with DOCA_ERROR_AGAIN (Resource temporarily unavailable, try again): the peer's"
                        + " receive queue is full; progress until a send completes")
                .extracting(failure -> ((DocaCallException) failure).error())
                .isEqualTo(DocaError.AGAIN);

        assertThat(lab.get(first)).isEqualTo(5);
        assertThat(lab.next()).isEqualTo("message first");
        assertThat(lab.get(waiting)).isEqualTo(7);
        assertThat(lab.next()).isEqualTo("message waiting");
        assertThat(lab.get(connection.send(bytes("third")))).isEqualTo(5);
        assertThat(lab.next()).isEqualTo("message third");
    }

    @Test
    void aClientLeaves() throws Exception {
        CommConnection connection = lab.connect(host);
        Completion<DisconnectReason> end = connection.whenDisconnected();
        host.send("send " + lab.name + " bye");
        assertThat(lab.next()).isEqualTo("message bye");
        assertThat(host.receive(lab.engine)).isEqualTo("sent 3");

        assertThat(ask("close NAME")).isEqualTo("done");

        assertThat(lab.next()).isEqualTo("disconnected PEER");
        assertThat(lab.get(end)).isEqualTo(DisconnectReason.PEER);
        assertThat(lab.get(connection.whenDisconnected())).isEqualTo(DisconnectReason.PEER);
        assertThat(connection.isConnected()).isFalse();
        assertThat(connection.disconnectReason()).contains(DisconnectReason.PEER);
        assertThat(lab.comm.connections()).isEmpty();
        assertThat(connection.send(bytes("too late")).exceptionNow())
                .isExactlyInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended: the peer has disconnected or exited");
        connection.disconnect();
        assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
    }

    @Test
    void aSendToAKilledPeerSaysThatItHasGone() throws Exception {
        try (PeerJvm other = Peer.start(DocaEmulator.Role.HOST)) {
            assertThat(other.ask("echo " + lab.name + " 1")).isEqualTo("started");
            assertThat(lab.next()).isEqualTo("connected");
            CommConnection connection = lab.connection();
            other.suspend();
            Completion<Long> taken = connection.send(bytes("taken"));
            Completion<Long> send = connection.send(bytes("never handled"));
            other.kill();

            assertThat(lab.get(taken)).isEqualTo(5);
            assertThatThrownBy(() -> lab.get(send))
                    .isExactlyInstanceOf(TaskFailedException.class)
                    .hasMessage("Sending 13 bytes on " + connection
                            + ": doca_comch_task_send failed with DOCA_ERROR_CONNECTION_ABORTED (Connection aborted): "
                            + PEER_GONE);
            assertThat(lab.next()).isEqualTo("disconnected PEER");
        }
    }

    /** A peer that has ended since the last progress. */
    @Test
    @SuppressWarnings("try")
    void aRefusedSendSaysThatThePeerHasGoneAfterWhatTheSdkSays() throws Exception {
        CommConnection connection = lab.connect(host);
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .failCall("doca_task_submit", 1, "CONNECTION_RESET")
                .inject()) {
            assertThat(connection.send(bytes("late")).exceptionNow())
                    .isExactlyInstanceOf(DocaCallException.class)
                    .hasMessageStartingWith("Sending 4 bytes on " + connection
                            + ": doca_task_submit failed with DOCA_ERROR_CONNECTION_RESET (")
                    .hasMessageEndingWith("; " + PEER_GONE);
        }
    }

    /** The SDK may refuse to disconnect a client. It then leaves by itself. */
    @Test
    @SuppressWarnings("try")
    void aClientLeavesAfterARefusedDisconnect() throws Exception {
        CommConnection connection = lab.connect(host);
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .failCall("doca_comch_server_disconnect", 1, "AGAIN")
                .inject()) {
            assertThatThrownBy(connection::disconnect)
                    .isInstanceOf(DocaCallException.class)
                    .hasMessageContaining("doca_comch_server_disconnect failed with DOCA_ERROR_AGAIN");
        }
        assertThat(connection.isConnected()).isTrue();
        assertThat(lab.get(connection.send(bytes("stay")))).isEqualTo(4);
        assertThat(ask("event NAME")).isEqualTo("message stay");

        assertThat(ask("close NAME")).isEqualTo("done");

        assertThat(lab.next()).isEqualTo("disconnected PEER");
    }

    @Test
    void theServerDisconnects() throws Exception {
        CommConnection connection = lab.connect(host);

        connection.disconnect();

        assertThat(lab.next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(ask("event NAME")).isEqualTo("disconnected PEER");
        assertThat(connection.send(bytes("too late")).exceptionNow())
                .isExactlyInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended: this side has disconnected");
        assertThat(ask("restart NAME")).isEqualTo("done");
        assertThat(lab.next()).isEqualTo("connected");
        assertThat(lab.connection()).hasToString("Connection 2 of the " + lab.server);
    }

    @Test
    void theServerStopsAndStartsAgain() throws Exception {
        CommConnection connection = lab.connect(host);

        lab.comm.stop();

        assertThat(lab.next()).isEqualTo("disconnected STOPPED");
        assertThat(ask("event NAME")).isEqualTo("disconnected PEER");
        assertThat(connection.send(bytes("too late")).exceptionNow())
                .isExactlyInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended: its server or client was stopped");
        lab.comm.restart();
        assertThat(ask("restart NAME")).isEqualTo("done");
        assertThat(lab.next()).isEqualTo("connected");
    }

    @Test
    void sendsWithoutRoomFailWhenTheServerDisconnects() throws Exception {
        assertThat(ask("echo NAME 1")).isEqualTo("started");
        assertThat(lab.next()).isEqualTo("connected");
        CommConnection connection = lab.connection();
        host.suspend();
        try {
            Completion<Long> taken = connection.send(bytes("taken"));
            Completion<Long> send = connection.send(bytes("never handled"));

            connection.disconnect();

            assertThat(lab.get(taken)).isEqualTo(5);

            assertThatThrownBy(() -> lab.get(send))
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageStartingWith(
                            "Sending 13 bytes on " + connection + ": doca_comch_task_send failed with ");
            assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.comm.failure()).isEmpty();
        } finally {
            host.resume();
        }
    }

    @Test
    void aClientIsKilled() throws Exception {
        try (PeerJvm killed = Peer.start(DocaEmulator.Role.HOST)) {
            CommConnection connection = lab.connect(killed);
            assertThat(lab.get(connection.send(bytes("last words")))).isEqualTo(10);

            killed.kill();
            Ends ends = new Ends();
            int submitted = 0;
            while (connection.isConnected()) {
                try {
                    connection.send(bytes("nobody there"), ends);
                    submitted++;
                } catch (IllegalStateException | DocaException expected) {
                    lab.engine.progress();
                }
            }

            assertThat(lab.next()).isEqualTo("disconnected PEER");
            assertThat(ends.lengths).isEmpty();
            assertThat(ends.failures).isEqualTo(submitted);
        }
    }

    @Test
    void anExportOfMemoryGoesByOneCall() throws Exception {
        lab.connect(host);
        host.send("export " + lab.name + " 8192");
        assertThat(lab.next()).startsWith("message ");
        assertThat(host.receive(lab.engine)).isEqualTo("exported");

        MmapExport export =
                Objects.requireNonNull(lab.events.message).mmapExport().orElseThrow();

        assertThat(export.length()).isEqualTo(8192);
        try (Mmap remote = Mmap.fromExport(lab.device, export)) {
            assertThat(remote.byteSize()).isEqualTo(8192);
        }
    }

    @Test
    void anExportOfASyncEventGoesByOneCall() throws Exception {
        assertThat(ask("echo NAME 4")).isEqualTo("started");
        assertThat(lab.next()).isEqualTo("connected");
        SyncEventExport export = SyncEventExport.of(SyncEventExport.Kind.PCI, new byte[64]);

        lab.get(lab.connection().sendExport(export));

        assertThat(lab.next()).startsWith("message ");
        CommMessage message = Objects.requireNonNull(lab.events.message);
        assertThat(message.syncEventExport()).contains(export);
        assertThat(message.mmapExport()).isEmpty();
    }

    @Test
    void anExportThatIsTooLongIsRefused() throws Exception {
        CommConnection connection = lab.connect(host);
        MmapExport longest = MmapExport.of(new byte[2012], 0x1000, 16);
        MmapExport longer = MmapExport.of(new byte[2013], 0x1000, 16);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> connection.sendExport(longer))
                .withMessage(
                        "Export of 16 bytes at 0x1000 with access unknown, descriptor of 2013 bytes is 2049 bytes to"
                                + " send, and a message of the " + lab.server + " has 2048 at most");
        assertThat(lab.get(connection.sendExport(longest))).isEqualTo(2048);
    }

    @Test
    void manyConnectionsMayBeEndedByOneCallback() throws Exception {
        List<CommConnection> senders = new ArrayList<>();
        List<CommConnection> ended = new ArrayList<>();
        lab.events.reaction = (by, message) -> {
            senders.add(by);
            if (senders.size() == 64) {
                ended.addAll(lab.comm.connections());
                ended.forEach(CommConnection::disconnect);
            }
        };
        host.send("crowd " + lab.name + " 64");

        assertThat(lab.engine.await(() -> !ended.isEmpty(), ServerLab.SOON))
                .as("waits for the end of the connection")
                .isTrue();

        assertThat(host.receive()).isEqualTo("64 left");
        assertThat(ended).containsExactlyInAnyOrderElementsOf(senders).noneMatch(CommConnection::isConnected);
        assertThat(lab.comm.connections()).isEmpty();
        assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
    }

    @Test
    void exceptionsOfHandlersAreReported() throws Exception {
        lab.connect(host);
        IllegalStateException thrown = new IllegalStateException("thrown by a listener");
        lab.comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void disconnected(CommConnection connection, DisconnectReason reason) {
                throw thrown;
            }
        });

        assertThat(ask("close NAME")).isEqualTo("done");

        assertThat(lab.next()).isEqualTo("disconnected PEER");
        assertThat(lab.reported).containsExactly(thrown);
        lab.reported.clear();
    }

    @Test
    void theServerCanBeClosedByItsHandler() throws Exception {
        CommConnection connection = lab.connect(host);
        lab.comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void disconnected(CommConnection over, DisconnectReason reason) {
                lab.comm.close();
            }
        });

        connection.disconnect();

        assertThat(lab.comm.state()).isEqualTo(ContextState.IDLE);
        assertThatIllegalStateException().isThrownBy(lab.comm::connections).withMessageEndingWith(" is closed");
    }

    @Test
    void othersThreadsAreRefused() throws Exception {
        CommConnection connection = lab.connect(host);

        assertThat(Foreign.thrownBy(() -> connection.send(bytes("from elsewhere"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to thread");
        assertThat(Foreign.thrownBy(connection::disconnect)).isInstanceOf(IllegalStateException.class);
        assertThat(Foreign.thrownBy(connection::whenDisconnected)).isInstanceOf(IllegalStateException.class);
    }

    /** Records the results of sends. */
    private static final class Ends implements Handler<SendEnd> {

        final List<Long> lengths = new ArrayList<>();
        int failures;

        @Nullable
        TaskFailedException failure;

        @Override
        public void ended(SendEnd end, @Nullable TaskFailedException reason) {
            if (reason == null) {
                lengths.add(end.bytes());
            } else {
                failures++;
                failure = reason;
            }
        }
    }
}
