/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.Doca;
import io.docajava.core.context.ContextState;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.Backend;
import io.docajava.ffi.generated.rdma.DocaRdma;
import io.docajava.junit.DocaExtension;
import io.docajava.rdma.internal.Internals;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests callbacks that use a connection after the SDK has reported its failure and before users are notified. The native
 * connection no longer exists then, and none of its functions may be called. The client has its own engine, so that several of
 * its connections fail within one round of the server's engine.
 */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction(NeedsFunction.CONNECTIONS)
class UndeliveredFailureTest extends CompletionModes {

    private static final RdmaAddress LOOPBACK = RdmaAddress.ipv4("127.0.0.1");
    private static final String VOID =
            "The connection request is void: the peer has given up, or the " + RdmaLab.THERE + " has stopped since";
    /** Other test classes and other JVMs use other ports. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(12_000 + (int) (ProcessHandle.current().pid() % 200) * 40);

    private final int port = NEXT_PORT.getAndIncrement();
    private final List<ConnectionRequest> requests = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private int mostRequestsInOneRound;
    private RdmaLab lab;
    private RdmaContext server;
    private ProgressEngine engine;
    private Side client;

    @BeforeEach
    void open() {
        lab = new RdmaLab();
        server = lab.there.rdma;
        engine = ProgressEngine.create();
        client = new Side("mlx5_0", engine, builder -> builder, Side.ALL);
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        client.close();
        engine.close();
        lab.close();
    }

    @Test
    void aRequestIsNotAnswered() throws Exception {
        ask(3);
        assumeEventsInOneRound();
        Completion<RdmaConnection> first = requests.getFirst().accept();
        List<Throwable> refusals = new ArrayList<>();
        assertThat(first.whenComplete((connection, failure) -> {
                    failures.add(failure);
                    refusals.add(
                            thrownBy(() -> assertThat(requests.get(1).accept()).isNotNull()));
                    refusals.add(thrownBy(requests.get(2)::reject));
                    refusals.add(thrownBy(requests.get(2)::reject));
                }))
                .isNotDone();
        client.rdma.stop();
        lab.await(first::isDone);
        assertThat(failures)
                .hasSize(1)
                .allMatch(failure -> String.valueOf(failure.getMessage()).contains("ABORTED"));
        assertThat(refusals)
                .hasSize(3)
                .allMatch(IllegalStateException.class::isInstance)
                .extracting(Throwable::getMessage)
                .containsOnly(VOID);
        assertThat(server.connections()).containsExactly(lab.back);
    }

    @Test
    void acceptedConnectionsAreDiscardedWithoutTheSdk() throws Exception {
        ask(2);
        assumeEventsInOneRound();
        Completion<RdmaConnection> first = requests.getFirst().accept();
        Completion<RdmaConnection> second = requests.getLast().accept();
        RdmaConnection other = server.connections().getLast();
        assertThat(first.whenComplete((connection, failure) -> {
                    failures.add(failure);
                    assertThat(other.state()).isEqualTo(ConnectionState.CONNECTING);
                    other.disconnect();
                    assertThat(other.state()).isEqualTo(ConnectionState.DISCONNECTED);
                }))
                .isNotDone();
        client.rdma.stop();
        lab.await(second::isDone);
        assertThat(failures).hasSize(1);
        assertThatThrownBy(() -> lab.get(second))
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(other + " was not established: this side has disconnected");
        assertThat(server.connections()).containsExactly(lab.back);
    }

    @Test
    void nothingIsSubmittedOnOneThatWasEstablished() throws Exception {
        endsAreFailures();
        ask(2);
        assumeEventsInOneRound();
        List<RdmaConnection> accepted = List.of(accept(requests.getFirst()), accept(requests.getLast()));
        EngineImpl core = EngineImpl.of(lab.engine);
        List<Completion<Long>> sends = new ArrayList<>();
        List<RdmaConnection> others = new ArrayList<>();
        List<Long> rounds = new ArrayList<>();
        accepted.forEach(connection -> connection.addListener((changed, previous, next) -> {
            assertThat(next).isEqualTo(ConnectionState.DISCONNECTED);
            rounds.add(core.round());
            RdmaConnection other = changed == accepted.getFirst() ? accepted.getLast() : accepted.getFirst();
            if (sends.isEmpty()) {
                assertThat(other.state()).isEqualTo(ConnectionState.ESTABLISHED);
                others.add(other);
                sends.add(other.submit(RdmaOperation.sendImmediate(1)));
            }
        }));
        client.rdma.stop();
        lab.await(() -> rounds.size() == 2);
        // The requests may have come in one round by chance.
        assumeTrue(
                rounds.getFirst().equals(rounds.getLast()),
                "the SDK reports the ends of connections in several rounds");
        assertThat(sends.getFirst().exceptionNow())
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(others.getFirst() + " has ended: it has failed");
        assertThat(accepted.getFirst().submit(RdmaOperation.sendImmediate(1)).exceptionNow())
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(accepted.getFirst() + " has ended: it has failed");
    }

    @Test
    void oneIsNotEstablishedAnyMore() throws Exception {
        endsAreFailures();
        ask(2);
        assumeEventsInOneRound();
        Completion<RdmaConnection> accepted = requests.getFirst().accept();
        RdmaConnection connection = server.connections().getLast();
        List<ConnectionState> states = new ArrayList<>();
        connection.addListener((changed, previous, next) -> states.add(next));
        assertThat(engine.await(() -> established(client.rdma) == 1, RdmaLab.SOON))
                .as("waits for the established connection")
                .isTrue();
        client.rdma.stop();
        assertThatThrownBy(() -> lab.get(accepted)).hasMessageContaining("ABORTED");
        assertThat(states).containsExactly(ConnectionState.FAILED);
    }

    @Test
    void aGraphCannotSubmitOnOneThatHasFailed() throws Exception {
        Requirements.waitingTasks();
        endsAreFailures();
        ask(1);
        RdmaConnection connection = accept(requests.getFirst());
        SyncEventContext event = SyncEvent.builder(lab.there.device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .start(lab.engine);
        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode first = plan.context(event);
        ContextNode second = plan.context(server);
        try (event;
                SyncEventTask waiting = event.task(SyncEventOperation.waitEqual(1));
                RdmaTask write = connection.task(RdmaOperation.send(lab.there.filled(0, 8)));
                Graph graph = plan.dependency(first, second).start();
                GraphInstance instance = graph.instance().set(first, waiting).set(second, write)) {
            Completion<GraphInstance> run = instance.submit();
            client.rdma.stop();
            lab.await(() -> connection.state().isFinal());
            assertThat(server.state()).isEqualTo(ContextState.STOPPING);
            lab.get(event.submit(SyncEventOperation.set(1)));
            assertThatThrownBy(() -> lab.get(run)).hasMessageContaining(RdmaLab.THERE + " is stopping: it was stopped");
        }
    }

    /** Makes the SDK report a failure when the client ends a connection. */
    private void endsAreFailures() {
        server.stop();
        EngineImpl core = EngineImpl.of(lab.engine);
        assertThat(DocaRdma.doca_rdma_set_connection_state_callbacks(
                        Internals.pointer(server),
                        core.plainEvent(Internals.REQUESTED),
                        core.event(Internals.ESTABLISHED),
                        core.event(Internals.FAILED),
                        core.event(Internals.FAILED)))
                .isZero();
        server.restart();
    }

