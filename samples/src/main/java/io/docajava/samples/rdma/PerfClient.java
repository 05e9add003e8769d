/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.exchange.DescriptorExchange;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Submits the operations, and prints their times. */
final class PerfClient {

    private final RdmaContext rdma;
    private final RdmaConnection connection;
    private final Mmap memory;
    private final DescriptorExchange peer;

    PerfClient(RdmaContext rdma, RdmaConnection connection, Mmap memory, DescriptorExchange peer) {
        this.rdma = rdma;
        this.connection = connection;
        this.memory = memory;
        this.peer = peer;
    }

    /** Runs all measurements of a plan. */
    void measure(PerfPlan plan) throws IOException, InterruptedException {
        try (Mmap remote = Mmap.fromExport(rdma.device(), peer.receiveExport("memory"))) {
            peer.receive("ready");
            for (PerfOperation operation : plan.operations()) {
                PerfTable.printBandwidthHead(operation);
                for (long size : plan.sizes()) {
                    PerfTable.printBandwidth(size, run(operation, size, remote, plan.inFlight(), plan.iterations()));
                }
                PerfTable.printLatencyHead(operation);
                for (long size : plan.sizes()) {
                    PerfTable.printLatency(size, run(operation, size, remote, 1, plan.iterations()));
                }
            }
            peer.send("done", new byte[0]);
        }
    }

    /** Runs operations after a warm-up of the same length. Returns the start time and the end time of each operation in ns. */
    private long[] run(PerfOperation operation, long size, Mmap remote, int depth, int iterations)
            throws InterruptedException {
        ProgressEngine engine = rdma.engine();
        List<RdmaTask> operations = Stream.generate(() -> operation.prepare(connection, memory, remote, size))
                .limit(depth)
                .toList();
        Rounds rounds = new Rounds(engine, operations);
        rounds.run(iterations);
        long began = System.nanoTime();
        long[] ends = rounds.runTimed(iterations);
        operations.forEach(RdmaTask::close);
        long[] times = new long[iterations + 1];
        times[0] = began;
        System.arraycopy(ends, 0, times, 1, iterations);
        return times;
    }
}
