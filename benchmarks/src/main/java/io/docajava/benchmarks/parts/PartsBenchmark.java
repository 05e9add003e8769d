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

    /** Takes two buffers from an inventory and returns them. */
    @Benchmark
    @Twin("buf")
    public void bufTake(PartsLab lab) {
        lab.takeBuffers();
    }

    /** Sets a buffer to another range. */
    @Benchmark
    @Twin("buf_reuse")
    public void bufAim(PartsLab lab) {
        lab.aimBuffers();
    }

    /** Takes a task, configures it, and returns it. */
    @Benchmark
    @Twin("task")
    public void taskArm(PartsLab lab) {
        lab.armTasks();
    }
}
