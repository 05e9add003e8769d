/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import org.junit.jupiter.api.Test;

class FirstTest {

    @Test
    void copies() throws Exception {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).maxTasks(64).start(engine);
                Mmap memory = Mmap.allocate(device, 1 << 20, Access.LOCAL_READ_WRITE);
                BufInventory buffers = BufInventory.create(64)) {

            memory.segment().asSlice(0, 4096).fill((byte) 7);
            Buf source = buffers.data(memory, 0, 4096);
            Buf target = buffers.space(memory, 8192, 4096);
            assertThat(dma.copy(source, target).await(engine)).isEqualTo(4096);
            assertThat(target.dataLength()).isEqualTo(4096);
            assertThat(target.data().mismatch(source.data())).isEqualTo(-1);
        }
    }
}
