/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

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

/** Copies between this process, a DPU, and a host process that takes no part in them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(Window.OPERATIONS)
public class RemoteCopyBenchmark {

    /** From the host. */
    @Benchmark
    @Twin("pull")
    public void pull(PullWindow window) {
        window.runMany();
    }

    /** To the host. */
    @Benchmark
    @Twin("push")
    public void push(PushWindow window) {
        window.runMany();
    }
}
