/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.NodeAction;
import io.docajava.core.graph.UserNode;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.junit.DocaExtension;
import io.docajava.rdma.internal.Internals;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests connections that end when a running graph is about to submit a task on them. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction("doca_sync_event_task_wait_eq_set_conf")
class ConnectionOfGraphTest extends CompletionModes {

    private static final RdmaAddress LOOPBACK = RdmaAddress.ipv4("127.0.0.1");
    /** Other test classes and other JVMs use other ports. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(10_000 + (int) (ProcessHandle.current().pid() % 200) * 10);

    private final List<RdmaConnection> accepted = new ArrayList<>();
    private RdmaLab lab;
    private SyncEventContext event;
    private SyncEventTask waiting;
    private Graph graph;
    private GraphInstance instance;
    private RdmaTask send;
    /** The user node between waiting and sending. */
    private NodeAction<Object> action = data -> {};

    @BeforeAll
    static void require() {
        Requirements.waitingTasks();
    }

    @BeforeEach
    void open() {
        lab = new RdmaLab();
        event = SyncEvent.builder(lab.here.device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .start(lab.engine);
        waiting = event.task(SyncEventOperation.waitEqual(1));
        send = lab.connection.task(RdmaOperation.send(lab.here.filled(0, 16)));
        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode first = plan.context("wait", event);
        UserNode<Object> second = plan.user("act", data -> action.run(data));
        ContextNode third = plan.context("send", lab.here.rdma);
        graph = plan.dependency(first, second).dependency(second, third).start();
        instance = graph.instance().set(first, waiting).set(third, send);
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        instance.close();
        graph.close();
        send.close();
        waiting.close();
        event.close();
        lab.close();
    }

    private RdmaConnection connectByAddress() throws Exception {
        int port = NEXT_PORT.getAndIncrement();
        try (RdmaListener listener = lab.there.rdma.listen(
                port,
                request ->
                        assertThat(request.accept().thenAccept(accepted::add)).isNotDone())) {
            RdmaConnection connection = lab.get(lab.here.rdma.connect(LOOPBACK, port));
            lab.await(() -> accepted.size() == 1);
            assertThat(listener.isOpen()).isTrue();
            return connection;
        }
    }

    private static String refusal(RdmaConnection connection) {
        return connection + " cannot be disconnected while 1 task of a running graph uses it";
    }

    @Test
    void cannotBeDisconnectedHere() throws Exception {
        Completion<GraphInstance> run = instance.submit();
        assertThatThrownBy(lab.connection::disconnect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal(lab.connection));
        assertThat(lab.connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
        Completion<Received> received = lab.there.rdma.receive(lab.there.memory.range(5000, 64));
        lab.get(event.submit(SyncEventOperation.set(1)));
        assertThat(lab.get(run)).isSameAs(instance);
        assertThat(lab.get(received).connection()).isSameAs(lab.back);
        lab.assertSame(0, 5000, 16);
        lab.connection.disconnect();
        assertThat(lab.connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
    }

    @Test
    void cannotBeDisconnectedByAUserNode() throws Exception {
        action = data -> lab.connection.disconnect();
        /* The SDK ignores what happens in a user node, and sends. */
        Completion<Received> received = lab.there.rdma.receive(lab.there.memory.range(5000, 64));
        Completion<GraphInstance> run = instance.submit();
        lab.get(event.submit(SyncEventOperation.set(1)));
        assertThatThrownBy(() -> lab.get(run))
                .isInstanceOf(GraphFailedException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal(lab.connection));
        assertThat(lab.get(received).connection()).isSameAs(lab.back);
        assertThat(lab.connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
        lab.connection.disconnect();
        assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
    }

    @Test
    void isThereForTheSdkUntilTheRunHasEnded() throws Exception {
        RdmaConnection connection = connectByAddress();
        send.connection(connection);
        RdmaContext connecting = lab.here.rdma;
        action = data -> {
            assertThat(Internals.addressesInUse(connecting)).isEqualTo(1);
            throw new IllegalArgumentException("enough");
        };
        Completion<GraphInstance> run = instance.submit();
        Completion<RdmaConnection> ended = connection.whenDisconnected();
        accepted.getFirst().disconnect();
        assertThat(lab.get(ended)).isSameAs(connection);
        assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
        assertThat(lab.here.rdma.connections()).containsExactly(lab.connection);
        assertThat(connection.submit(RdmaOperation.sendImmediate(1)).exceptionNow())
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended: the peer has disconnected");
        connection.disconnect();
        assertThat(Internals.addressesInUse(connecting)).isEqualTo(1);
        assertThat(instance.isRunning()).isTrue();

        lab.get(event.submit(SyncEventOperation.set(1)));
        assertThatThrownBy(() -> lab.get(run)).hasMessageEndingWith("enough");
        assertThat(Internals.addressesInUse(connecting)).isZero();
        assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
        assertThatThrownBy(instance::submit)
                .isInstanceOf(ConnectionEndedException.class)
                .hasMessage(connection + " has ended: the peer has disconnected");
    }

    @Test
    void takesTheTaskOfTheGraphWhenThePeerHasGone() throws Exception {
        RdmaConnection connection = connectByAddress();
        send.connection(connection);
        Completion<GraphInstance> run = instance.submit();
        Completion<RdmaConnection> ended = connection.whenDisconnected();
        accepted.getFirst().disconnect();
        lab.get(ended);
        lab.get(event.submit(SyncEventOperation.set(1)));
        assertThatThrownBy(() -> lab.get(run))
                .isInstanceOf(GraphFailedException.class)
                .hasMessageEndingWith(" has ended");
        assertThat(instance.isRunning()).isFalse();
    }
}
