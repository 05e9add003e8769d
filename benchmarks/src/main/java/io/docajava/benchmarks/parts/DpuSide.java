/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.pair.Allocations;
import io.docajava.benchmarks.pair.Exporter;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Mmap;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Memory of another process to import. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class DpuSide {

    /** The number of exported bytes. */
    @Param("1048576")
    public int size;

    private final Allocations allocations = Allocations.ofThisThread();
    private long operations;
    private Device device;
    private Exporter exporter;

    /** Opens the device and starts the other process. */
    @Setup
    public void open() throws IOException {
        exporter = Exporter.start(size);
        device = BenchDevice.open();
    }

    /** Starts counting allocations. */
    @Setup(Level.Iteration)
    public void begin() {
        operations = 0;
        allocations.begin();
    }

    /** Stops counting allocations. */
    @TearDown(Level.Iteration)
    public void end() {
        allocations.end(operations);
    }

    /** Closes the device and ends the other process. */
    @TearDown
    public void close() {
        device.close();
        exporter.close();
    }

    /** Imports and closes. */
    boolean importOnce() {
        operations++;
        try (Mmap map = Mmap.fromExport(device, exporter.export())) {
            return map.isImported();
        }
    }
}
