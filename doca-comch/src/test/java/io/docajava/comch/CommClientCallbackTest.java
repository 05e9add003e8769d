/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the calls that callbacks of a client may make. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@EnabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
@SuppressWarnings("NullAway.Init") // each test starts the client first
class CommClientCallbackTest extends CompletionModes {

    private static PeerJvm dpu;

    private final String name = ServerLab.uniqueName();
    private final Events events = new Events();
    private final List<Throwable> reported = new ArrayList<>();
    private Device device;
    private ProgressEngine engine;
    private CommClient comm;

    @BeforeAll
    static void startDpu() {
        dpu = Peer.start(DocaEmulator.Role.DPU);
    }

    @AfterAll
    static void endDpu() {
        dpu.close();
    }

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("0b:00.0"));
        engine = ProgressEngine.create();
        engine.errorHandler(reported::add);
    }

    @AfterEach
    void close() {
        comm.close();
        engine.close();
        device.close();
        assertThat(reported).isEmpty();
    }

    private void start() {
        comm = CommClient.builder(device, name).connectionListener(events).start(engine, events);
    }

    private CommConnection connect() throws Exception {
        startServer();
        start();
        CommConnection connection = get(comm.whenConnected());
        assertThat(next()).isEqualTo("connected");
        assertThat(dpu.ask("event " + name)).isEqualTo("connected");
        return connection;
    }

    private void startServer() throws InterruptedException {
        startServer(2048);
    }

    private void startServer(int maxMessageSize) throws InterruptedException {
        assertThat(dpu.ask("server " + name + " " + maxMessageSize)).isEqualTo("started");
    }

    private void closeServer() throws InterruptedException {
        assertThat(dpu.ask("close " + name)).isEqualTo("done");
    }

    private String next() throws InterruptedException {
        return engine.await(() -> events.size() > 0, ServerLab.SOON) ? events.next() : "nothing";
    }

    private <T> T get(Completion<T> completion) throws Exception {
        return completion.await(ServerLab.SOON);
    }

    /** Makes the server send a text, and waits until the client has received it. */
    private void receive(String text) throws InterruptedException {
        dpu.send("send " + name + " " + text);
        assertThat(next()).isEqualTo("message " + text);
        assertThat(dpu.receive(engine)).startsWith("sent ");
    }

    @Test
    void aListenerMayRestartTheClient() throws Exception {
        CommConnection first = connect();
        List<Completion<CommConnection>> asked = new ArrayList<>();
        comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void disconnected(CommConnection over, DisconnectReason reason) {
                if (asked.isEmpty()) {
                    comm.restart();
                    asked.add(comm.whenConnected());
                }
            }
        });

        assertThat(dpu.ask("disconnect " + name)).isEqualTo("done");

        assertThat(next()).isEqualTo("disconnected PEER");
        assertThat(next()).isEqualTo("connected");
        CommConnection second = get(asked.getFirst());
        assertThat(second).isNotSameAs(first).isSameAs(get(comm.whenConnected()));
        assertThat(comm.connections()).containsExactly(second);
        assertThat(get(second.send(ServerLab.bytes("again")))).isEqualTo(5);
        closeServer();
    }

    @Test
    void aListenerMayTryAgain() throws Exception {
        startServer(1000);
        start();
        List<DocaException> failures = new ArrayList<>();
        comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void connectionFailed(CommEndpoint endpoint, DocaException failure) {
                failures.add(failure);
                if (failures.size() < 3) {
                    comm.restart();
                }
            }
        });
        Completion<CommConnection> first = comm.whenConnected();

        assertThat(engine.await(() -> failures.size() == 3, ServerLab.SOON))
                .as("waits for three failures")
                .isTrue();
        closeServer();
        startServer();
        comm.restart();

        CommConnection connection = get(connectedAtLast());
        assertThat(comm.connections()).containsExactly(connection);
        assertThatThrownBy(() -> get(first)).hasMessage(failures.getFirst().getMessage());
        closeServer();
    }

    /** Returns the connection of the last attempt. */
    private Completion<CommConnection> connectedAtLast() throws InterruptedException {
        assertThat(engine.await(() -> comm.state() == ContextState.RUNNING, ServerLab.SOON))
                .as("waits for the connection of the client")
                .isTrue();
        return comm.whenConnected();
    }

    @Test
    void aListenerIsCalledWhenTheConnectionEnds() throws Exception {
        CommConnection connection = connect();
        List<Completion<CommConnection>> asked = new ArrayList<>();
        comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void disconnected(CommConnection over, DisconnectReason reason) {
                asked.add(comm.whenConnected());
            }
        });

        connection.disconnect();

        assertThatThrownBy(() -> get(asked.getFirst()))
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended");
        closeServer();
    }

    @Test
    void aMessageHandlerMayStopTheClientAndRestartIt() throws Exception {
        CommConnection first = connect();
        events.reaction = (by, message) -> {
            comm.stop();
            comm.restart();
        };
        receive("restart");

        assertThat(next()).isEqualTo("disconnected STOPPED");
        assertThat(first.disconnectReason()).contains(DisconnectReason.STOPPED);
        assertThat(next()).isEqualTo("connected");
        assertThat(comm.connections()).containsExactly(get(comm.whenConnected()));
        closeServer();
    }

    @Test
    void aMessageHandlerMayEndTheConnectionAndRestartTheClient() throws Exception {
        CommConnection first = connect();
        List<Completion<CommConnection>> asked = new ArrayList<>();
        events.reaction = (by, message) -> {
            by.disconnect();
            comm.restart();
            asked.add(comm.whenConnected());
        };
        receive("restart");

        assertThat(next()).isEqualTo("disconnected DISCONNECTED");
        assertThat(first.disconnectReason()).contains(DisconnectReason.DISCONNECTED);
        assertThat(next()).isEqualTo("connected");
        assertThat(get(asked.getFirst())).isNotSameAs(first).isSameAs(events.connection);
        closeServer();
    }

    @Test
    void aMessageHandlerMayCloseTheClient() throws Exception {
        CommConnection connection = connect();
        events.reaction = (by, message) -> comm.close();
        receive("close");

        assertThat(next()).isEqualTo("disconnected STOPPED");
        assertThatIllegalStateException()
                .isThrownBy(() -> connection.send(ServerLab.bytes("too late")))
                .withMessage(comm + " is closed");
        assertThat(dpu.ask("event " + name)).isEqualTo("disconnected PEER");
        closeServer();
    }

    @Test
    void aCallbackOfTheConnectionMayCloseTheClient() throws Exception {
        startServer();
        start();
        Completion<CommConnection> connected = comm.whenConnected();
        CompletableFuture<Void> closed = connected.thenRun(comm::close);

        assertThat(get(connected)).hasToString("Connection 1 of the " + comm);
        assertThat(closed).isCompleted();

        assertThat(next()).isEqualTo("connected");
        assertThat(next()).isEqualTo("disconnected STOPPED");
        closeServer();
    }

    @Test
    void aListenerMayCloseTheClientThatIsRefused() throws Exception {
        startServer(1000);
        start();
        comm.addConnectionListener(new CommConnectionListener() {
            @Override
            public void connectionFailed(CommEndpoint endpoint, DocaException failure) {
                endpoint.close();
            }
        });

        assertThat(next()).startsWith("failed Connecting the " + comm);

        assertThatIllegalStateException().isThrownBy(comm::whenConnected).withMessage(comm + " is closed");
        closeServer();
    }

    @Test
    void aClientStoppedBeforeItIsConnectedReportsThatEvenIfRestarted() throws Exception {
        startServer();
        start();
        Completion<CommConnection> connected = comm.whenConnected();
        EngineImpl core = EngineImpl.of(engine);
        core.delivery().later(() -> {
            comm.stop();
            comm.restart();
        });

        // Delivers without progress, which might receive the server's answer first.
        core.delivery().runPending();

        assertThatThrownBy(() -> get(connected))
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage("The " + comm + " was stopped before it was connected");
        assertThat(get(comm.whenConnected()).isConnected()).isTrue();
        closeServer();
    }
}
