/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaListener;
import io.docajava.rdma.Received;
import io.docajava.samples.cli.SampleException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the counter, and sends an export of its memory to each client. */
final class CounterServer {

    private static final Logger LOG = LoggerFactory.getLogger(CounterServer.class);

    /** The size of a cache line, which the counter shares with nothing else. */
    private static final int LINE = 64;

    private static final int MAX_EXPORT = 4096;

    private final RdmaContextBuilder context;
    private final int port;
    private final Duration timeout;

    CounterServer(RdmaContextBuilder context, int port, Duration timeout) {
        this.context = context;
        this.port = port;
        this.timeout = timeout;
    }

    /** Serves the given number of clients, until the last one has ended. */
    void serve(Device device, int clients) throws InterruptedException {
        Access forPeers = Access.RDMA_ATOMIC;
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap counter = Mmap.allocate(device, LINE, Access.LOCAL_READ_WRITE.plus(forPeers));
                RdmaContext rdma =
                        context.permissions(forPeers).maxConnections(clients).start(engine)) {
            List<Completion<Received>> farewells = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                farewells.add(rdma.receive());
            }
            List<RdmaConnection> connected =
                    accept(rdma, clients, counter.exportRdma(device).toBytes());
            for (RdmaConnection client : connected) {
                // Waits without a limit.
                client.whenDisconnected().await();
            }
            long done = farewells.stream()
                    .filter(farewell -> farewell.isDone() && !farewell.isCompletedExceptionally())
                    .count();
            rdma.stop();
            LOG.info("The counter is {}", counter.segment().get(JAVA_LONG, 0));
            if (done < clients) {
                throw new SampleException((clients - done) + " of " + clients + " clients ended before they were done");
            }
        }
    }

    private List<RdmaConnection> accept(RdmaContext rdma, int clients, byte[] export) throws InterruptedException {
        PeerWait peer = new PeerWait(rdma, timeout);
        List<RdmaConnection> connected = new ArrayList<>();
        List<Completion<RdmaConnection>> coming = new ArrayList<>();
        try (Mmap memory = Mmap.allocate(rdma.device(), MAX_EXPORT, Access.LOCAL_READ_WRITE);
                RdmaListener listener = rdma.listen(port, request -> coming.add(request.accept()))) {
            MemorySegment.copy(export, 0, memory.segment(), JAVA_BYTE, 0, export.length);
            LOG.info("Waiting for {} clients at port {}", clients, listener.port());
            while (connected.size() < clients) {
                int next = connected.size();
                if (!rdma.engine().await(() -> coming.size() > next, timeout)) {
                    throw new SampleException("No client has come for " + timeout.toSeconds() + " s; there were " + next
                            + " of " + clients);
                }
                RdmaConnection client = peer.await(coming.get(next));
                peer.await(client.send(memory.range(0, export.length)));
                connected.add(client);
                LOG.info("Client {} has come", connected.size());
            }
        }
        return connected;
    }
}
