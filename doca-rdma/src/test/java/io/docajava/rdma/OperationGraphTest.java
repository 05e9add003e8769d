/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaError;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncLocation;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests graphs that read from a peer, write to it, and change its sync event. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class OperationGraphTest extends CompletionModes {

    private static final String REMOTE = "RemoteSyncEvent on 0000:03:00.0 (mlx5_0)";

    private final List<String> log = new ArrayList<>();

    private RdmaLab lab;
    private SyncEvent event;
    private RemoteSyncEvent remote;
    private MapRange local;
    private RdmaTask read;
    private RdmaTask write;
    private RdmaTask add;
    private Graph graph;
    private GraphInstance instance;

    @BeforeEach
    void open() {
        lab = new RdmaLab();
        event = SyncEvent.builder(lab.there.device)
                .publisher(SyncLocation.CPU)
                .publisher(SyncLocation.REMOTE_NET)
                .subscriber(SyncLocation.CPU)
                .start();
        remote = RemoteSyncEvent.of(lab.here.device, event.exportRdma());
        local = lab.here.memory.range(1000, 64);
        lab.there.filled(0, 64);
        read = lab.connection.task(RdmaOperation.read(lab.remote.range(0, 64), local));
        write = lab.connection.task(RdmaOperation.write(local, lab.remote.range(5000, 64)));
        add = lab.connection.task(RdmaOperation.addToEvent(remote, 10));

        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode reading = plan.context("read", lab.here.rdma);
        UserNode<MapRange> seen =
                plan.user("seen", range -> log.add(read.result() + " of " + range.length() + " bytes"));
        ContextNode writing = plan.context("write", lab.here.rdma);
        ContextNode adding = plan.context("add", lab.here.rdma);
        graph = plan.dependency(reading, seen)
                .dependency(seen, writing)
                .dependency(writing, adding)
                .start();
        instance = graph.instance()
                .set(reading, read)
                .set(seen, local)
                .set(writing, write)
                .set(adding, add);
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        instance.close();
        graph.close();
        lab.here.rdma.close();
        remote.close();
        event.close();
        lab.close();
    }

    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void readsWritesAndNotifies() throws Exception {
        for (int run = 0; run < 3; run++) {
            Completion<GraphInstance> done = instance.submit();
            assertThat(read.status()).isEqualTo(TaskStatus.IN_FLIGHT);
            assertThat(lab.here.rdma.inFlight()).isEqualTo(3);
            assertThatThrownBy(remote::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(REMOTE + " cannot be closed while 1 operation uses it");
            assertThat(lab.get(done)).isSameAs(instance);

            lab.assertSame(1000, 0, 64);
            lab.assertSame(1000, 5000, 64);
            assertThat(read.result()).isEqualTo(64);
            assertThat(write.result()).isEqualTo(64);
            assertThat(add.result()).isEqualTo(run * 10L);
            assertThat(add.status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(event.get()).isEqualTo((run + 1) * 10L);
            assertThat(log).hasSize(run + 1).containsOnly("64 of 64 bytes");
            assertThat(lab.here.rdma.inFlight()).isZero();
        }
        add.submit();
        lab.await(add::isDone);
        assertThat(add.result()).isEqualTo(30);
    }

    /** The write is checked with the data that its buffer will have after the read. */
    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void readsIntoABufferAndWritesItsData() throws Exception {
        Buf buffer = lab.here.space(3000, 64);
        read.operation(RdmaOperation.read(lab.remoteData(0, 64), buffer));
        write.operation(RdmaOperation.write(buffer, lab.remoteSpace(5000, 64)));
        for (int run = 0; run < 3; run++) {
            buffer.clear();
            lab.get(instance.submit());
            assertThat(buffer.dataLength()).isEqualTo(64);
            lab.assertSame(3000, 0, 64);
            lab.assertSame(3000, 5000, 64);
            assertThat(read.result()).isEqualTo(64);
            assertThat(write.result()).isEqualTo(64);
        }
    }

    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void failsWithTheOperation() {
        event.close();
        Completion<GraphInstance> done = instance.submit();
        assertThatThrownBy(() -> lab.get(done))
                .isInstanceOfSatisfying(GraphFailedException.class, failure -> {
                    assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                    assertThat(failure.node().orElseThrow()).hasToString("node 3 \"add\"");
                })
                .hasMessageStartingWith(
                        instance + " failed at node 3 \"add\": Adding 10 to " + REMOTE + " on Connection ");
        assertThat(add.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(add.failure()).isPresent();
        assertThat(read.status()).isEqualTo(TaskStatus.SUCCEEDED);
        remote.close();
    }

    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void refusesASecondUseOfWhatIsWrittenTo() throws Exception {
        Buf source = lab.here.data(2000, 8);
        Buf target = lab.remoteSpace(6000, 64);
        RdmaTask first = lab.connection.task(RdmaOperation.write(source, target));
        RdmaTask second = lab.connection.task(RdmaOperation.write(source, target));
        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode before = plan.context("before", lab.here.rdma);
        ContextNode after = plan.context("after", lab.here.rdma);
        try (Graph twice = plan.dependency(before, after).start();
                GraphInstance both = twice.instance().set(before, first).set(after, second)) {
            assertThatThrownBy(both::submit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "node 1 \"after\" uses a buffer of a peer's memory that node 0 \"before\" uses, and one of"
                                    + " them writes: take a buffer for each");
            assertThat(lab.here.rdma.inFlight()).isZero();
            second.operation(RdmaOperation.write(source, lab.remoteSpace(7000, 64)));
            lab.get(both.submit());
            lab.assertSame(2000, 6000, 8);
            lab.assertSame(2000, 7000, 8);
        }
    }
}
