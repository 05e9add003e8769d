/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The objects that copies on a loop need. Another thread creates and closes them. */
final class LoopLab implements AutoCloseable {

    static final int BLOCK = 64;

    private final ProgressLoop loop;
    private final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    private final Mmap memory;
    private final DmaContext dma;
    private final BufInventory buffers;
    private final List<Buf> sources = new ArrayList<>();
    private final List<Buf> targets = new ArrayList<>();

    /** Creates memory with a number of blocks that can be copied one by one. */
    LoopLab(ProgressLoop loop, int blocks) {
        this.loop = loop;
        memory = Mmap.allocate(device, 2L * blocks * BLOCK, Access.LOCAL_READ_WRITE);
        dma = loop.call(engine -> DmaContext.builder(device).maxTasks(blocks).start(engine))
                .join();
        buffers = loop.call(engine -> BufInventory.create(4 * blocks)).join();
        loop.call(engine -> {
                    for (long i = 0; i < blocks; i++) {
                        sources.add(buffers.data(memory, i * BLOCK, BLOCK));
                        targets.add(buffers.space(memory, (blocks + i) * BLOCK, BLOCK));
                    }
                    return true;
                })
                .join();
    }

    /** Copies a block. It must run on the loop's thread. */
    Completion<Long> copy(int block) {
        Buf target = targets.get(block);
        target.clear();
        return dma.copy(sources.get(block), target);
    }

    /** Copies a block to a new buffer. It must run on the loop's thread. */
    Completion<Long> another(int block) {
        return dma.copy(sources.get(block), buffers.space(memory, (sources.size() + block) * (long) BLOCK, BLOCK));
    }

    DmaContext context() {
        return dma;
    }

    @Override
    public void close() {
        loop.call(engine -> {
                    dma.close();
                    buffers.close();
                    return true;
                })
                .orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                .join();
        memory.close();
        device.close();
    }
}
