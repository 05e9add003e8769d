/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the texts that debuggers and logs show for objects. */
class TextTest {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;

    @Test
    void tasksShowTheirStatus() throws Exception {
        try (Lab lab = new Lab()) {
            DmaTask task = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(64, 64));
            assertThat(task).hasToString("Copy task of the " + CONTEXT + ", NEW");
            task.submit();
            assertThat(task).hasToString("Copy task of the " + CONTEXT + ", IN_FLIGHT");
            lab.engine.await(task::isDone);
            assertThat(task).hasToString("Copy task of the " + CONTEXT + ", SUCCEEDED");
            task.close();
            assertThat(task).hasToString("Copy task of the " + CONTEXT + ", closed");
        }
    }

    @Test
    void seriesShowTheirStatus() throws Exception {
        try (Lab lab = new Lab()) {
            DmaSeries series = lab.dma.series(List.of(lab.memory.range(0, 64)), List.of(lab.memory.range(64, 64)));
            assertThat(series).hasToString("Series of 1 copies of the " + CONTEXT + ", NEW");
            series.submit();
            lab.engine.await(series::isDone);
            assertThat(series).hasToString("Series of 1 copies of the " + CONTEXT + ", SUCCEEDED");
            series.close();
            assertThat(series).hasToString("Series of 1 copies of the " + CONTEXT + ", closed");
        }
    }

    @Test
    void buildersShowWhatTheyAreOf() {
        try (Lab lab = new Lab()) {
            assertThat(DmaContext.builder(lab.device)).hasToString("DmaContextBuilder on " + Lab.DEVICE);
            assertThat(Mmap.builder().device(lab.device).access(Access.LOCAL_READ_ONLY))
                    .hasToString("MmapBuilder with access LOCAL_READ_ONLY on " + Lab.DEVICE);
            assertThat(lab.buffers.list().data(lab.memory, 0, 8))
                    .hasToString("BufListBuilder of 1 buffers of " + lab.buffers);
            assertThat(lab.engine)
                    .hasToString("ProgressEngine of thread \""
                            + Thread.currentThread().getName() + "\"");
        }
    }
}
