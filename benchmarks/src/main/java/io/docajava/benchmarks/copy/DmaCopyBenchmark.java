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

/** Copies within this process, by each API that the engine's thread uses. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(Window.OPERATIONS)
public class DmaCopyBenchmark {

    /** A prepared series, submitted again and again. */
    @Benchmark
    @Twin("drain")
    public void raw(SeriesWindow window) {
        window.runMany();
    }

    /** Prepared tasks, submitted again. */
    @Benchmark
    @Twin("dma")
    public void batch(BatchWindow window) {
        window.runMany();
    }

    /** Prepared tasks, submitted again, beside C that submits one by one. */
    @Benchmark
    @Twin("dma_single")
    public void task(TaskWindow window) {
        window.runMany();
    }

    /** Copies with a callback. */
    @Benchmark
    @Twin("dma")
    public void callback(CallbackWindow window) {
        window.runMany();
    }

    /** Copies of two contexts with callbacks of three classes, between eight maps. */
    @Benchmark
    @Twin("dma")
    public void mixed(MixedWindow window) {
        window.runMany();
    }

    /** Copies with a callback, each to another map. */
    @Benchmark
    @Twin("dma")
    public void rebind(RebindWindow window) {
        window.runMany();
    }

    /** Copies with a callback, each from another map to another one. */
    @Benchmark
    @Twin("dma")
    public void rebindBoth(RebindBothWindow window) {
        window.runMany();
    }

    /** Copies with futures. */
    @Benchmark
    @Twin("dma")
    public void future(FutureWindow window) {
        window.runMany();
    }

    /** Prepared tasks in rounds: all are submitted, then all complete. */
    @Benchmark
    @Twin("drain")
    public void drain(DrainWindow window) {
        window.runMany();
    }
}
