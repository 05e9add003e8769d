/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Copies by the processor, without a device and therefore without a twin in C. Shows the cost of not using a device. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(MemoryCopy.COPIES)
public class MemoryCopyBenchmark {

    /** {@code MemorySegment.copy}. */
    @Benchmark
    public void memorySegmentCopy(MemoryCopy copy) {
        copy.copyMany();
    }
}
