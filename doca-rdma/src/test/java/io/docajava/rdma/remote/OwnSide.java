/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The side of the test, with a context and memory. */
final class OwnSide implements AutoCloseable {

    static final Duration SOON = Await.LIMIT;
    static final int MEMORY = 1 << 16;

    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(10_000 + (int) (ProcessHandle.current().pid() % 500) * 100);

    final Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    final ProgressEngine engine;
    final RdmaContext rdma;
    final Mmap memory = Mmap.allocate(device, MEMORY, Access.LOCAL_READ_WRITE.plus(Access.RDMA_ATOMIC));

    /** Imported memory is closed at the end. */
    private final List<Mmap> imported = new ArrayList<>();

    OwnSide(ProgressEngine engine) {
        this.engine = engine;
        rdma = Peer.patient(RdmaContext.builder(device).permissions(Access.RDMA_ATOMIC))
                .start(engine);
    }

    static int newPort() {
        return NEXT_PORT.getAndIncrement();
    }

    /** Returns the address of a device, which all processes know. */
    static RdmaAddress addressOf(String ibDevice) {
        return Device.list().stream()
                .filter(info -> info.ibDevice().equals(Optional.of(ibDevice)))
                .map(info -> RdmaAddress.of(info.ipv6().orElseThrow()))
                .findFirst()
                .orElseThrow();
    }

    /** Makes a peer prepare a connection and returns its details. */
    static ConnectionDetails prepare(PeerJvm peer) throws InterruptedException {
        return ConnectionDetails.of(Base64.getDecoder().decode(peer.ask("prepare")));
    }

    /** Connects to a peer, for which the connection is its last one. */
    RdmaConnection connect(PeerJvm peer) throws Exception {
        RdmaConnection connection = rdma.prepareConnection();
        ConnectionDetails details = prepare(peer);
        peer.send("connect "
                + Base64.getEncoder().encodeToString(connection.details().bytes()));
        get(connection.connect(details));
        assertThat(peer.receive()).isEqualTo("ESTABLISHED");
        // Before DOCA 2.9, receives are posted only after the next progress, and a message of the peer may not wait for
        // them.
        engine.progress();
        return connection;
    }

    /** Connects by address to a peer that listens for the connection. */
    RdmaConnection connectByAddress(PeerJvm peer) throws Exception {
        int port = newPort();
        assertThat(peer.ask("listen " + port)).isEqualTo("listening to " + port);
        RdmaConnection connection = get(rdma.connect(addressOf(Peer.IB_DEVICE), port));
        assertThat(peer.receive()).isEqualTo("accepted");
        return connection;
    }

    Mmap importFrom(PeerJvm peer) throws Exception {
        Mmap memoryOfPeer =
                Mmap.fromExport(device, MmapExport.parse(Base64.getDecoder().decode(peer.ask("export"))));
        imported.add(memoryOfPeer);
        return memoryOfPeer;
    }

    /** Returns a range with data of this side. */
    MapRange filled(long offset, long length) {
        for (long i = offset; i < offset + length; i++) {
            memory.segment().set(JAVA_BYTE, i, (byte) (i + 100));
        }
        return memory.range(offset, length);
    }

    <T> T get(Completion<T> completion) throws Exception {
        return completion.await(SOON);
    }

    void await(BooleanSupplier condition) throws Exception {
        assertThat(engine.await(condition, SOON))
                .as("waits for the condition at the calling line")
                .isTrue();
    }

    void awaitIdle() throws Exception {
        await(() -> rdma.state() == ContextState.IDLE);
    }

    @Override
    public void close() {
        rdma.close();
        imported.forEach(Mmap::close);
        memory.close();
        device.close();
    }
}
