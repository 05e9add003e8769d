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

/** Copies that four threads submit to a {@code ProgressLoop}, with futures. The twin in C has a single thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(LoopWindow.COPIES)
public class LoopCopyBenchmark {

    /** Platform threads. */
    @Benchmark
    @Twin("dma")
    public void loopPlatform(PlatformLoopWindow window) {
        window.copyMany();
    }

    /** Virtual threads. */
    @Benchmark
    @Twin("dma")
    public void loopVirtual(VirtualLoopWindow window) {
        window.copyMany();
    }
}
