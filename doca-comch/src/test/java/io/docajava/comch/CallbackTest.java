/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the calls that callbacks of a server may and may not make. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class CallbackTest extends CompletionModes {

    private static PeerJvm host;

    private ServerLab lab;
    private CommConnection connection;

    @BeforeAll
    static void startHost() {
        host = Peer.start(DocaEmulator.Role.HOST);
    }

    @AfterAll
    static void endHost() {
        host.close();
    }

    @BeforeEach
    void connect() throws InterruptedException {
        lab = new ServerLab();
        connection = lab.connect(host);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    /** Makes the client send a text, and waits until the server has received it. */
    private void receive(String text) throws InterruptedException {
        host.send("send " + lab.name + " " + text);
        assertThat(lab.next()).isEqualTo("message " + text);
        assertThat(host.receive(lab.engine)).startsWith("sent ");
    }

    /** Makes the client reconnect after it has noticed the end of its connection. */
    private void reconnect() throws InterruptedException {
        assertThat(host.ask("event " + lab.name)).isEqualTo("disconnected PEER");
        assertThat(host.ask("restart " + lab.name)).isEqualTo("done");
        assertThat(lab.next()).isEqualTo("connected");
        assertThat(host.ask("event " + lab.name)).isEqualTo("connected");
    }

    /** Returns the reported exceptions, and forgets them. */
    private List<Throwable> reported() {
        List<Throwable> reported = List.copyOf(lab.reported);
        lab.reported.clear();
        return reported;
    }

    @Test
    void anExceptionOfAMessageHandlerIsReportedAndTheNextMessageIsDelivered() throws Exception {
        IllegalStateException thrown = new IllegalStateException("thrown by a handler");
        lab.events.reaction = (by, message) -> {
            throw thrown;
        };
        receive("first");
        receive("second");

        assertThat(reported()).containsExactly(thrown, thrown);
        assertThat(connection.isConnected()).isTrue();
    }

    @Test
    void anErrorOfAMessageHandlerIsReported() throws Exception {
        AssertionError thrown = new AssertionError("thrown by a handler");
        lab.events.reaction = (by, message) -> {
            throw thrown;
        };
        receive("first");

        assertThat(reported()).containsExactly(thrown);
        assertThat(connection.isConnected()).isTrue();
    }

    @Test
    void anExceptionOfASendHandlerIsReportedAndItsTaskIsFree() throws Exception {
        IllegalStateException thrown = new IllegalStateException("thrown by a handler");
        for (int i = 0; i < 2 * lab.comm.limits().maxSends(); i++) {
            connection.send(ServerLab.bytes("text"), (end, failure) -> {
                throw failure == null ? thrown : failure;
            });
            int count = i + 1;
            assertThat(lab.engine.await(() -> lab.reported.size() == count, ServerLab.SOON))
                    .as("waits for the reports of all callbacks")
                    .isTrue();
        }

        assertThat(reported()).containsOnly(thrown);
    }

    @Test
    void aSendHandlerMaySendUntilNoTaskIsFree() throws Exception {
        Flood flood = new Flood();
        flood.begin(connection);

        assertThat(lab.engine.await(flood::isOver, ServerLab.SOON))
                .as("waits for the end of the flood")
                .isTrue();

        assertThat(flood.refusal())
                .isInstanceOf(ResourceExhaustedException.class)
                .hasMessage(lab.server
                        + " has no free task to send: all 8 are in use; progress until one completes, or raise"
                        + " maxSends()");
        for (int i = 0; i < Flood.MESSAGES; i++) {
            assertThat(host.ask("event " + lab.name)).isEqualTo("message " + i);
        }
        assertThat(lab.comm.inFlight()).isZero();
    }

    @Test
    void aSendHandlerMaySendUntilThePeerHasNoRoom() throws Exception {
        connection.disconnect();
        assertThat(lab.next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(host.ask("echo " + lab.name + " 4")).isEqualTo("started");
        assertThat(lab.next()).isEqualTo("connected");
        Flood flood = new Flood();
        // The peer takes nothing meanwhile.
        host.suspend();
        try {
            flood.begin(lab.connection());
            assertThat(lab.engine.await(() -> flood.refusal() != null, ServerLab.SOON))
                    .as("waits for the first refusal")
                    .isTrue();
        } finally {
            host.resume();
        }
        assertThat(lab.engine.await(() -> flood.goesOn(lab.connection()), ServerLab.SOON))
                .as("waits for the end of the flood")
                .isTrue();

        assertThat(flood.refusal())
                .isInstanceOfSatisfying(
                        DocaCallException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(DocaError.AGAIN))
                .hasMessageEndingWith(": the peer's receive queue is full; progress until a send completes");
        for (int i = 0; i < Flood.MESSAGES; i++) {
            assertThat(lab.next()).isEqualTo("message " + i);
        }
    }

    @Test
    void aMessageHandlerMayCloseTheServer() throws Exception {
        lab.events.reaction = (by, message) -> lab.comm.close();
        receive("close");

        assertThat(lab.next()).isEqualTo("disconnected STOPPED");
        assertThat(connection.disconnectReason()).contains(DisconnectReason.STOPPED);
        assertThat(lab.comm.state()).isEqualTo(ContextState.IDLE);
        assertThat(host.ask("event " + lab.name)).isEqualTo("disconnected PEER");
    }

    @Test
    void aMessageHandlerMayEndTheConnection() throws Exception {
        lab.events.reaction = (by, message) -> by.disconnect();
        receive("leave");

        assertThat(lab.next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
        reconnect();
    }

    @Test
    void aMessageHandlerMayStopTheServerAndRestartIt() throws Exception {
        lab.events.reaction = (by, message) -> {
            lab.comm.stop();
            lab.comm.restart();
        };
        receive("restart");

        assertThat(lab.next()).isEqualTo("disconnected STOPPED");
        assertThat(connection.disconnectReason()).contains(DisconnectReason.STOPPED);
        assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
        assertThat(lab.comm.connections()).isEmpty();
        reconnect();
        assertThat(lab.comm.connections()).containsExactly(lab.connection());
    }

    @Test
    void aListenerMayRefuseConnections() throws Exception {
        connection.disconnect();
        assertThat(lab.next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(host.ask("event " + lab.name)).isEqualTo("disconnected PEER");
        lab.comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void connected(CommConnection unwanted) {
                unwanted.disconnect();
            }
        });

        assertThat(host.ask("restart " + lab.name)).isEqualTo("done");

        assertThat(lab.next()).isEqualTo("connected");
        assertThat(lab.next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(lab.comm.connections()).isEmpty();
    }

    @Test
    void aSendHandlerMayCloseTheServer() throws Exception {
        Completion<Long> sent = connection.send(ServerLab.bytes("last"));
        CompletableFuture<Void> closed = sent.thenRun(lab.comm::close);

        assertThat(lab.get(sent)).isEqualTo(4);

        assertThat(closed).isCompleted();
        assertThat(lab.next()).isEqualTo("disconnected STOPPED");
        assertThatIllegalStateException()
                .isThrownBy(() -> connection.send(ServerLab.bytes("too late")))
                .withMessage(lab.server + " is closed");
    }

    @Test
    void aListenerMayRestartTheServer() throws Exception {
        lab.comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void disconnected(CommConnection over, DisconnectReason reason) {
                lab.comm.removeConnectionListener(this);
                lab.comm.restart();
            }
        });

        lab.comm.stop();

        assertThat(lab.next()).isEqualTo("disconnected STOPPED");
        assertThat(lab.comm.state()).isEqualTo(ContextState.RUNNING);
        reconnect();
        receive("again");
    }

    @Test
    void aCallbackCannotRestartWhatRuns() throws Exception {
        lab.events.reaction = (by, message) -> lab.comm.restart();
        receive("restart");

        assertThat(reported())
                .singleElement()
                .isInstanceOf(IllegalStateException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo(lab.server + " is running already");
    }

    @Test
    void aCallbackCannotWait() throws Exception {
        Completion<DisconnectReason> end = connection.whenDisconnected();
        List<Completion<Long>> sends = new ArrayList<>();
        List<MessageHandler> waits = List.of(
                (by, message) -> lab.engine.progress(),
                (by, message) -> interruptible(() -> end.await()),
                (by, message) -> interruptible(() -> {
                    sends.add(by.send(message.bytes()));
                    lab.comm.drain(Duration.ofSeconds(1));
                    return true;
                }));
        for (MessageHandler wait : waits) {
            lab.events.reaction = wait;
            receive("wait");
        }

        assertThat(reported())
                .hasSize(waits.size())
                .allMatch(IllegalStateException.class::isInstance)
                .extracting(Throwable::getMessage)
                .allMatch(text -> text.endsWith(
                        " is delivering completions: a callback cannot progress or wait, it can submit and return"));
        assertThat(lab.get(sends.getFirst())).isEqualTo(4);
    }

    private static void interruptible(Callable<?> wait) {
        try {
            wait.call();
        } catch (RuntimeException refusal) {
            throw refusal;
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void aCallbackCannotCloseWhatItsConnectionNeeds() throws Exception {
        lab.events.reaction = (by, message) -> lab.engine.close();
        receive("engine");
        lab.events.reaction = (by, message) -> lab.device.close();
        receive("device");

        assertThat(reported())
                .hasSize(2)
                .allMatch(IllegalStateException.class::isInstance)
                .extracting(Throwable::getMessage)
                .satisfiesExactly(
                        text -> assertThat(text).endsWith(" is delivering completions: a callback cannot close it"),
                        text -> assertThat(text)
                                .startsWith("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: "));
    }

    @Test
    void objectsThatAConnectionNeedsCannotBeClosed() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(lab.engine::close)
                .withMessageEndingWith(" cannot be closed while in use by: " + lab.server);
        assertThatIllegalStateException()
                .isThrownBy(lab.representor::close)
                .withMessage(lab.representor + " cannot be closed while in use by: " + lab.server);
        assertThatIllegalStateException()
                .isThrownBy(lab.device::close)
                .withMessageStartingWith("Device 0000:03:00.0 (mlx5_0) cannot be closed while in use by: ")
                .withMessageContaining(lab.server);

        receive("nevertheless");
    }

    @Test
    void aCallbackCannotStartAnotherServerOfTheName() throws Exception {
        lab.events.reaction = (by, message) ->
                CommServer.builder(lab.device, lab.representor, lab.name).start(lab.engine, lab.events);
        receive("start");

        assertThat(reported())
                .singleElement()
                .isInstanceOfSatisfying(
                        DocaCallException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(DocaError.CONNECTION_ABORTED));
        lab.events.reaction = (by, message) -> {};
        receive("go-on");
    }

    @Test
    void aMessageStaysWhatItIs() throws Exception {
        receive("first");
        CommMessage first = Objects.requireNonNull(lab.events.message);
        receive("other");
        lab.comm.close();
        lab.engine.close();

        assertThat(first.text()).isEqualTo("first");
        assertThat(first.bytes()).isEqualTo(ServerLab.bytes("first"));
    }

    @Test
    void aConnectionCanBeAskedWhenAllIsClosed() {
        lab.comm.close();
        lab.engine.close();

        assertThat(connection.isConnected()).isFalse();
        assertThat(connection.disconnectReason()).contains(DisconnectReason.STOPPED);
        assertThat(connection.endpoint()).isSameAs(lab.comm);
        connection.disconnect();
        assertThatIllegalStateException()
                .isThrownBy(() -> connection.send(ServerLab.bytes("too late")))
                .withMessage(lab.server + " is closed");
    }
}
