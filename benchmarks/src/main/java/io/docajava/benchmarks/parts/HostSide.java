/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.pair.Allocations;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Memory of this process to export. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class HostSide {

    /** The number of exported bytes. */
    @Param("1048576")
    public int size;

    private final Allocations allocations = Allocations.ofThisThread();
    private long operations;
    private Device device;
    private MemorySegment memory;

    /** Opens the device. */
    @Setup
    public void open() {
        device = BenchDevice.open();
        memory = Arena.ofAuto().allocate(size, 4096);
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

    /** Closes the device. */
    @TearDown
    public void close() {
        device.close();
    }

    /** Maps, exports and unmaps. */
    MmapExport export() {
        operations++;
        try (Mmap map = Mmap.register(device, memory, Access.PCI_READ_WRITE)) {
            return map.exportPci(device);
        }
    }
}
