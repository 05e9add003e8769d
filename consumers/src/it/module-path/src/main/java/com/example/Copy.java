/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;

/** The example of the README. */
public final class Copy {

    private Copy() {}

    /** Copies a text by DMA, and returns the copy. */
    public static String run() throws ReflectiveOperationException, InterruptedException {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, 1 << 20, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            memory.segment().setString(0, "some text");
            dma.copy(memory.range(0, 4096), memory.range(8192, 4096)).await();
            // As frameworks call methods.
            Object state = DmaContext.class.getMethod("state").invoke(dma);
            if (!state.equals(dma.state())) {
                throw new AssertionError(state);
            }
            return memory.segment().getString(8192);
        }
    }

    /** Fails if the copy is wrong. */
    public static void main(String[] none) throws ReflectiveOperationException, InterruptedException {
        String copy = run();
        if (!copy.equals("some text")) {
            throw new AssertionError(copy);
        }
        System.out.println("copied: " + copy);
    }
}
