/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.Received;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Increments the counter of a server. */
final class CounterClient {

    private static final Logger LOG = LoggerFactory.getLogger(CounterClient.class);

    private static final int MAX_EXPORT = 4096;

    private final RdmaContextBuilder context;
    private final int depth;
    private final Duration timeout;

    CounterClient(RdmaContextBuilder context, int depth, Duration timeout) {
        this.context = context;
        this.depth = depth;
        this.timeout = timeout;
    }

    /** Adds 1 to the counter, the given number of times. */
    void add(Device device, RdmaAddress server, int port, int times) throws InterruptedException {
        try (ProgressEngine engine = ProgressEngine.create();
                RdmaContext rdma =
                        context.maxTasks(RdmaTaskType.ATOMIC_FETCH_ADD, depth).start(engine)) {
            PeerWait peer = new PeerWait(rdma, timeout);
            try (Mmap counter = connect(peer, server, port)) {
                RdmaConnection connection = rdma.connections().getFirst();
                MapRange value = counter.range(0, Long.BYTES);
                List<RdmaTask> additions = Stream.generate(() -> connection.task(RdmaOperation.fetchAdd(value, 1)))
                        .limit(depth)
                        .toList();
                long began = System.nanoTime();
                new Rounds(engine, additions).run(times);
                report(times, (System.nanoTime() - began) / 1e9, additions);
                additions.forEach(RdmaTask::close);
                // Otherwise the server would assume that this client was killed.
                peer.await(connection.submit(RdmaOperation.sendImmediate(0)));
                connection.disconnect();
                peer.await(connection.whenDisconnected());
            }
            rdma.stop();
        }
    }

    private static void report(int times, double seconds, List<RdmaTask> additions) {
        // Each result is the value of the counter before the addition.
        long counter = additions.stream().mapToLong(RdmaTask::result).max().orElse(0) + 1;
        LOG.info(
                "Added 1 {} times in {} s, {} million times a second, and saw the counter at {} last",
                times,
                "%.3f".formatted(seconds),
                "%.3f".formatted(times / seconds / 1e6),
                counter);
    }

    /** Connects, and imports the memory that the server has exported. The receive is posted before the server can send. */
    private Mmap connect(PeerWait peer, RdmaAddress server, int port) throws InterruptedException {
        RdmaContext rdma = peer.rdma();
        try (Mmap memory = Mmap.allocate(rdma.device(), MAX_EXPORT, Access.LOCAL_READ_WRITE)) {
            Completion<Received> received = rdma.receive(memory.all());
            peer.await(rdma.connect(server, port));
            MapRange message = peer.await(received).range().orElseThrow();
            return Mmap.fromExport(
                    rdma.device(), MmapExport.parse(message.segment().toArray(JAVA_BYTE)));
        }
    }
}
