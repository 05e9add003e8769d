/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.ConnectionState;
import io.docajava.rdma.LoggedReason;
import io.docajava.rdma.NeedsFunction;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaListener;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.ReceiveTask;
import io.docajava.rdma.Received;
import io.docajava.testing.NeedsEmulator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that this side continues with another peer after a peer was killed in any phase. */
@Timeout(600)
class KilledPeerTest {

    /** The number of tests that kill a peer. All peers start together, as starting takes the longest. */
    private static final int VICTIMS = 6;

    private static final Deque<PeerJvm> VICTIMS_TO_BE = new ArrayDeque<>();

    private static @Nullable PeerJvm survivor;

    private ProgressEngine engine;
    private PeerJvm victim;
    private final List<OwnSide> sides = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        for (int i = 0; i < VICTIMS; i++) {
            VICTIMS_TO_BE.add(Peer.start());
        }
        survivor = Peer.start();
    }

    @AfterAll
    static void end() throws Exception {
        if (survivor != null) {
            VICTIMS_TO_BE.add(survivor);
        }
        for (PeerJvm peer : VICTIMS_TO_BE) {
            peer.close();
        }
        VICTIMS_TO_BE.clear();
    }

    @BeforeEach
    void open() throws Exception {
        victim = VICTIMS_TO_BE.remove();
        engine = ProgressEngine.create();
    }

    @AfterEach
    void close() throws Exception {
        victim.close();
        sides.forEach(OwnSide::close);
        engine.close();
    }

    /** Connects with another peer, after a restart if the context has stopped. */
    private static void assertStillRunning(OwnSide side) throws Exception {
        PeerJvm other = survivor;
        assertThat(other).isNotNull();
        assertThat(other.ask("restart")).isEqualTo("restarted");
        if (side.rdma.state() == ContextState.IDLE) {
            side.rdma.restart();
        }
        RdmaConnection again = side.connect(other);
        assertThat(other.ask("receive 0 64")).isEqualTo("posted");
        assertThat(side.get(again.send(side.filled(0, 64)))).isEqualTo(64);
        assertThat(other.ask("received")).isEqualTo("SEND 64 0");
    }

    /** Checks that the operation has failed because of the peer and that its context stops. */
    private void assertRootCause(OwnSide side, TaskFailedException failure, String what, String function)
            throws Exception {
        assertThat(failure)
                .hasMessageStartingWith(what)
                .hasMessageContaining(
                        ": " + function + " failed with DOCA_ERROR_IO_FAILED (Input/Output Operation Failed)");
        assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
        assertThat(failure.reason()).isEqualTo(Reason.ROOT_CAUSE);
        side.awaitIdle();
        assertThat(side.rdma.failure()).containsSame(failure);
        assertThat(side.rdma.connections()).isEmpty();
    }

    /** Checks the expected effect of the kill. */
    private interface Consequence {
        void check() throws Exception;
    }

    private OwnSide addSide() {
        OwnSide side = new OwnSide(engine);
        sides.add(side);
        return side;
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void whileItDoesNothing() throws Exception {
        List<Consequence> consequences = List.of(
                beforeItConnects(addSide()),
                whileItIsConnected(addSide()),
                whileItIsConnectedByAddress(addSide()),
                whileAMessageWaits(addSide()),
                afterThisSideHasDisconnected(addSide()));
        victim.kill();
        for (Consequence consequence : consequences) {
            consequence.check();
        }
        for (OwnSide side : sides) {
            assertStillRunning(side);
        }
    }

    private Consequence beforeItConnects(OwnSide side) throws Exception {
        RdmaConnection connection = side.rdma.prepareConnection();
        ConnectionDetails details = OwnSide.prepare(victim);
        assertThat(connection.connect(details)).isCompletedWithValue(connection);
        engine.progress();
        return () -> {
            assertThat(side.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertRootCause(
                    side, failureOf(connection.send(side.filled(0, 8))), "Sending 8 bytes", "doca_rdma_task_send");
            assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
        };
    }

    /** NVIDIA's libraries accept its details, and the first operation fails. */
    @Test
    @NeedsEmulator
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void beforeItsDetailsAreUsed() throws Exception {
        OwnSide side = addSide();
        RdmaConnection connection = side.rdma.prepareConnection();
        ConnectionDetails details = OwnSide.prepare(victim);
        victim.kill();
        assertThatThrownBy(() -> connection.connect(details))
                .isInstanceOfSatisfying(
                        DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                .hasMessageStartingWith("Connecting the RDMA context on 0000:03:00.0 (mlx5_0): doca_rdma_connect"
                        + " failed with DOCA_ERROR_CONNECTION_ABORTED (Connection aborted)");
        assertStillRunning(side);
    }

    /** The end of the connection is not noticed before the next operation. */
    private Consequence whileItIsConnected(OwnSide side) throws Exception {
        RdmaConnection connection = side.connect(victim);
        MapRange remote = side.importFrom(victim).range(0, 64);
        return () -> {
            for (int i = 0; i < 100; i++) {
                engine.progress();
            }
            assertThat(side.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
            Completion<Long> write = connection.write(side.filled(0, 64), remote);
            Completion<Received> receive = side.rdma.receive();
            TaskFailedException failure = failureOf(write);
            assertRootCause(side, failure, "Writing 64 bytes from 0 of Mmap", "doca_rdma_task_write");
            assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
            TaskFailedException other = failureOf(receive);
            assertThat(other.reason()).isEqualTo(Reason.ABORTED);
            assertThat(other.rootCause()).containsSame(failure);
        };
    }

    private Consequence whileItIsConnectedByAddress(OwnSide side) throws Exception {
        RdmaConnection connection = side.connectByAddress(victim);
        Completion<RdmaConnection> disconnected = connection.whenDisconnected();
        return () -> {
            assertThat(side.get(disconnected)).isSameAs(connection);
            assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(side.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(connection.submit(RdmaOperation.sendImmediate(1)).exceptionNow())
                    .isInstanceOf(ConnectionEndedException.class)
                    .hasMessage(connection + " has ended: the peer has disconnected");
        };
    }

    private Consequence whileAMessageWaits(OwnSide side) throws Exception {
        RdmaConnection connection = side.connect(victim);
        Completion<Long> send = connection.send(side.filled(0, 64));
        for (int i = 0; i < 100; i++) {
            engine.progress();
        }
        assertThat(send).isNotDone();
        return () -> assertRootCause(side, failureOf(send), "Sending 64 bytes from 0 of Mmap", "doca_rdma_task_send");
    }

    /** The victim makes no progress, so it does not notice the disconnect. */
    private Consequence afterThisSideHasDisconnected(OwnSide side) throws Exception {
        RdmaConnection connection = side.connectByAddress(victim);
        Completion<RdmaConnection> disconnected = connection.whenDisconnected();
        connection.disconnect();
        return () -> {
            assertThat(side.get(disconnected).state()).isEqualTo(ConnectionState.DISCONNECTED);
            assertThat(side.rdma.state()).isEqualTo(ContextState.RUNNING);
        };
    }

    private TaskFailedException failureOf(Completion<?> completion) {
        return catchThrowableOfType(TaskFailedException.class, () -> completion.await(OwnSide.SOON));
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void inTheMiddleOfOperationsOfEveryKind() throws Exception {
        List<Stream> streams = new ArrayList<>();
        for (RdmaTaskType type : Stream.TYPES) {
            streams.add(new Stream(type, addSide(), victim));
        }
        assertThat(victim.ask("absorb")).isEqualTo("absorbing");
        streams.forEach(Stream::start);
        assertThat(engine.await(() -> streams.stream().allMatch(stream -> stream.times() > 10), OwnSide.SOON))
                .as("waits for more than 10 operations of each stream")
                .isTrue();
        victim.kill();
        for (Stream stream : streams) {
            stream.side().await(() -> stream.failure().isPresent());
            assertRootCause(stream.side(), stream.failure().orElseThrow(), stream.words(), stream.function());
            stream.closeTask();
            assertStillRunning(stream.side());
        }
    }

    @Test
    void inTheMiddleOfItsMessages() throws Exception {
        OwnSide own = addSide();
        RdmaConnection connection = own.connect(victim);
        AtomicInteger received = new AtomicInteger();
        List<ReceiveTask> receives = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MapRange target = own.memory.all();
            ReceiveTask receive = own.rdma.receiveTask(target).onCompletion(done -> {
                if (done.status() == TaskStatus.SUCCEEDED) {
                    received.incrementAndGet();
                    done.submit();
                }
            });
            receive.submit();
            receives.add(receive);
        }
        assertThat(victim.ask("stream")).isEqualTo("streaming");
        own.await(() -> received.get() > 10);
        victim.kill();
        // A kill in the middle of a send fails the send and its context.
        Completion<Long> send = connection.submit(RdmaOperation.sendImmediate(1));
        own.awaitIdle();
        assertThat(send).isCompletedExceptionally();
        for (ReceiveTask receive : receives) {
            // If the receive succeeded just before the failure, its callback could not submit it again.
            assertThat(receive.status()).isIn(TaskStatus.FAILED, TaskStatus.SUCCEEDED);
            receive.close();
        }
        assertStillRunning(own);
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void whileItWaitsToBeAccepted() throws Exception {
        OwnSide own = addSide();
        int port = OwnSide.newPort();
        List<ConnectionRequest> requests = new ArrayList<>();
        try (RdmaListener listener = own.rdma.listen(port, requests::add)) {
            victim.send(asking(port));
            own.await(() -> requests.size() == 1);
            victim.kill();
            // The SDK refuses at once, or learns of the end of the peer later.
            assertThatThrownBy(() -> own.get(requests.getFirst().accept()))
                    .isInstanceOfSatisfying(
                            DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                    .hasMessageStartingWith("Accepting a connection to ")
                    .hasMessageContaining("0000:03:00.0 (mlx5_0): "
                            + "doca_rdma_connection_accept failed with DOCA_ERROR_CONNECTION_ABORTED");
            assertThat(own.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(listener.isOpen()).isTrue();
            PeerJvm other = survivor;
            assertThat(other).isNotNull();
            assertThat(other.ask("restart")).isEqualTo("restarted");
            other.send(asking(port));
            own.await(() -> requests.size() == 2);
            RdmaConnection connection = own.get(requests.getLast().accept());
            assertThat(other.receive()).isEqualTo("connected");
            assertThat(other.ask("receive 0 64")).isEqualTo("posted");
            assertThat(own.get(connection.send(own.filled(0, 64)))).isEqualTo(64);
        }
    }

    private static String asking(int port) {
        return "ask " + OwnSide.addressOf("mlx5_0").text() + " " + port;
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void beforeItAcceptsOrRejects() throws Exception {
        OwnSide own = addSide();
        int port = OwnSide.newPort();
        assertThat(victim.ask("hesitate " + port)).isEqualTo("listening to " + port);
        Completion<RdmaConnection> completion = own.rdma.connect(OwnSide.addressOf(Peer.IB_DEVICE), port);
        FutureTask<String> answer = new FutureTask<>(victim::receive);
        Thread.ofVirtual().start(answer);
        own.await(answer::isDone);
        assertThat(answer.get()).isEqualTo("asked");
        assertThat(completion).isNotDone();
        victim.kill();
        assertThatThrownBy(() -> own.get(completion))
                .isInstanceOfSatisfying(
                        DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                .hasMessageStartingWith("Connecting the RDMA context on 0000:03:00.0 (mlx5_0) to ")
                .hasMessageContaining("doca_rdma_connect_to_addr failed with DOCA_ERROR_CONNECTION_ABORTED")
                .hasMessageEndingWith(LoggedReason.ofConnection("the other side has closed it"));
        assertThat(own.rdma.state()).isEqualTo(ContextState.RUNNING);
        assertStillRunning(own);
    }
}