    /**
     * Assumes that the SDK reports several events of connections in one round of progress, as those were that asked. DOCA 3.0
     * reports one event in a round.
     */
    private void assumeEventsInOneRound() {
        assumeTrue(
                mostRequestsInOneRound == requests.size() || Doca.backend() == Backend.EMULATOR,
                "the SDK reports one event of a connection in a round of progress");
    }

    private void ask(int times) throws Exception {
        RdmaListener listener = server.listen(port, requests::add);
        for (int i = 0; i < times; i++) {
            assertThat(client.rdma.connect(LOOPBACK, port)).isNotDone();
        }
        AtomicInteger before = new AtomicInteger();
        lab.await(() -> {
            engine.progress();
            mostRequestsInOneRound =
                    Math.max(mostRequestsInOneRound, requests.size() - before.getAndSet(requests.size()));
            return requests.size() == times;
        });
        assertThat(listener.isOpen()).isTrue();
    }

    private RdmaConnection accept(ConnectionRequest request) throws Exception {
        long before = established(client.rdma);
        Completion<RdmaConnection> completion = request.accept();
        // The client must also know of the connection; otherwise its later call does not end a connection.
        lab.await(() -> {
            engine.progress();
            return completion.isDone() && established(client.rdma) > before;
        });
        return lab.get(completion);
    }

    private static long established(RdmaContext context) {
        return context.connections().stream()
                .filter(connection -> connection.state() == ConnectionState.ESTABLISHED)
                .count();
    }

    private static Throwable thrownBy(ThrowingCallable call) {
        try {
            call.call();
        } catch (Throwable thrown) {
            return thrown;
        }
        return new AssertionError("Nothing was thrown");
    }
}
