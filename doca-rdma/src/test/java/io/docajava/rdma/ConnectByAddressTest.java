/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.rdma.internal.Internals;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests connections that one side requests at an address of the other side's device. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction(NeedsFunction.CONNECTIONS)
class ConnectByAddressTest extends CompletionModes {

    /** Each JVM uses its own ports, as tests of several JVMs may run on one machine at the same time. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(20_000 + (int) (ProcessHandle.current().pid() % 400) * 100);

    private final int port = NEXT_PORT.getAndIncrement();
    private final List<RdmaConnection> accepted = new ArrayList<>();
    private RdmaLab lab;
    private RdmaAddress address;

    @BeforeEach
    void open() {
        lab = new RdmaLab(builder -> builder.connectionRequestTimeout(Duration.ofSeconds(2)));
        address = RdmaAddress.of(lab.there.device.info().ipv6().orElseThrow());
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        lab.close();
    }

    private RdmaListener acceptAll() {
        return lab.there.rdma.listen(port, request -> {
            assertThat(request.context()).isSameAs(lab.there.rdma);
            assertThat(request.accept().thenAccept(accepted::add)).isNotDone();
        });
    }

    @Test
    void connects() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            assertThat(listener.port()).isEqualTo(port);
            assertThat(listener.isOpen()).isTrue();
            assertThat(listener).hasToString("port " + port + " of the " + RdmaLab.THERE);
            RdmaConnection connection = lab.get(lab.here.rdma.connect(address, port));
            lab.await(() -> accepted.size() == 1);
            assertThat(connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
            assertThat(accepted.getFirst().state()).isEqualTo(ConnectionState.ESTABLISHED);
            exchange(connection, accepted.getFirst());
            exchange(connection, accepted.getFirst());
        }
    }

    private void exchange(RdmaConnection connection, RdmaConnection peer) throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(0, 64));
        assertThat(lab.get(connection.send(lab.here.data(0, 64)))).isEqualTo(64);
        assertThat(lab.get(receive).connection()).isSameAs(peer);
        assertThat(lab.get(connection.write(lab.here.data(100, 64), lab.remoteSpace(100, 64))))
                .isEqualTo(64);
        lab.assertSame(0, 0, 64);
        lab.assertSame(100, 100, 64);
        Completion<Received> answer = lab.here.rdma.receive(lab.here.space(2000, 10));
        assertThat(lab.get(peer.send(lab.there.data(500, 10)))).isEqualTo(10);
        assertThat(lab.get(answer).connection()).isSameAs(connection);
    }

    /** DOCA 3.0 discards an event of a connection that is pending when the engine is armed. */
    @Test
    void losesNoEventWhileTheThreadWaitsForEvents() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            Completion<RdmaConnection> connecting = lab.here.rdma.connect(address, port);
            lab.awaitByEvents(() -> connecting.isDone() && accepted.size() == 1);
            Completion<RdmaConnection> leaving = accepted.getFirst().whenDisconnected();
            lab.get(connecting).disconnect();
            lab.awaitByEvents(leaving::isDone);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void connectsToIpAddresses() throws Exception {
        connectTo(List.of(RdmaAddress.ipv4("127.0.0.1"), address));
    }

    /** The fake card below an SDK has no connections by GID. */
    @Test
    @DocaEmulator
    void connectsToAGid() throws Exception {
        connectTo(RdmaCapabilities.gids(lab.there.device.info()).stream()
                .filter(gid -> !gid.text().equals("0:0:0:0:0:0:0:0"))
                .limit(1)
                .toList());
    }

