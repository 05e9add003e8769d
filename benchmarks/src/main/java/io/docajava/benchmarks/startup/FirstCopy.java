/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.startup;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a device, copies 64 bytes, checks them, and prints one line. */
public final class FirstCopy {

    private static final Logger LOG = LoggerFactory.getLogger(FirstCopy.class);

    private static final int SIZE = 64;

    private FirstCopy() {}

    /** Makes one copy. */
    public static void main(String[] args) throws InterruptedException {
        try (Device device = BenchDevice.open();
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, 2 * SIZE, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).maxTasks(1).start(engine)) {
            memory.segment().set(ValueLayout.JAVA_LONG, 0, SIZE);
            dma.copy(memory.range(0, SIZE), memory.range(SIZE, SIZE)).await();
            if (memory.segment().get(ValueLayout.JAVA_LONG, SIZE) != SIZE) {
                throw new IllegalStateException("The copy differs from its source");
            }
            LOG.info("ready");
        }
    }
}
