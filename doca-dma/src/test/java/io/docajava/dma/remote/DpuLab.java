/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.remote;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;

/** The objects that a copy needs on the DPU, except for the memory of the host. */
final class DpuLab implements AutoCloseable {

    static final String DEVICE = "0000:03:00.0 (mlx5_0)";
    static final int MEMORY = 1 << 20;

    final Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
    final ProgressEngine engine = ProgressEngine.create();
    final DmaContext dma = DmaContext.builder(device).maxTasks(16).start(engine);
    final Mmap memory = Mmap.allocate(device, MEMORY, Access.LOCAL_READ_WRITE);

    /** Copies all bytes of a map to the beginning of this side's memory. */
    long pull(Mmap remote) throws InterruptedException {
        return dma.copy(remote.all(), memory.range(0, remote.byteSize())).await();
    }

    /** Copies the beginning of this side's memory to all bytes of a map. */
    long push(Mmap remote) throws InterruptedException {
        return dma.copy(memory.range(0, remote.byteSize()), remote.all()).await();
    }

    /** Returns whether the beginning of this side's memory has the bytes of a seed. */
    boolean has(int seed, long bytes) {
        return Pattern.isIn(memory.segment().asSlice(0, bytes), seed);
    }

    @Override
    public void close() {
        memory.close();
        dma.close();
        engine.close();
        device.close();
    }
}
