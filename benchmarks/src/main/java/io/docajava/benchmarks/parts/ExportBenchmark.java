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

/** Exports and imports of memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ExportBenchmark {

    /** Maps, exports and unmaps memory. Runs on a host; on the emulator, with {@code DOCA_EMULATOR_ROLE=host}. */
    @Benchmark
    @Twin("export")
    public MmapExport exportPci(HostSide side) {
        return side.export();
    }

    /** Imports memory of another process, and closes the map. Runs on a DPU. */
    @Benchmark
    @Twin("import")
    public boolean importPci(DpuSide side) {
        return side.importOnce();
    }
}
