/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.ConnectionState;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that are other processes, which do nothing but what they are told, and may be killed. */
@Timeout(120)
class RemotePeerTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int MEMORY = 1 << 16;

    private static @Nullable PeerJvm shared;

    private Device device;
    private ProgressEngine engine;
    private RdmaContext rdma;
    private Mmap memory;
    private BufInventory buffers;
    private PeerJvm peer;

    @BeforeEach
    void open() throws Exception {
        peer = livingPeer();
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        rdma = RdmaContext.builder(device)
                .permissions(Access.RDMA_ATOMIC)
                .rnrRetryCount(7)
                .start(engine);
        memory = Mmap.allocate(device, MEMORY, Access.LOCAL_READ_WRITE.and(Access.RDMA_ATOMIC));
        buffers = BufInventory.create(64);
    }

    /** That of the test before, if it lives still, as if it were a new one. */
    private static PeerJvm livingPeer() throws Exception {
        PeerJvm last = shared;
        if (last != null && last.isAlive()) {
            assertThat(last.ask("restart")).isEqualTo("restarted");
            return last;
        }
        PeerJvm next = new PeerJvm();
        shared = next;
        return next;
    }

    @AfterEach
    void close() {
        rdma.close();
        buffers.close();
        memory.close();
        engine.close();
        device.close();
    }

    @AfterAll
    static void endPeer() throws Exception {
        if (shared != null) {
            shared.close();
        }
    }

    private RdmaConnection connect(PeerJvm other) throws Exception {
        RdmaConnection connection = rdma.prepareConnection();
        ConnectionDetails details = other.prepare();
        other.connect(connection.details());
        connection.connect(details).await(engine, SOON);
        assertThat(other.answer()).isEqualTo("ESTABLISHED");
        return connection;
    }

    private static RdmaAddress addressOfPeer() {
        return Device.list().stream()
                .filter(info -> info.ibDevice().equals(Optional.of("mlx5_1")))
                .map(info -> RdmaAddress.of(info.ipv6().orElseThrow()))
                .findFirst()
                .orElseThrow();
    }

    private void fill(long length) {
        for (long i = 0; i < length; i++) {
            memory.segment().set(JAVA_BYTE, i, (byte) (i + 100));
        }
    }

    @Test
    void worksInTheMemoryOfAPeerThatDoesNothing() throws Exception {
        RdmaConnection connection = connect(peer);
        Mmap remote = Mmap.fromExport(device, peer.export());
        fill(4096);
        assertThat(connection
                        .write(buffers.data(memory, 0, 4096), buffers.space(remote, 8192, 4096))
                        .await(engine, SOON))
                .isEqualTo(4096);
        assertThat(connection
                        .read(buffers.data(remote, 300, 1000), buffers.space(memory, 5000, 1000))
                        .await(engine, SOON))
                .isEqualTo(1000);
        long word = 0x0706050403020100L;
        assertThat(connection.fetchAdd(buffers.space(remote, 0, 8), 1).await(engine, SOON))
                .isEqualTo(word);
        assertThat(connection
                        .compareAndSwap(buffers.space(remote, 0, 8), word + 1, -1)
                        .await(engine, SOON))
                .isEqualTo(word + 1);
        assertThat(memory.segment().get(JAVA_BYTE, 5999)).isEqualTo((byte) 1299);
        assertThat(peer.ask("byte " + (8192 + 4095))).isEqualTo(String.valueOf((byte) (4095 + 100)));
        assertThat(peer.ask("word 0")).isEqualTo("-1");
        buffers.close();
        remote.close();
    }

    @Test
    void talksWithAPeer() throws Exception {
        RdmaConnection connection = connect(peer);
        fill(64);
        assertThat(peer.ask("receive 1000 64")).isEqualTo("posted");
        assertThat(connection.send(buffers.data(memory, 0, 64)).await(engine, SOON))
                .isEqualTo(64);
        assertThat(peer.ask("received")).isEqualTo("SEND 64 0");
        assertThat(peer.ask("byte 1063")).isEqualTo(String.valueOf((byte) 163));
        // The peer's receive comes when the message waits already.
        Completion<Long> early = connection.sendImmediate(buffers.data(memory, 0, 10), 77);
        assertThat(peer.ask("receive 2000 64")).isEqualTo("posted");
        assertThat(early.await(engine, SOON)).isEqualTo(10);
        assertThat(peer.ask("received")).isEqualTo("SEND_IMMEDIATE 10 77");
        Completion<Received> answer = rdma.receive(buffers.space(memory, 500, 100));
        assertThat(peer.ask("send 5 50")).isEqualTo("50");
        assertThat(answer.await(engine, SOON).kind()).isEqualTo(ReceivedKind.SEND);
        assertThat(memory.segment().get(JAVA_BYTE, 549)).isEqualTo((byte) 54);
    }

    @Test
    void connectsByAddress() throws Exception {
        int port = 10_000 + (int) (ProcessHandle.current().pid() % 10_000);
        peer.tell("listen " + port);
        assertThat(peer.answer()).isEqualTo("listening to " + port);
        RdmaConnection connection = rdma.connect(addressOfPeer(), port).await(engine, SOON);
        assertThat(peer.answer()).isEqualTo("accepted");
        assertThat(peer.ask("receive 0 64")).isEqualTo("posted");
        assertThat(connection.sendImmediate(3).await(engine, SOON)).isZero();
        assertThat(peer.ask("received")).isEqualTo("SEND_IMMEDIATE 0 3");
        connection.disconnect();
        assertThat(peer.ask("ended")).isEqualTo("disconnected RUNNING");
    }

    @Test
    void learnsOfTheDeathOfAPeerByAddress() throws Exception {
        int port = 10_000 + (int) (ProcessHandle.current().pid() % 10_000);
        peer.tell("listen " + port);
        assertThat(peer.answer()).isEqualTo("listening to " + port);
        RdmaConnection connection = rdma.connect(addressOfPeer(), port).await(engine, SOON);
        assertThat(peer.answer()).isEqualTo("accepted");
        Completion<RdmaConnection> disconnected = connection.disconnected();
        peer.kill();
        assertThat(disconnected.await(engine, SOON)).isSameAs(connection);
        assertThat(connection.state()).isEqualTo(ConnectionState.DISCONNECTED);
        assertThat(rdma.state()).isEqualTo(ContextState.RUNNING);
    }

    @Test
    void aPeerThatIsKilledBeforeItConnects() throws Exception {
        RdmaConnection connection = rdma.prepareConnection();
        Completion<RdmaConnection> completion = connection.connect(peer.prepare());
        engine.progress();
        peer.kill();
        assertThatThrownBy(() -> completion.await(engine, SOON)).isInstanceOf(TaskFailedException.class);
        assertThat(connection.state()).isEqualTo(ConnectionState.FAILED);
        ConnectionDetails gone = connection.details();
        assertThat(engine.await(() -> rdma.state() == ContextState.IDLE, SOON)).isTrue();
        rdma.restart();
        assertThatThrownBy(() -> rdma.prepareConnection().connect(gone)).isInstanceOf(DocaException.class);
    }

    @Test
    void aPeerThatIsKilledWhileASendWaitsForItsReceive() throws Exception {
        RdmaConnection connection = connect(peer);
        Completion<Long> send = connection.send(buffers.data(memory, 0, 64));
        Completion<Received> receive = rdma.receive();
        for (int i = 0; i < 100; i++) {
            engine.progress();
        }
        assertThat(send).isNotDone();
        peer.kill();
        assertThatThrownBy(() -> send.await(engine, SOON)).isInstanceOf(TaskFailedException.class);
        assertThatThrownBy(() -> receive.await(engine, SOON)).isInstanceOf(TaskFailedException.class);
        assertThat(engine.await(() -> rdma.state() == ContextState.IDLE, SOON)).isTrue();
        rdma.restart();
        try (PeerJvm other = new PeerJvm()) {
            RdmaConnection again = connect(other);
            assertThat(other.ask("receive 0 64")).isEqualTo("posted");
            assertThat(again.send(buffers.data(memory, 0, 64)).await(engine, SOON))
                    .isEqualTo(64);
        }
    }

    @Test
    void aPeerThatIsKilledWhileItsMemoryIsUsed() throws Exception {
        RdmaConnection connection = connect(peer);
        Mmap remote = Mmap.fromExport(device, peer.export());
        try (RdmaTask write = connection.writeTask(buffers.data(memory, 0, 32768), buffers.space(remote, 0, 32768))) {
            int done = 0;
            write.submit();
            while (write.failure().isEmpty()) {
                engine.await(write::isDone, SOON);
                if (++done == 10) {
                    peer.kill();
                }
                if (write.failure().isEmpty()) {
                    write.submit();
                }
            }
            assertThat(done).isGreaterThan(10);
        }
        assertThat(engine.await(() -> rdma.state() == ContextState.IDLE, SOON)).isTrue();
        buffers.close();
        remote.close();
    }

    @Test
    void additionsOfTwoProcessesAreAllCounted() throws Exception {
        RdmaConnection mine = rdma.prepareConnection();
        RdmaConnection own = rdma.prepareConnection();
        Completion<RdmaConnection> going = mine.connect(own.details());
        own.connect(mine.details()).await(engine, SOON);
        going.await(engine, SOON);
        connect(peer);
        byte[] export = memory.exportRdma(device).toBytes();
        Mmap imported = Mmap.fromExport(device, memory.exportRdma(device));
        assertThat(peer.ask("import " + Base64.getEncoder().encodeToString(export)))
                .isEqualTo("imported");
        peer.tell("add 2000");
        try (RdmaTask add = mine.fetchAddTask(buffers.space(imported, 0, 8), 1)) {
            for (int i = 0; i < 2000; i++) {
                add.submit();
                engine.await(add::isDone, SOON);
                assertThat(add.failure()).isEmpty();
            }
        }
        assertThat(peer.answer()).isEqualTo("added 2000");
        assertThat(memory.segment().get(JAVA_LONG, 0)).isEqualTo(4000);
        buffers.close();
        imported.close();
    }

    @Test
    void aPeerThatRestartsIsConnectedWithAgain() throws Exception {
        RdmaConnection connection = connect(peer);
        assertThat(peer.ask("restart")).isEqualTo("restarted");
        Buf source = buffers.data(memory, 0, 8);
        assertThatThrownBy(() -> connection.send(source).await(engine, SOON)).isInstanceOf(TaskFailedException.class);
        assertThat(engine.await(() -> rdma.state() == ContextState.IDLE, SOON)).isTrue();
        rdma.restart();
        RdmaConnection again = connect(peer);
        assertThat(peer.ask("receive 0 64")).isEqualTo("posted");
        assertThat(again.send(source).await(engine, SOON)).isEqualTo(8);
        assertThat(peer.ask("received")).isEqualTo("SEND 8 0");
    }
}
