/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests contexts on loops that threads of all kinds use. */
@Timeout(600)
class AnyThreadRdmaTest extends CompletionModes {

    private static final int BLOCK = 64;
    private static final int BLOCKS = 512;

    private ProgressLoop loop;
    private Device hereDevice;
    private Device thereDevice;
    private RdmaContext here;
    private RdmaContext there;
    private Mmap memory;
    private Mmap peerMemory;
    private Mmap remote;
    private RdmaConnection connection;
    private RdmaConnection back;

    @BeforeEach
    void open() {
        loop = ProgressLoop.builder().maxQueued(BLOCKS).start();
        hereDevice = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        thereDevice = Device.open(DeviceFilter.ibDevice("mlx5_1"));
        here = Side.retryForever(RdmaContext.builder(hereDevice)
                        .permissions(Side.ALL)
                        .maxTasks(8)
                        .maxReceives(8))
                .start(loop);
        there = Side.retryForever(RdmaContext.builder(thereDevice)
                        .permissions(Side.ALL)
                        .maxTasks(8)
                        .maxReceives(8))
                .start(loop);
        memory = Mmap.allocate(hereDevice, BLOCKS * BLOCK, Side.ALL);
        peerMemory = Mmap.allocate(thereDevice, BLOCKS * BLOCK, Side.ALL);
        remote = Mmap.fromExport(hereDevice, peerMemory.exportRdma(thereDevice));
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, Side.byteAt(i));
        }
        connect();
    }

    private void connect() {
        connection = here.prepareConnection();
        back = there.prepareConnection();
        Completion<RdmaConnection> going = connection.connect(back.details());
        Completion<RdmaConnection> coming = back.connect(connection.details());
        assertThat(going.join()).isSameAs(connection);
        assertThat(coming.join()).isSameAs(back);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        remote.close();
        peerMemory.close();
        memory.close();
        thereDevice.close();
        hereDevice.close();
        loop.close();
    }

    private void assertAllTransferred() {
        assertThat(memory.segment().mismatch(peerMemory.segment())).isEqualTo(-1);
    }

    @Test
    void writesOfManyThreads() throws Exception {
        for (ExecutorService threads :
                List.of(Executors.newFixedThreadPool(4), Executors.newVirtualThreadPerTaskExecutor())) {
            try (threads) {
                peerMemory.segment().fill((byte) 0);
                List<Future<Long>> writes = new ArrayList<>();
                for (int i = 0; i < BLOCKS; i++) {
                    long offset = (long) i * BLOCK;
                    writes.add(threads.submit(() -> connection
                            .write(memory.range(offset, BLOCK), remote.range(offset, BLOCK))
                            .join()));
                }
                for (Future<Long> write : writes) {
                    assertThat(write.get()).isEqualTo(BLOCK);
                }
            }
            assertAllTransferred();
        }
    }

    /** Receives are posted in the order in which one thread posts them, although they wait for free tasks. */
    @Test
    void messagesInOrder() {
        List<Completion<Received>> receives = new ArrayList<>();
        List<Completion<Long>> sends = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            receives.add(there.receive(peerMemory.range((long) i * BLOCK, BLOCK)));
        }
        for (int i = 0; i < BLOCKS; i++) {
            sends.add(connection.send(memory.range((long) i * BLOCK, BLOCK)));
        }
        sends.forEach(send -> assertThat(send.join()).isEqualTo(BLOCK));
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(receives.get(i).join().range()).contains(peerMemory.range((long) i * BLOCK, BLOCK));
        }
        assertAllTransferred();
    }

    /** The receives fill their queue, and wait until the peer has sent. */
    @Test
    void receivesThatWaitKeepNoOtherOperationOut() {
        List<Completion<Received>> receives = new ArrayList<>();
        for (int i = 0; i < BLOCKS + 8; i++) {
            receives.add(there.receive(peerMemory.range(0, BLOCK)));
        }
        Await.until(() -> there.stats().queued() == BLOCKS, BLOCKS + " receives that wait");
        try (Mmap distant = Mmap.fromExport(thereDevice, memory.exportRdma(hereDevice))) {
            assertThat(back.write(peerMemory.range(0, BLOCK), distant.range(0, BLOCK))
                            .join())
                    .isEqualTo(BLOCK);
        }
        assertThat(connection
                        .write(memory.range(0, BLOCK), remote.range(0, BLOCK))
                        .join())
                .isEqualTo(BLOCK);
        assertThat(loop.call(engine -> true).join()).isTrue();
        assertThat(receives).noneMatch(Completion::isDone);
        there.stop();
        receives.forEach(receive -> assertThatThrownBy(receive::join).isInstanceOf(CompletionException.class));
    }

    @Test
    void otherOperations() throws Exception {
        assertThat(connection.fetchAdd(remote.range(0, 8), 7).join()).isZero();
        assertThat(connection.compareAndSwap(remote.range(0, 8), 7, 9).join()).isEqualTo(7);
        assertThat(connection.read(remote.range(0, 8), memory.range(8, 8)).join())
                .isEqualTo(8);
        assertThat(memory.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(9);
        Completion<Received> receive = there.receive();
        connection.submit(RdmaOperation.sendImmediate(5)).join();
        assertThat(receive.join().immediate()).hasValue(5);
        // Dependents run on the thread of the loop, where they may submit.
        List<Thread> threads = new ArrayList<>();
        connection
                .write(memory.range(0, BLOCK), remote.range(0, BLOCK))
                .thenCompose(bytes -> {
                    threads.add(Thread.currentThread());
                    return connection.read(remote.range(0, BLOCK), memory.range(BLOCK, BLOCK));
                })
                .join();
        assertThat(threads).containsExactly(loop.thread());
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void stopsRestartsAndDisconnects() {
        Completion<RdmaConnection> over = connection.whenDisconnected();
        connection.disconnect();
        assertThat(over.join()).isSameAs(connection);
        assertThatThrownBy(() ->
                        connection.write(memory.range(0, 8), remote.range(0, 8)).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ConnectionEndedException.class);
        for (RdmaContext context : List.of(here, there)) {
            context.stop();
            context.restart();
            assertThat(context.state()).isEqualTo(ContextState.RUNNING);
        }
        connect();
        assertThat(connection.write(memory.range(0, 8), remote.range(0, 8)).join())
                .isEqualTo(8);
    }

    @Test
    void buffersBelongToTheLoop() throws Exception {
        BufInventory buffers = loop.call(engine -> BufInventory.create(2)).get();
        Buf source = loop.call(engine -> buffers.data(memory, 0, 8)).get();
        assertThatThrownBy(() -> connection.send(source))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to");
        loop.call(engine -> {
                    buffers.close();
                    return true;
                })
                .get();
    }

    @Test
    void whatIsWrongIsThrownToTheCaller() {
        assertThatThrownBy(() -> connection.fetchAdd(remote.range(4, 8), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        connection.write(memory.range(0, 8), memory.range(8, 8)).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
        here.close();
        assertThatThrownBy(() ->
                        connection.write(memory.range(0, 8), remote.range(0, 8)).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
    }
}
