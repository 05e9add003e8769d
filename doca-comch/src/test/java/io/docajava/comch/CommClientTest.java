/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.comch.internal.AbstractEndpoint;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a client in a process on the host, with servers in a process on the DPU. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@EnabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class CommClientTest extends CompletionModes {

    private static final String PLACE = "0000:0b:00.0 (mlx5_0)";
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]+: ");

    private static PeerJvm dpu;

    private final String name = ServerLab.uniqueName();
    private final String client = "CommClient of \"" + name + "\" on " + PLACE;
    private final Events events = new Events();
    private final List<Throwable> reported = new ArrayList<>();
    private Device device;
    private ProgressEngine engine;

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
        engine.close();
        device.close();
        assertThat(reported).isEmpty();
    }

    private CommClient start() {
        return CommClient.builder(device, name).connectionListener(events).start(engine, events);
    }

    private String ask(String question) throws InterruptedException {
        return dpu.ask(question.replace("NAME", name));
    }

    private String next() throws InterruptedException {
        return engine.await(() -> events.size() > 0, ServerLab.SOON) ? events.next() : "nothing";
    }

    private <T> T get(Completion<T> completion) throws Exception {
        return completion.await(ServerLab.SOON);
    }

    @Test
    void readsTheCapabilitiesOfADevice() {
        assertThat(CommCapabilities.of(device.info()))
                .isEqualTo(new CommCapabilities(false, true, 4080, 8192, 8192, 119, 512));
    }

    @Test
    void talksToAServer() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (CommClient comm = start()) {
            assertThat(comm.name()).isEqualTo(name);
            assertThat(comm.state()).isEqualTo(ContextState.STARTING);
            Completion<CommConnection> connected = comm.whenConnected();

            CommConnection connection = get(connected);

            assertThat(comm.state()).isEqualTo(ContextState.RUNNING);
            assertThat(next()).isEqualTo("connected");
            assertThat(connection).hasToString("Connection 1 of the " + client);
            assertThat(get(comm.whenConnected())).isSameAs(connection);
            assertThat(comm.connections()).containsExactly(connection);
            assertThat(ask("event NAME")).isEqualTo("connected");
            assertThat(get(connection.send(ServerLab.bytes("ping")))).isEqualTo(4);
            assertThat(ask("event NAME")).isEqualTo("message ping");
            dpu.send("send " + name + " pong");
            assertThat(next()).isEqualTo("message pong");
            assertThat(dpu.receive(engine)).isEqualTo("sent 4");
        }
        assertThat(next()).isEqualTo("disconnected STOPPED");
        assertThat(ask("event NAME")).isEqualTo("disconnected PEER");
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void findsNoServer() throws Exception {
        assertThatThrownBy(this::start).satisfies(this::isMissingServer);
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (CommClient comm = start()) {
            assertThat(get(comm.whenConnected()).isConnected()).isTrue();
            assertThat(next()).isEqualTo("connected");
            assertThat(ask("close NAME")).isEqualTo("done");
            assertThat(next()).isEqualTo("disconnected PEER");

            assertThatThrownBy(comm::restart).satisfies(this::isMissingServer);

            assertThat(comm.state()).isEqualTo(ContextState.IDLE);
            assertThat(comm.connections()).isEmpty();
            assertThatThrownBy(() -> get(comm.whenConnected())).satisfies(this::isMissingServer);
            assertThat(ask("server NAME 2048")).isEqualTo("started");
            comm.restart();
            assertThat(get(comm.whenConnected()).isConnected()).isTrue();
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    private void isMissingServer(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(DocaException.class)
                .hasMessageStartingWith("Starting the " + client
                        + ": doca_ctx_start failed with DOCA_ERROR_CONNECTION_ABORTED (Connection aborted): ")
                .hasMessageContaining("There is no server \"" + name + "\" for function ");
    }

    @Test
    void findsNoServerOfAnotherFunction() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (Device other = Device.open(DeviceFilter.pciAddress("0b:00.1"))) {
            assertThatThrownBy(() -> CommClient.builder(other, name).start(engine, events))
                    .isInstanceOf(DocaException.class)
                    .hasMessageContaining("There is no server \"" + name + "\" for function ");
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void isRefusedByAServerWithAnotherSizeOfMessages() throws Exception {
        assertThat(ask("server NAME 1000")).isEqualTo("started");
        List<ContextState> states = new ArrayList<>();
        try (CommClient comm = CommClient.builder(device, name)
                .connectionListener(events)
                .listener((context, previous, next) -> states.add(next))
                .start(engine, events)) {
            assertThatThrownBy(() -> get(comm.whenConnected())).satisfies(this::isRefusal);
            assertThat(next()).startsWith("failed Connecting the " + client);
            assertThat(states).containsExactly(ContextState.STARTING, ContextState.IDLE);
            assertThat(comm.connections()).isEmpty();
            assertThatThrownBy(() -> get(comm.whenConnected())).satisfies(this::isRefusal);

            assertThat(ask("close NAME")).isEqualTo("done");
            assertThat(ask("server NAME 2048")).isEqualTo("started");
            comm.restart();

            CommConnection connection = get(comm.whenConnected());
            assertThat(get(connection.send(new byte[2048]))).isEqualTo(2048);
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    /** Both are usually refused in one round of progress, and the SDK's log has a line about each. */
    @Test
    void aRefusalQuotesItsOwnReasonOnly() throws Exception {
        assertThat(ask("server NAME 1000")).isEqualTo("started");
        try (CommClient first = start();
                CommClient second = start()) {
            List<String> addresses = new ArrayList<>();
            for (CommClient refused : List.of(first, second)) {
                Throwable failure = catchThrowable(() -> get(refused.whenConnected()));
                assertThat(failure).satisfies(this::isRefusal);
                List<String> own = ADDRESS.matcher(failure.toString())
                        .results()
                        .map(MatchResult::group)
                        .toList();
                assertThat(own).as(failure.toString()).hasSize(1);
                addresses.addAll(own);
            }
            assertThat(addresses.get(0)).isNotEqualTo(addresses.get(1));
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    private void isRefusal(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(DocaException.class)
                .hasMessageStartingWith("Connecting the " + client
                        + ": doca_ctx_start failed with DOCA_ERROR_CONNECTION_ABORTED (Connection aborted): ")
                .hasMessageContaining("Server \"" + name + "\" has refused the connection")
                .hasMessageEndingWith("a server and its clients must have the same maxMessageSize, which is 2048 here");
    }

    @Test
    void canBeStoppedBeforeItIsConnected() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (CommClient comm = start()) {
            Completion<CommConnection> connected = comm.whenConnected();

            comm.stop();

            assertThatThrownBy(() -> get(connected))
                    .isInstanceOf(ConnectionEndedException.class)
                    .hasMessage("The " + client + " was stopped before it was connected");
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void aServerDisconnects() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (CommClient comm = start()) {
            CommConnection connection = get(comm.whenConnected());
            assertThat(next()).isEqualTo("connected");
            assertThat(ask("event NAME")).isEqualTo("connected");

            assertThat(ask("disconnect NAME")).isEqualTo("done");

            assertThat(next()).isEqualTo("disconnected PEER");
            assertThat(comm.state()).isEqualTo(ContextState.IDLE);
            assertThat(connection.send(ServerLab.bytes("too late")).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " has ended: the peer has disconnected or exited");
            assertThatThrownBy(() -> get(comm.whenConnected()))
                    .isInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " has ended");
            comm.restart();
            assertThat(get(comm.whenConnected())).hasToString("Connection 2 of the " + client);
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void theClientDisconnects() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        try (CommClient comm = start()) {
            CommConnection connection = get(comm.whenConnected());
            assertThat(next()).isEqualTo("connected");

            connection.disconnect();

            assertThat(next()).isEqualTo("disconnected DISCONNECTED");
            assertThat(comm.state()).isEqualTo(ContextState.IDLE);
            connection.disconnect();
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void aServerIsKilled() throws Exception {
        try (PeerJvm killed = Peer.start(DocaEmulator.Role.DPU)) {
            assertThat(killed.ask("server " + name + " 2048")).isEqualTo("started");
            try (CommClient comm = start()) {
                CommConnection connection = get(comm.whenConnected());
                assertThat(next()).isEqualTo("connected");

                killed.kill();
                List<Completion<Long>> sends = new ArrayList<>();
                while (connection.isConnected()) {
                    Completion<Long> send = connection.send(ServerLab.bytes("nobody there"));
                    sends.add(send);
                    if (send.isDone()) {
                        engine.progress();
                    }
                }

                assertThat(next()).isEqualTo("disconnected PEER");
                assertThat(sends).allMatch(Completion::isCompletedExceptionally);
                assertThatThrownBy(comm::restart).satisfies(this::isMissingServer);
            }
        }
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommClient.builder(device, "").start(engine, events))
                .withMessage("The name of a comm server on " + PLACE + " has 1 to 119 bytes in UTF-8 and no NUL: \"\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommClient.builder(device, "a\udc00").start(engine, events))
                .withMessage("The name of a comm server on " + PLACE
                        + " is a text in UTF-8, and cannot have half of a character: \\udc00 at index 1");
    }

    @Test
    void isOfNoUseWhenClosed() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        CommClient comm = start();
        comm.close();

        assertThatIllegalStateException().isThrownBy(comm::whenConnected).withMessage(client + " is closed");
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void theFutureOfAConnectionFailsWithALoopThatCannotCloseTheClient() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        dpu.suspend();
        try {
            assertAbandoned(false, CommClient::whenConnected);
        } finally {
            dpu.resume();
        }
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    @Test
    void theFutureOfAnEndFailsWithALoopThatCannotCloseTheClient() throws Exception {
        assertThat(ask("server NAME 2048")).isEqualTo("started");
        assertAbandoned(true, comm -> comm.connections().getFirst().whenDisconnected());
        assertThat(ask("close NAME")).isEqualTo("done");
    }

    /** Closes a loop with a client that it cannot close, and checks that a future of the client fails. */
    @SuppressWarnings("FutureReturnValueIgnored") // a call returns a future
    private void assertAbandoned(boolean isConnected, Function<CommClient, Completion<?>> request) throws Exception {
        ProgressLoop loop = ProgressLoop.builder().name("mover").start();
        ProgressEngine loopEngine = Await.result(loop.call(own -> own), "the engine");
        CommClient comm = Await.result(
                loop.call(own -> CommClient.builder(device, name)
                        .connectionListener(events)
                        .start(own, events)),
                "the start");
        if (isConnected) {
            assertThat(Await.result(Work.on(loop, () -> comm.whenConnected()), "the connection"))
                    .isNotNull();
        }
        Completion<?> future = Await.result(loop.call(own -> request.apply(comm)), "the request");
        Resource user = Resource.open(loop, "a user of the client", ((AbstractEndpoint) comm).resource());
        assertThatThrownBy(loop::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(client + " cannot be closed while in use by: a user of the client");
        assertThatThrownBy(() -> Await.result(future, "the future"))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ProgressLoop \"mover\" was closed before this was complete");
        user.discard();
        comm.close();
        loopEngine.close();
    }
}
