/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaEmulator;
import org.junit.jupiter.api.Test;

/** Tests a device whose limits are below the defaults. */
@DocaEmulator(topology = """
        [dpu mlx5_0]
        pci = 03:00.0
        dma_max_tasks = 4
        """)
class SmallDeviceTest {

    @Test
    void theDefaultIsWithinTheLimitsOfTheDevice() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            assertThat(dma.maxTasks()).isEqualTo(4);
        }
    }

    @Test
    void aNumberAboveTheLimitIsTheMistakeOfTheCaller() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create()) {
            assertThatThrownBy(() -> DmaContext.builder(device).maxTasks(5).start(engine))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A DMA context on 0000:03:00.0 (mlx5_0) can have 4 tasks at most: 5");
        }
    }
}
