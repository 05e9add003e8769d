/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer;

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

/** Copies by JNI. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(JniWindow.COPIES)
public class JniCopyBenchmark {

    /** A native call for each task, and an upcall for each completion. */
    @Benchmark
    @Twin("dma")
    public void jni(JniWindow window) {
        window.copyMany();
    }
}
