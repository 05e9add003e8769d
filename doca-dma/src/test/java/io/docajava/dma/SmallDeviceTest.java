/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaEmulator;
import java.util.ArrayList;
import java.util.List;
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
        Requirements.reportedTaskLimit();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            assertThat(dma.maxTasks()).isEqualTo(4);
        }
    }

    @Test
    void aNumberAboveTheLimitIsTheMistakeOfTheCaller() {
        Requirements.reportedTaskLimit();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create()) {
            assertThatThrownBy(() -> DmaContext.builder(device).maxTasks(5).start(engine))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A DMA context on 0000:03:00.0 (mlx5_0) can have 4 tasks at most: 5");
        }
    }

    /** Releases with work queues do not report the limit. There, the copies that the device cannot take at once wait for others. */
    @Test
    void asManyCopiesAsTasksAreInFlight() throws Exception {
        try (Lab lab = new Lab(builder -> builder)) {
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < lab.dma.maxTasks(); i++) {
                copies.add(lab.dma.copy(lab.filled(i * 64L, 64), lab.memory.range(10_000 + i * 64L, 64)));
            }
            assertThat(lab.dma.inFlight()).isEqualTo(lab.dma.maxTasks());
            lab.drain();
            assertThat(copies).allMatch(copy -> copy.resultNow() == 64);
            lab.assertCopied(0, 10_000, lab.dma.maxTasks() * 64L);
            assertThat(lab.reported).isEmpty();
        }
    }
}
