/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import java.util.concurrent.TimeUnit;

/** The objects that copies on a loop need. Another thread creates and closes them. */
final class LoopLab implements AutoCloseable {

    static final int BLOCK = 64;

    private final ProgressLoop loop;
    private final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    private final Mmap memory;
    private final DmaContext dma;

    /** Creates memory with a number of blocks that can be copied one by one. */
    LoopLab(ProgressLoop loop, int blocks) {
        this.loop = loop;
        memory = Mmap.allocate(device, 2L * blocks * BLOCK, Access.LOCAL_READ_WRITE);
        dma = loop.call(engine -> DmaContext.builder(device).maxTasks(blocks).start(engine))
                .join();
    }

    /** Copies a block. */
    Completion<Long> copy(int block) {
        return dma.copy(
                memory.range((long) block * BLOCK, BLOCK),
                memory.range(memory.byteSize() / 2 + (long) block * BLOCK, BLOCK));
    }

    DmaContext context() {
        return dma;
    }

    @Override
    public void close() {
        loop.call(engine -> {
                    dma.close();
                    return true;
                })
                .orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                .join();
        memory.close();
        device.close();
    }
}