    private void connectTo(List<RdmaAddress> addresses) throws Exception {
        try (RdmaListener listener = acceptAll()) {
            for (RdmaAddress one : addresses) {
                assertThat(lab.get(lab.here.rdma.connect(one, port)).state()).isEqualTo(ConnectionState.ESTABLISHED);
            }
            lab.await(() -> accepted.size() == addresses.size());
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void severalAtOnceFromBothSides() throws Exception {
        int other = NEXT_PORT.getAndIncrement();
        List<RdmaConnection> here = new ArrayList<>();
        try (RdmaListener listener = acceptAll();
                RdmaListener back = lab.here.rdma.listen(
                        other,
                        request -> assertThat(request.accept().thenAccept(here::add))
                                .isNotDone())) {
            List<Completion<RdmaConnection>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(lab.here.rdma.connect(address, port));
                all.add(lab.there.rdma.connect(
                        RdmaAddress.of(lab.here.device.info().ipv6().orElseThrow()), other));
            }
            for (Completion<RdmaConnection> one : all) {
                lab.get(one);
            }
            lab.await(() -> accepted.size() == 4 && here.size() == 4);
            assertThat(lab.here.rdma.connections()).hasSize(9);
            assertThat(listener.port()).isNotEqualTo(back.port());
        }
    }

    /** DOCA 3.0 does not report to which port a request has come. */
    @Test
    void listensToOnePortAtATime() throws Exception {
        int other = NEXT_PORT.getAndIncrement();
        try (RdmaListener first = acceptAll()) {
            assertThatThrownBy(() -> lab.there.rdma.listen(other, ConnectionRequest::reject))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The " + RdmaLab.THERE + " cannot listen to port " + other + ", as it listens to port "
                            + port + ": DOCA does not report to which port a request has come");
            assertThat(first.isOpen()).isTrue();
        }
        try (RdmaListener second = lab.there.rdma.listen(other, ConnectionRequest::reject)) {
            assertFails(lab.here.rdma.connect(address, other), "the server has rejected it");
            assertThat(second.isOpen()).isTrue();
        }
    }

    /** The request has come before the listener was closed, or after that. */
    @Test
    void aRequestToAClosedListenerFails() throws Exception {
        List<ConnectionRequest> asked = new ArrayList<>();
        RdmaListener listener = lab.there.rdma.listen(port, asked::add);
        Completion<RdmaConnection> connecting = lab.here.rdma.connect(address, port);
        listener.close();
        assertFails(connecting, "");
        assertThat(asked).isEmpty();
    }

