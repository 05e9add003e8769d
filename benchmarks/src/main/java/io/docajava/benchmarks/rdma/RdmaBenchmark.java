/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.copy.Window;
import io.docajava.benchmarks.pair.Twin;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** RDMA operations between two processes: this one submits, and the peer, a C program, receives or does nothing. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(Window.OPERATIONS)
public class RdmaBenchmark {

    /** Prepared tasks, submitted again. */
    @Benchmark
    @Twin("rdma_write")
    public void write(WriteWindow window) {
        window.runMany();
    }

    /** Prepared tasks, submitted again. */
    @Benchmark
    @Twin("rdma_read")
    public void read(ReadWindow window) {
        window.runMany();
    }

    /** Prepared tasks, submitted again. */
    @Benchmark
    @Twin("rdma_send")
    public void send(SendWindow window) {
        window.runMany();
    }

    /** Writes with a handler. */
    @Benchmark
    @Twin("rdma_write")
    public void writeCallback(WriteCallbackWindow window) {
        window.runMany();
    }

    /** Sends with a handler. */
    @Benchmark
    @Twin("rdma_send")
    public void sendCallback(SendCallbackWindow window) {
        window.runMany();
    }
}
