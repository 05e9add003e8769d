/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

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

/** Buffers and tasks, without copies. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(PartsLab.OPERATIONS)
public class PartsBenchmark {

    /** To take two buffers from an inventory, and return them. */
    @Benchmark
    @Twin("buf")
    public void bufTake(PartsLab lab) {
        lab.takeBuffers();
    }

    /** To aim a buffer at another range. */
    @Benchmark
    @Twin("buf_reuse")
    public void bufAim(PartsLab lab) {
        lab.aimBuffers();
    }

    /** To take a task, aim it, and give it back. */
    @Benchmark
    @Twin("task")
    public void taskArm(PartsLab lab) {
        lab.armTasks();
    }
}