    @Test
    void isAcceptedLaterWithPrivateData() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            assertThat(completion).isNotDone();
            ConnectionRequest request = requests.getFirst();
            assertThatThrownBy(() -> request.accept(new byte[256]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The private data of a connection have up to 255 bytes, and not 256");
            Completion<RdmaConnection> answer = request.accept(new byte[255]);
            assertIllegalState(request::accept, "The connection request was answered already");
            assertIllegalState(request::reject, "The connection request was answered already");
            exchange(lab.get(completion), lab.get(answer));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"doca_rdma_connection_set_user_data", "doca_rdma_connection_accept"})
    @DocaEmulator
    void isAcceptedAgainAfterARefusal(String function) throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            ConnectionRequest request = requests.getFirst();
            assertRefused(request::accept, function);
            assertThat(request).hasToString("Connection request to the " + RdmaLab.THERE);
            Completion<RdmaConnection> answer = request.accept();
            assertIllegalState(request::accept, "The connection request was answered already");
            exchange(lab.get(completion), lab.get(answer));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"doca_rdma_connection_set_user_data", "doca_rdma_connection_accept"})
    @DocaEmulator
    void isRejectedAfterARefusal(String function) throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            ConnectionRequest request = requests.getFirst();
            assertRefused(request::accept, function);
            request.reject();
            assertIllegalState(request::reject, "The connection request was answered already");
            assertFails(completion, "the server has rejected it");
            assertThat(lab.there.rdma.connections()).containsExactly(lab.back);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    @DocaEmulator
    void isRejectedAgainAfterARefusal() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            ConnectionRequest request = requests.getFirst();
            assertRefused(request::reject, "doca_rdma_connection_reject");
            request.reject();
            assertFails(completion, "the server has rejected it");
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    @DocaEmulator
    void isAnsweredIfItFailsAfterTheAcceptance() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            ConnectionRequest request = requests.getFirst();
            assertRefused(request::accept, "doca_rdma_connection_get_id");
            assertThat(request).hasToString("Answered connection request to the " + RdmaLab.THERE);
            assertIllegalState(request::accept, "The connection request was answered already");
            assertIllegalState(request::reject, "The connection request was answered already");
            lab.await(() -> completion.isDone() && lab.here.rdma.connections().equals(List.of(lab.connection)));
            assertThat(lab.there.rdma.connections()).containsExactly(lab.back);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    @DocaEmulator
    void aRefusedRequestEndsWithItsContext() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        RdmaListener listener = lab.there.rdma.listen(port, requests::add);
        Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
        lab.await(() -> requests.size() == 1);
        assertRefused(requests.getFirst()::accept, "doca_rdma_connection_accept");
        lab.there.rdma.stop();
        lab.await(() -> lab.there.rdma.state() == ContextState.IDLE);
        lab.there.rdma.restart();
        assertIllegalState(
                requests.getFirst()::accept,
                "The connection request is void: the peer has given up, or the " + RdmaLab.THERE
                        + " has stopped since");
        assertFails(completion, "the other side has closed it");
        assertThat(listener.isOpen()).isFalse();
    }

    /** Checks a call that fails because a native function fails once, for a reason that may pass. */
    @SuppressWarnings("try")
    private static void assertRefused(ThrowingCallable call, String function) {
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall(function, 1, "NO_MEMORY").inject()) {
            assertThatThrownBy(call).isInstanceOfSatisfying(DocaCallException.class, e -> {
                assertThat(e.function()).isEqualTo(function);
                assertThat(e.isRetryable()).isTrue();
            });
        }
    }

    @Test
    void isNotUsedBeforeItIsEstablished() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
            RdmaConnection connection = lab.here.rdma.connections().getLast();
            String name = "A connection by address of the " + RdmaLab.HERE;
            assertThat(connection.state()).isEqualTo(ConnectionState.CONNECTING);
            assertIllegalState(
                    () -> connection.submit(RdmaOperation.sendImmediate(1)), name + " is not established yet");
            assertIllegalState(
                    connection::disconnect,
                    "A connection by address can be disconnected when the peer has answered, or its context stopped: "
                            + name);
            assertIllegalState(connection::id, "A connection has a number when the peer has answered: " + name);
            assertIllegalState(connection::details, "A connection by address has no details for the peer: " + name);
            assertIllegalState(() -> connection.connect(lab.back.details()), name + " was connected already");
            lab.await(() -> requests.size() == 1);
            Completion<RdmaConnection> answer = requests.getFirst().accept();
            lab.get(completion);
            lab.get(answer);
            assertThat(connection.id()).isNotNegative();
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void aRequestBeyondTheLimitIsRejected() throws Exception {
        lab.close();
        lab = new RdmaLab(builder -> builder, builder -> builder.maxConnections(2), Side.ALL);
        try (RdmaListener listener = acceptAll()) {
            RdmaConnection last = lab.get(lab.here.rdma.connect(address, port));
            assertThat(awaitAccepted(0)).isNotNull();
            for (int i = 0; i < 3; i++) {
                assertFails(lab.here.rdma.connect(address, port), "the server has rejected it");
                assertThat(accepted).hasSize(1);
            }
            last.disconnect();
            lab.await(() -> accepted.getFirst().state().isFinal());
            exchange(lab.get(lab.here.rdma.connect(address, port)), awaitAccepted(1));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    /** DOCA 3.0 destroys the address of a connection whose place had a request before. */
    @Test
    void destroysNoAddressTwice() throws Exception {
        lab.close();
        lab = new RdmaLab(builder -> builder.maxConnections(2));
        RdmaAddress back = RdmaAddress.of(lab.here.device.info().ipv6().orElseThrow());
        List<RdmaConnection> coming = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (RdmaListener listener = acceptAll()) {
                RdmaConnection going = lab.get(lab.here.rdma.connect(address, port));
                assertThat(awaitAccepted(i)).isNotNull();
                assertThat(listener.isOpen()).isTrue();
                going.disconnect();
            }
            RdmaConnection ended = accepted.get(i);
            lab.await(() -> ended.state().isFinal());
            try (RdmaListener listener = lab.here.rdma.listen(
                    port,
                    request ->
                            assertThat(request.accept().thenAccept(coming::add)).isNotDone())) {
                RdmaConnection answer = lab.get(lab.there.rdma.connect(back, port));
                int count = i + 1;
                lab.await(() -> coming.size() == count);
                assertThat(listener.isOpen()).isTrue();
                answer.disconnect();
            }
            lab.await(() -> coming.getLast().state().isFinal());
            assertThat(Internals.addressesInUse(lab.there.rdma)).isZero();
        }
    }

    @Test
    void rejected() throws Exception {
        try (RdmaListener listener = lab.there.rdma.listen(port, ConnectionRequest::reject)) {
            assertFails(lab.here.rdma.connect(address, port), "the server has rejected it");
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void nobodyListens() throws Exception {
        assertFails(lab.here.rdma.connect(address, port), "nobody listens there");
        assertFails(lab.here.rdma.connect(RdmaAddress.ipv4("203.0.113.1"), port), "nobody listens there");
        assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
    }

    /** With DOCA 3.0 the timeout limits only the resolution of the address. */
    @Test
    @DocaEmulator
    void nobodyAnswers() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaLab impatient = new RdmaLab(builder -> builder.connectionRequestTimeout(Duration.ofMillis(50)));
                RdmaListener listener = impatient.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> completion = impatient.here.rdma.connect(address, port);
            assertThatThrownBy(() -> impatient.get(completion))
                    .isInstanceOf(DocaCallException.class)
                    .hasMessageContaining("the other side has not answered in time");
            impatient.await(() -> !requests.isEmpty());
            // The result depends on when this side learns of the end.
            assertThatThrownBy(requests.getFirst()::accept)
                    .satisfiesAnyOf(
                            e -> assertThat(e)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessage("The connection request is void: the peer has given up, or the "
                                            + RdmaLab.THERE + " has stopped since"),
                            e -> assertThat(e)
                                    .isInstanceOf(DocaCallException.class)
                                    .hasMessageStartingWith("Accepting a connection to 0000:03:00.1 (mlx5_1): "
                                            + "doca_rdma_connection_accept failed with DOCA_ERROR_CONNECTION_ABORTED"));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    /** At each stop, DOCA 3.0 destroys all listeners, also those that it has destroyed at an earlier stop. */
    @Test
    void stopsAgainAfterAStopWhileItListened() throws Exception {
        for (int i = 0; i < 3; i++) {
            RdmaListener listener = acceptAll();
            lab.there.rdma.stop();
            lab.await(() -> lab.there.rdma.state() == ContextState.IDLE);
            assertThat(listener.isOpen()).isFalse();
            lab.there.rdma.restart();
        }
        try (RdmaListener listener = acceptAll()) {
            exchange(lab.get(lab.here.rdma.connect(address, port)), awaitAccepted(0));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void stopsAgainAfterAFailureWhileItListened() throws Exception {
        for (int i = 0; i < 3; i++) {
            RdmaListener listener = acceptAll();
            Completion<Received> receive = lab.there.rdma.receive(lab.there.space(0, 7));
            Completion<Long> send = lab.connection.send(lab.here.data(0, 8));
            lab.await(() -> lab.there.rdma.state() == ContextState.IDLE && lab.here.rdma.state() == ContextState.IDLE);
            assertThat(receive).isDone();
            assertThat(send).isDone();
            assertThat(listener.isOpen()).isFalse();
            lab.there.rdma.restart();
            lab.here.rdma.restart();
            lab.reconnect();
        }
        try (RdmaListener listener = acceptAll()) {
            exchange(lab.get(lab.here.rdma.connect(address, port)), awaitAccepted(0));
            assertThat(listener.isOpen()).isTrue();
        }
    }

    /** The client gives up before the server has answered. */
    @Test
    void aCancelledConnectLeavesNoConnection() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = lab.there.rdma.listen(port, requests::add)) {
            Completion<RdmaConnection> cancelled = lab.here.rdma.connect(address, port);
            lab.await(() -> requests.size() == 1);
            RdmaConnection connection = lab.here.rdma.connections().getLast();
            assertThat(cancelled.cancel(true)).isTrue();
            RdmaConnection server = lab.get(requests.getFirst().accept());
            lab.get(server.whenDisconnected());
            assertThat(connection.state()).isEqualTo(ConnectionState.FAILED);
            assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
            assertThat(lab.there.rdma.connections()).containsExactly(lab.back);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void requestsEndWithTheirContext() throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        RdmaListener listener = lab.there.rdma.listen(port, requests::add);
        Completion<RdmaConnection> completion = lab.here.rdma.connect(address, port);
        lab.await(() -> requests.size() == 1);
        lab.there.rdma.stop();
        lab.await(() -> lab.there.rdma.state() == ContextState.IDLE);
        assertThat(listener.isOpen()).isFalse();
        listener.close();
        assertFails(
                ContextNotRunningException.class,
                requests.getFirst()::accept,
                RdmaLab.THERE + " is idle: it was stopped; restart() starts it again");
        lab.there.rdma.restart();
        assertIllegalState(
                requests.getFirst()::accept,
                "The connection request is void: the peer has given up, or the " + RdmaLab.THERE
                        + " has stopped since");
        assertFails(completion, "the other side has closed it");
        try (RdmaListener again = acceptAll()) {
            exchange(lab.get(lab.here.rdma.connect(address, port)), awaitAccepted(0));
            assertThat(again.isOpen()).isTrue();
        }
    }

    @Test
    void thePeerLearnsOfADisconnect() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            RdmaConnection connection = lab.get(lab.here.rdma.connect(address, port));
            lab.await(() -> accepted.size() == 1);
            RdmaConnection peer = accepted.getFirst();
            List<ConnectionState> changes = new ArrayList<>();
            peer.addListener((changed, previous, next) -> changes.add(next));
            Completion<RdmaConnection> ended = peer.whenDisconnected();
            connection.disconnect();
            assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(lab.get(ended)).isSameAs(peer);
            assertThat(peer.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(changes).containsExactly(ConnectionState.DISCONNECTED);
            assertThat(peer.submit(RdmaOperation.sendImmediate(1)).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(peer + " has ended: the peer has disconnected");
            assertThat(lab.there.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.there.rdma.connections()).containsExactly(lab.back);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void aMessageComesBeforeTheDisconnectBehindIt() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            RdmaConnection connection = lab.get(lab.here.rdma.connect(address, port));
            lab.await(() -> accepted.size() == 1);
            Completion<Received> receive = lab.there.rdma.receive(lab.there.space(0, 64));
            assertThat(lab.get(connection.send(lab.here.data(0, 64)))).isEqualTo(64);
            connection.disconnect();
            assertThat(lab.get(receive).connection()).isSameAs(accepted.getFirst());
            lab.get(accepted.getFirst().whenDisconnected());
            assertThat(listener.isOpen()).isTrue();
        }
    }

    @Test
    void thePeerLearnsOfTheEndOfAContext() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            RdmaConnection connection = lab.get(lab.here.rdma.connect(address, port));
            lab.await(() -> accepted.size() == 1);
            Completion<RdmaConnection> ended = connection.whenDisconnected();
            lab.there.rdma.stop();
            assertThat(lab.get(ended)).isSameAs(connection);
            assertThat(accepted.getFirst().state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(listener.isOpen()).isFalse();
        }
    }

    @Test
    void nativeAddressesGoWithTheirConnections() throws Exception {
        RdmaContext connecting = lab.here.rdma;
        RdmaListener listener = acceptAll();
        List<RdmaConnection> made = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            made.add(lab.get(lab.here.rdma.connect(address, port)));
            assertThat(awaitAccepted(i)).isNotNull();
        }
        assertThat(Internals.addressesInUse(connecting)).isEqualTo(3);

        made.getFirst().disconnect();
        assertThat(Internals.addressesInUse(connecting)).isEqualTo(2);

        accepted.get(1).disconnect();
        lab.get(made.get(1).whenDisconnected());
        assertThat(Internals.addressesInUse(connecting)).isEqualTo(1);

        listener.close();
        assertFails(lab.here.rdma.connect(address, port), "nobody listens there");
        assertThat(Internals.addressesInUse(connecting)).isEqualTo(1);

        lab.here.rdma.stop();
        lab.get(made.getLast().whenDisconnected());
        lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
        assertThat(Internals.addressesInUse(connecting)).isZero();
    }

    @Test
    void manyComeAndGo() throws Exception {
        try (RdmaListener listener = acceptAll()) {
            for (int i = 0; i < 50; i++) {
                RdmaConnection connection = lab.get(lab.here.rdma.connect(address, port));
                RdmaConnection leaving = i % 2 == 0 ? connection : awaitAccepted(i);
                leaving.disconnect();
                lab.get((i % 2 == 0 ? awaitAccepted(i) : connection).whenDisconnected());
            }
            assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
            assertThat(lab.there.rdma.connections()).containsExactly(lab.back);
            assertThat(listener.isOpen()).isTrue();
        }
    }

    private RdmaConnection awaitAccepted(int index) throws Exception {
        lab.await(() -> accepted.size() > index);
        return accepted.get(index);
    }

    @Test
    void aPortIsListenedToOnce() {
        RdmaListener listener = acceptAll();
        try (RdmaContext other = RdmaContext.builder(lab.there.device).start(lab.engine)) {
            assertThatThrownBy(() -> other.listen(port, ConnectionRequest::reject))
                    .isInstanceOfSatisfying(
                            DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                    .hasMessageStartingWith("Listening to port " + port + " on 0000:03:00.1 (mlx5_1): "
                            + "doca_rdma_start_listen_to_port failed with DOCA_ERROR_CONNECTION_ABORTED");
        }
        assertThat(listener.isOpen()).isTrue();
        listener.close();
        listener.close();
        assertThat(listener.isOpen()).isFalse();
        try (RdmaListener again = acceptAll()) {
            assertThat(again.isOpen()).isTrue();
        }
    }

    @Test
    void portsAndAddressesThatDoNotExist() {
        for (int wrong : new int[] {-1, 0, 65536}) {
            assertThatThrownBy(() -> lab.there.rdma.listen(wrong, ConnectionRequest::reject))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A port is a number from 1 to 65535: " + wrong);
            assertThatThrownBy(() -> lab.here.rdma.connect(address, wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A port is a number from 1 to 65535: " + wrong);
        }
        assertThatThrownBy(() -> lab.here.rdma.connect(RdmaAddress.ipv4("nowhere"), port))
                .isInstanceOf(DocaCallException.class)
                .hasMessageStartingWith("Connecting the " + RdmaLab.HERE + " to nowhere port " + port + ": ")
                // DOCA 3.0 checks the text only when it connects.
                .hasMessageContaining(
                        DocaLibrary.load().backend() == Backend.EMULATOR
                                ? "doca_rdma_addr_create failed with DOCA_ERROR_INVALID_VALUE"
                                : "doca_rdma_connect_to_addr failed with DOCA_ERROR_CONNECTION_ABORTED");
        assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
    }

    private void assertFails(Completion<RdmaConnection> completion, String reason) {
        assertThatThrownBy(() -> lab.get(completion))
                .isInstanceOfSatisfying(
                        DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                .hasMessageStartingWith("Connecting the " + RdmaLab.HERE + " to ")
                .hasMessageContaining(": doca_rdma_connect_to_addr failed with DOCA_ERROR_CONNECTION_ABORTED")
                .hasMessageEndingWith(LoggedReason.ofConnection(reason));
        assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
    }

    private static void assertFails(Class<? extends RuntimeException> type, ThrowingCallable call, String message) {
        assertThatThrownBy(call).isExactlyInstanceOf(type).hasMessage(message);
    }

    private static void assertIllegalState(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }

    @Test
    @DocaEmulator
    @SuppressWarnings({"try", "FutureReturnValueIgnored"}) // no use of the faults; calls that return futures
    void futuresFailWithALoopThatCannotCloseTheContext() throws Exception {
        List<ConnectionRequest> unanswered = new ArrayList<>();
        try (Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
                RdmaListener listener = lab.there.rdma.listen(port, unanswered::add)) {
            assertThat(listener.isOpen()).isTrue();
            ProgressLoop loop = ProgressLoop.builder().name("mover").start();
            ProgressEngine engine = Await.result(loop.call(own -> own), "the engine");
            RdmaContext rdma = Await.result(
                    loop.call(own -> RdmaContext.builder(device)
                            .connectionRequestTimeout(Duration.ofSeconds(60))
                            .start(own)),
                    "the start");
            Completion<RdmaConnection> connecting =
                    Await.result(loop.call(own -> rdma.connect(address, port)), "the call of connect");
            Completion<RdmaConnection> ended = Await.result(
                    loop.call(own -> rdma.prepareConnection().whenDisconnected()), "the call of disconnected");
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .failCall("doca_ctx_stop", 1, "DRIVER")
                    .inject()) {
                assertThatThrownBy(loop::close).isInstanceOf(DocaCallException.class);
            }
            for (Completion<RdmaConnection> future : List.of(connecting, ended)) {
                assertThatThrownBy(() -> Await.result(future, "a future of a connection"))
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("ProgressLoop \"mover\" was closed before this was complete");
            }
            rdma.close();
            engine.close();
        }
    }
}
