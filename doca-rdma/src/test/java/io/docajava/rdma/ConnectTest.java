/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.NeedsEmulator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests connections whose details the application transfers to the peer. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction(NeedsFunction.CONNECTIONS)
class ConnectTest {

    @Test
    void aConnectionIsEstablishedWhenTheSdkHasThePeersDetails() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            List<String> changes = new ArrayList<>();
            connection.addListener((changed, previous, next) -> changes.add(previous + " to " + next));
            assertThat(connection.state()).isEqualTo(ConnectionState.PREPARED);
            assertThat(lab.get(connection.connect(back.details()))).isSameAs(connection);
            assertThat(connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
            assertThat(lab.here.rdma.inFlight()).isZero();
            lab.engine.progress();
            assertThat(changes).containsExactly("PREPARED to CONNECTING", "CONNECTING to ESTABLISHED");
            assertThat(connection.context()).isSameAs(lab.here.rdma);
            assertThat(lab.here.rdma.connections()).containsExactly(lab.connection, connection);
        }
    }

    @Test
    void operationsWaitForThePeer() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            Completion<RdmaConnection> going = connection.connect(back.details());
            Completion<Long> write = connection.write(lab.here.filled(0, 64), lab.remote.range(0, 64));
            for (int i = 0; i < 1000; i++) {
                lab.engine.progress();
            }
            assertThat(write).isNotDone();
            Completion<RdmaConnection> coming = back.connect(connection.details());
            assertThat(lab.get(write)).isEqualTo(64);
            assertThat(going).isDone();
            lab.get(coming);
            lab.assertSame(0, 0, 64);
        }
    }

    /** A client dies after it has passed on its details. The other clients of the server do not notice. */
    @Test
    void aClientThatNeverConnectsHarmsNobody() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            try (RdmaContext client = RdmaContext.builder(lab.here.device).start(lab.engine)) {
                lab.get(lab.there
                        .rdma
                        .prepareConnection()
                        .connect(client.prepareConnection().details()));
            }
            for (int i = 0; i < 1000; i++) {
                lab.engine.progress();
            }
            assertThat(lab.there.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.there.rdma.inFlight()).isZero();
            assertThat(lab.get(lab.connection.write(lab.here.filled(0, 8), lab.remote.range(0, 8))))
                    .isEqualTo(8);
        }
    }

    @Test
    void aContextConnectsWithoutPermissionsAndTasks() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.permissions(Access.LOCAL_READ_WRITE)
                .maxTasks(RdmaTaskType.WRITE, 0)
                .maxReceives(0))) {
            assertThat(lab.connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
            MapRange source = lab.here.filled(0, 8);
            MapRange remote = lab.remote.range(0, 8);
            assertThatThrownBy(() -> lab.connection.write(source, remote))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(RdmaLab.HERE + " has no tasks to write: it was built without them");
            assertThatThrownBy(() -> lab.there.rdma.receive())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(RdmaLab.THERE + " has no tasks to receive: it was built without them");
        }
    }

    @Test
    void eightAtOnce() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxConnections(9))) {
            List<RdmaConnection> going = new ArrayList<>();
            List<RdmaConnection> coming = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                going.add(lab.here.rdma.prepareConnection());
                coming.add(lab.there.rdma.prepareConnection());
            }
            assertFull(lab, 9);
            List<Completion<RdmaConnection>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(going.get(i).connect(coming.get(i).details()));
            }
            for (int i = 7; i >= 0; i--) {
                all.add(coming.get(i).connect(going.get(i).details()));
            }
            for (Completion<RdmaConnection> one : all) {
                lab.get(one);
            }
            List<Completion<Received>> receives = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                receives.add(lab.there.rdma.receive(lab.there.memory.range(i * 100L, 8)));
            }
            for (int i = 0; i < 8; i++) {
                assertThat(lab.get(going.get(i).send(lab.here.filled(i * 100L, 8))))
                        .isEqualTo(8);
            }
            Set<RdmaConnection> from = new HashSet<>();
            for (int i = 0; i < 8; i++) {
                Received received = lab.get(receives.get(i));
                assertThat(received.connection()).isSameAs(coming.get(i));
                from.add(received.connection());
            }
            assertThat(from).hasSize(8);
            assertThat(going.stream().map(RdmaConnection::id).distinct()).hasSize(8);
        }
    }

    @Test
    void fortyConnections() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxConnections(64))) {
            List<Completion<RdmaConnection>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                RdmaConnection going = lab.here.rdma.prepareConnection();
                RdmaConnection coming = lab.there.rdma.prepareConnection();
                all.add(going.connect(coming.details()));
                all.add(coming.connect(going.details()));
            }
            for (Completion<RdmaConnection> one : all) {
                assertThat(lab.get(one).state()).isEqualTo(ConnectionState.ESTABLISHED);
            }
        }
    }

    @Test
    void aContextConnectsWithItself() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection one = lab.here.rdma.prepareConnection();
            RdmaConnection other = lab.here.rdma.prepareConnection();
            Completion<RdmaConnection> going = one.connect(other.details());
            lab.get(other.connect(one.details()));
            lab.get(going);
            Completion<Received> receive = lab.here.rdma.receive(lab.here.memory.range(500, 64));
            assertThat(lab.get(one.send(lab.here.filled(0, 64)))).isEqualTo(64);
            assertThat(lab.get(receive).connection()).isSameAs(other);
        }
    }

    @Test
    void corruptDetailsAreRefusedAndOthersAreTakenThen() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            byte[] bytes = back.details().bytes();
            for (int i = 0; i < bytes.length; i += 7) {
                byte[] corrupt = bytes.clone();
                corrupt[i] ^= 1;
                assertRefused(connection, ConnectionDetails.of(corrupt));
            }
            assertRefused(connection, ConnectionDetails.of(new byte[] {1}));
            assertThat(connection.state()).isEqualTo(ConnectionState.PREPARED);
            Completion<RdmaConnection> completion = connection.connect(back.details());
            lab.get(back.connect(connection.details()));
            lab.get(completion);
        }
    }

    /** NVIDIA's libraries accept them, and the first operation fails. */
    @Test
    @NeedsEmulator
    void staleDetailsAreRefused() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection back = lab.there.rdma.prepareConnection();
            ConnectionDetails stale = back.details();
            lab.there.rdma.stop();
            lab.await(() -> lab.there.rdma.state() == ContextState.IDLE);
            lab.there.rdma.restart();
            assertThat(back.state()).isEqualTo(ConnectionState.FAILED);
            assertRefused(lab.here.rdma.prepareConnection(), stale);
        }
    }

    private static void assertRefused(RdmaConnection connection, ConnectionDetails details) {
        assertThatThrownBy(() -> connection.connect(details))
                .isInstanceOfSatisfying(
                        DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                .hasMessageStartingWith("Connecting the RDMA context on 0000:03:00.0 (mlx5_0): doca_rdma_connect failed"
                        + " with DOCA_ERROR_CONNECTION_ABORTED (Connection aborted)");
    }

    @Test
    void theOrderOfCallsMatters() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            MapRange source = lab.here.filled(0, 8);
            String name = "Connection " + connection.id() + " of the " + RdmaLab.HERE;
            assertThat(connection).hasToString(name);
            assertIllegalState(() -> connection.send(source), name + " is not established yet");
            assertIllegalState(
                    () -> lab.connection.connect(lab.back.details()), lab.connection + " was connected already");
            connection.disconnect();
            connection.disconnect();
            assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertFails(
                    ConnectionEndedException.class,
                    () -> connection.connect(lab.back.details()),
                    name + " has ended: this side has disconnected");
            assertThat(connection.send(source).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(name + " has ended: this side has disconnected");
        }
    }

    @Test
    void aDisconnectedConnectionMakesRoom() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxConnections(2))) {
            lab.here.rdma.prepareConnection();
            assertFull(lab, 2);
            lab.connection.disconnect();
            RdmaConnection last = lab.here.rdma.prepareConnection();
            assertFull(lab, 2);
            assertThat(lab.here.rdma.connections()).hasSize(2).contains(last);
        }
    }

    /** NVIDIA's libraries do not free the place of a connection that was never connected. */
    @Test
    void aConnectionThatWasNeverConnectedMakesRoom() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxConnections(2))) {
            @Nullable ConnectionDetails details = null;
            for (int i = 0; i < 40; i++) {
                RdmaConnection unused = lab.here.rdma.prepareConnection();
                details = unused.details();
                assertFull(lab, 2);
                unused.disconnect();
                assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
                assertThat(unused.state()).isEqualTo(ConnectionState.DISCONNECTED);
            }
            RdmaConnection last = lab.here.rdma.prepareConnection();
            assertThat(last.details()).isEqualTo(details);
            RdmaConnection back = lab.there.rdma.prepareConnection();
            Completion<RdmaConnection> connect = last.connect(back.details());
            lab.get(back.connect(last.details()));
            lab.get(connect);
            Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
            lab.get(last.send(lab.here.filled(0, 8)));
            assertThat(lab.get(receive).length()).isEqualTo(8);
        }
    }

    private static void assertFull(RdmaLab lab, int limit) {
        assertThatThrownBy(lab.here.rdma::prepareConnection)
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(RdmaLab.HERE + " has no room for another connection: its limit is " + limit
                        + "; disconnect one, or raise maxConnections()")
                .cause()
                .isInstanceOfSatisfying(
                        DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.FULL));
    }

    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void aFailedPreparationLeavesNoConnection() {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxConnections(5))) {
            for (int i = 0; i < 3; i++) {
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failCall("doca_rdma_connection_get_id", 1, "DRIVER")
                        .inject()) {
                    assertThatThrownBy(lab.here.rdma::prepareConnection)
                            .isInstanceOf(DocaCallException.class)
                            .hasMessageStartingWith("Reading the number of a connection of the RDMA context on"
                                    + " 0000:03:00.0 (mlx5_0): doca_rdma_connection_get_id failed with"
                                    + " DOCA_ERROR_DRIVER")
                            .hasNoSuppressedExceptions();
                }
                assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
            }
            RdmaConnection prepared = lab.here.rdma.prepareConnection();
            assertThat(lab.here.rdma.connections()).containsExactly(lab.connection, prepared);
        }
    }

    @Test
    void disconnectingFailsOperationsInFlightAndTheContextKeepsRunning() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection never = lab.there.rdma.prepareConnection();
            assertThat(lab.get(connection.connect(never.details()))).isSameAs(connection);
            Completion<Long> send = connection.send(lab.here.filled(0, 8));
            Completion<RdmaConnection> disconnected = connection.whenDisconnected();
            List<ConnectionState> changes = new ArrayList<>();
            connection.addListener((changed, previous, next) -> changes.add(next));
            connection.disconnect();
            assertThat(disconnected).isCompletedWithValue(connection);
            assertThat(connection.whenDisconnected()).isCompletedWithValue(connection);
            assertThat(changes).containsExactly(ConnectionState.DISCONNECTED);
            assertThatThrownBy(() -> lab.get(send))
                    .isInstanceOfSatisfying(
                            DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.IO_FAILED))
                    .hasMessageContaining("Sending 8 bytes from 0 of Mmap of 1048576 bytes on 0000:03:00.0 (mlx5_0) on "
                            + connection);
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.get(lab.connection.write(lab.here.filled(0, 8), lab.remote.range(0, 8))))
                    .isEqualTo(8);
        }
    }

    @Test
    void aListenerThatCannotBeComparedDoesNotDelayTheOthers() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            List<String> reported = new ArrayList<>();
            lab.engine.errorHandler(failure -> reported.add(String.valueOf(failure.getMessage())));
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            List<ConnectionState> changes = new ArrayList<>();
            connection.addListener(new RdmaConnectionListener() {
                @Override
                public void stateChanged(RdmaConnection changed, ConnectionState previous, ConnectionState next) {}

                @Override
                public boolean equals(Object other) {
                    throw new IllegalStateException("equals of the listener throws");
                }

                @Override
                public int hashCode() {
                    return 1;
                }
            });
            connection.addListener((changed, previous, next) -> changes.add(next));
            connection.disconnect();
            assertThat(changes).containsExactly(ConnectionState.DISCONNECTED);
            assertThat(reported).containsExactly("equals of the listener throws");
        }
    }

    @Test
    void aListenerMayDisconnectAConnectionThatConnects() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            List<ConnectionState> changes = new ArrayList<>();
            connection.addListener((changed, previous, next) -> {
                changes.add(next);
                changed.disconnect();
            });
            assertThat(inCallback(lab, () -> connection.connect(back.details())).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " was not established: this side has disconnected");
            assertThat(changes).containsExactly(ConnectionState.CONNECTING, ConnectionState.DISCONNECTED);
            assertThat(connection.whenDisconnected()).isCompletedWithValue(connection);
            assertThat(lab.here.rdma.inFlight()).isZero();
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aListenerMayRestartTheContextOfAConnectionThatConnects() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            connection.addListener((changed, previous, next) -> {
                if (next == ConnectionState.CONNECTING) {
                    lab.here.rdma.stop();
                    lab.here.rdma.restart();
                }
            });
            assertThat(inCallback(lab, () -> connection.connect(back.details())).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " was not established: its context has stopped");
            assertThat(connection.state()).isEqualTo(ConnectionState.FAILED);
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aListenerMayStopTheContextOfAConnectionThatConnects() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection connection = lab.here.rdma.prepareConnection();
            RdmaConnection back = lab.there.rdma.prepareConnection();
            connection.addListener((changed, previous, next) -> {
                if (next == ConnectionState.CONNECTING) {
                    lab.here.rdma.stop();
                }
            });
            Completion<RdmaConnection> completion = inCallback(lab, () -> connection.connect(back.details()));
            lab.await(completion::isDone);
            assertThat(completion.exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " was not established: its context has stopped");
            assertThat(connection.state()).isEqualTo(ConnectionState.FAILED);
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.IDLE);
            assertThat(lab.reported).isEmpty();
        }
    }

    /** Makes a call in a callback, where listeners are notified before the call returns. */
    private static <T> T inCallback(RdmaLab lab, Supplier<T> call) throws Exception {
        List<T> results = new ArrayList<>();
        lab.get(lab.connection
                .write(lab.here.filled(0, 8), lab.remote.range(0, 8))
                .thenAccept(written -> results.add(call.get())));
        return results.getFirst();
    }

    @Test
    void connectionsEndWithTheirContext() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection prepared = lab.here.rdma.prepareConnection();
            RdmaConnection connecting = lab.here.rdma.prepareConnection();
            Completion<RdmaConnection> completion =
                    connecting.connect(lab.there.rdma.prepareConnection().details());
            Completion<RdmaConnection> disconnected = lab.connection.whenDisconnected();
            lab.here.rdma.stop();
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
            assertThat(disconnected).isCompletedWithValue(lab.connection);
            assertThat(completion).isCompletedWithValue(connecting);
            assertThat(lab.connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(prepared.state()).isEqualTo(ConnectionState.FAILED);
            assertThat(connecting.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(lab.here.rdma.connections()).isEmpty();
            MapRange source = lab.here.filled(0, 8);
            String stopped = RdmaLab.HERE + " is idle: it was stopped; restart() starts it again";
            assertThat(lab.connection.send(source).exceptionNow())
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessage(stopped);
            assertFails(ContextNotRunningException.class, lab.here.rdma::prepareConnection, stopped);
            assertFails(ContextNotRunningException.class, () -> prepared.connect(lab.back.details()), stopped);
            lab.connection.disconnect();
            lab.here.rdma.restart();
            assertThat(lab.connection.send(source).exceptionNow())
                    .isExactlyInstanceOf(ConnectionEndedException.class)
                    .hasMessage(lab.connection
                            + " has ended: its context has stopped, which ends all connections; make new ones after"
                            + " a restart");
            lab.reconnect();
            Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
            lab.get(lab.connection.send(source));
            assertThat(lab.get(receive).connection()).isSameAs(lab.back);
        }
    }

    @Test
    void aCallbackRestartsAndTheConnectionsOfBeforeAreOver() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            List<ContextState> seen = new ArrayList<>();
            RdmaConnection old = lab.connection;
            lab.here.rdma.addListener((context, previous, next) -> {
                seen.add(next);
                if (next == ContextState.IDLE) {
                    context.restart();
                    assertThat(lab.here.rdma.connections()).isEmpty();
                    assertThat(old.state()).isEqualTo(ConnectionState.DISCONNECTED);
                    lab.connection = lab.here.rdma.prepareConnection();
                }
            });
            lab.here.rdma.stop();
            lab.await(() -> seen.contains(ContextState.RUNNING));
            assertThat(lab.reported).isEmpty();
            assertThat(lab.connection.state()).isEqualTo(ConnectionState.PREPARED);
        }
    }

    @Test
    void aListenerOfAConnectionRestartsAndTheOtherConnectionsEndOnce() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            RdmaConnection other = lab.here.rdma.prepareConnection();
            List<ConnectionState> ends = new ArrayList<>();
            lab.connection.addListener((changed, previous, next) -> {
                lab.here.rdma.restart();
                lab.connection = lab.here.rdma.prepareConnection();
            });
            other.addListener((changed, previous, next) -> ends.add(next));
            lab.here.rdma.stop();
            assertThat(lab.reported).isEmpty();
            assertThat(ends).containsExactly(ConnectionState.FAILED);
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
            assertThat(lab.connection.state()).isEqualTo(ConnectionState.PREPARED);
        }
    }

    @Test
    void exceptionsOfAListenerAreReported() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            lab.connection.addListener((changed, previous, next) -> {
                throw new IllegalStateException("thrown");
            });
            Completion<RdmaConnection> disconnected = lab.connection.whenDisconnected();
            lab.connection.disconnect();
            assertThat(disconnected).isDone();
            assertThat(lab.reported)
                    .hasSize(1)
                    .first()
                    .satisfies(e -> assertThat(e).hasMessage("thrown"));
        }
    }

    @Test
    void connectionsBelongToTheThreadOfTheirEngine() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                Side side = new Side("mlx5_0", engine, builder -> builder, Side.ALL)) {
            RdmaConnection connection = side.rdma.prepareConnection();
            assertThat(Foreign.thrownBy(() -> connection.connect(connection.details())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("belongs to thread")
                    .hasMessageContaining("was called by thread \"other\"");
            assertThat(Foreign.thrownBy(connection::disconnect)).isInstanceOf(IllegalStateException.class);
            assertThat(Foreign.thrownBy(() -> connection.submit(RdmaOperation.sendImmediate(1))))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(Foreign.thrownBy(side.rdma::receive)).isInstanceOf(IllegalStateException.class);
            assertThat(Foreign.thrownBy(side.rdma::prepareConnection)).isInstanceOf(IllegalStateException.class);
            assertThat(connection.state()).isEqualTo(ConnectionState.PREPARED);
        }
    }

    private static void assertFails(Class<? extends RuntimeException> type, ThrowingCallable call, String message) {
        assertThatThrownBy(call).isExactlyInstanceOf(type).hasMessage(message);
    }

    private static void assertIllegalState(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }
}
