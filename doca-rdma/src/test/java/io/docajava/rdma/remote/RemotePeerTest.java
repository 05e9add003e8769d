/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.NeedsFunction;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a peer in another process, which only executes the commands of the test. */
@Timeout(600)
class RemotePeerTest {

    private static @Nullable PeerJvm shared;

    private ProgressEngine engine;
    private OwnSide own;
    private PeerJvm peer;

    @BeforeEach
    void open() throws Exception {
        PeerJvm last = shared;
        peer = last == null ? Peer.start() : last;
        shared = peer;
        // After a restart the peer behaves like a new one.
        assertThat(peer.ask("restart")).isEqualTo("restarted");
        engine = ProgressEngine.create();
        own = new OwnSide(engine);
    }

    @AfterEach
    void close() {
        own.close();
        engine.close();
    }

    @AfterAll
    static void endPeer() throws Exception {
        if (shared != null) {
            shared.close();
        }
    }

    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void changesTheSyncEventOfAPeerThatWaitsForIt() throws Exception {
        RdmaConnection connection = own.connect(peer);
        SyncEventExport export = SyncEventExport.parse(Base64.getDecoder().decode(peer.ask("event")));
        try (RemoteSyncEvent event = RemoteSyncEvent.of(own.device, export)) {
            assertThat(connection.submit(RdmaOperation.setEvent(event, 5)).await(OwnSide.SOON))
                    .isEqualTo(5);
            peer.send("await 7");
            assertThat(connection.submit(RdmaOperation.addToEvent(event, 2)).await(OwnSide.SOON))
                    .isEqualTo(5);
            assertThat(peer.receive()).isEqualTo("7");
            assertThat(connection.submit(RdmaOperation.getEvent(event)).await(OwnSide.SOON))
                    .isEqualTo(7);
        }
    }

    @Test
    @NeedsFunction(NeedsFunction.REMOTE_EVENTS)
    void countsWhatBothSidesAddToASyncEvent() throws Exception {
        int additions = 50_000;
        own.connect(peer);
        try (SyncEvent event = SyncEvent.builder(own.device)
                .publisher(SyncLocation.CPU)
                .publisher(SyncLocation.REMOTE_NET)
                .subscriber(SyncLocation.CPU)
                .start()) {
            byte[] export = event.exportRdma().toBytes();
            assertThat(peer.ask("import-event " + Base64.getEncoder().encodeToString(export)))
                    .isEqualTo("imported");
            peer.send("count " + additions);
            for (int i = 0; i < additions; i++) {
                event.add(1);
            }
            assertThat(peer.receive()).isEqualTo("counted");
            assertThat(event.get()).isEqualTo(2L * additions);
        }
    }

    @Test
    void worksInTheMemoryOfAPeerThatDoesNothing() throws Exception {
        RdmaConnection connection = own.connect(peer);
        Mmap remote = own.importFrom(peer);
        assertThat(connection
                        .write(own.filled(0, 4096), remote.range(8192, 4096))
                        .await(OwnSide.SOON))
                .isEqualTo(4096);
        assertThat(connection
                        .read(remote.range(300, 1000), own.memory.range(5000, 1000))
                        .await(OwnSide.SOON))
                .isEqualTo(1000);
        long word = 0x0706050403020100L;
        assertThat(connection
                        .submit(RdmaOperation.fetchAdd(remote.range(0, 8), 1))
                        .await(OwnSide.SOON))
                .isEqualTo(word);
        assertThat(connection
                        .submit(RdmaOperation.compareAndSwap(remote.range(0, 8), word + 1, -1))
                        .await(OwnSide.SOON))
                .isEqualTo(word + 1);
        assertThat(own.memory.segment().get(JAVA_BYTE, 5999)).isEqualTo((byte) 1299);
        assertThat(peer.ask("byte " + (8192 + 4095))).isEqualTo(String.valueOf((byte) (4095 + 100)));
        assertThat(peer.ask("word 0")).isEqualTo("-1");
    }

    @Test
    void talksWithAPeer() throws Exception {
        RdmaConnection connection = own.connect(peer);
        assertThat(peer.ask("receive 1000 64")).isEqualTo("posted");
        assertThat(connection.send(own.filled(0, 64)).await(OwnSide.SOON)).isEqualTo(64);
        assertThat(peer.ask("received")).isEqualTo("SEND 64 0");
        assertThat(peer.ask("byte 1063")).isEqualTo(String.valueOf((byte) 163));
        // The message is already waiting when the peer submits its receive.
        Completion<Long> early = connection.submit(RdmaOperation.sendImmediate(own.filled(0, 10), 77));
        own.rdma.flush();
        assertThat(peer.ask("receive 2000 64")).isEqualTo("posted");
        assertThat(early.await(OwnSide.SOON)).isEqualTo(10);
        assertThat(peer.ask("received")).isEqualTo("SEND_IMMEDIATE 10 77");
        Completion<Received> answer = own.rdma.receive(own.memory.range(500, 100));
        own.rdma.flush();
        assertThat(peer.ask("send 5 50")).isEqualTo("50");
        assertThat(answer.await(OwnSide.SOON).kind()).isEqualTo(ReceivedKind.SEND);
        assertThat(own.memory.segment().get(JAVA_BYTE, 549)).isEqualTo((byte) 54);
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void connectsByAddress() throws Exception {
        RdmaConnection connection = own.connectByAddress(peer);
        assertThat(peer.ask("receive 0 64")).isEqualTo("posted");
        assertThat(connection.submit(RdmaOperation.sendImmediate(3)).await(OwnSide.SOON))
                .isZero();
        assertThat(peer.ask("received")).isEqualTo("SEND_IMMEDIATE 0 3");
        connection.disconnect();
        assertThat(peer.ask("ended")).isEqualTo("disconnected RUNNING");
    }

    @Test
    void aPeerThatRestartsIsConnectedWithAgain() throws Exception {
        RdmaConnection connection = own.connect(peer);
        assertThat(peer.ask("restart")).isEqualTo("restarted");
        MapRange source = own.filled(0, 8);
        assertThatThrownBy(() -> connection.send(source).await(OwnSide.SOON)).isInstanceOf(TaskFailedException.class);
        own.awaitIdle();
        own.rdma.restart();
        RdmaConnection again = own.connect(peer);
        assertThat(peer.ask("receive 0 64")).isEqualTo("posted");
        assertThat(again.send(source).await(OwnSide.SOON)).isEqualTo(8);
        assertThat(peer.ask("received")).isEqualTo("SEND 8 0");
    }
}
