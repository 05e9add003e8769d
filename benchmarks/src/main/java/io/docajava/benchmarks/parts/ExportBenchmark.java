/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

import io.docajava.benchmarks.pair.Twin;
import io.docajava.core.memory.MmapExport;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Memory that crosses processes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ExportBenchmark {

    /** To map memory, export it and unmap it. On a host: on the emulator, with {@code DOCA_EMULATOR_ROLE=host}. */
    @Benchmark
    @Twin("export")
    public MmapExport exportPci(HostSide side) {
        return side.export();
    }

    /** To make a map of what another process exports, and close it. On a DPU. */
    @Benchmark
    @Twin("import")
    public boolean importPci(DpuSide side) {
        return side.importOnce();
    }
}
