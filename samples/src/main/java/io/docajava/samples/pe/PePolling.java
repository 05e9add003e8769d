/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.side.DmaDevices;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Reacts fastest to completions: the thread polls all the time, and occupies its processor. */
@Command(name = "pe_polling", sortOptions = false, description = "Polls an engine until all of its copies are done")
public final class PePolling implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PePolling.class);

    private static final int TASKS = 16;

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).maxTasks(TASKS).start(engine)) {
            List<CopyPair> pairs = CopyPair.fill(memory);

            LOG.info("Submitting tasks");
            List<Completion<Long>> copies = pairs.stream()
                    .map(pair -> dma.copy(pair.source(), pair.target()))
                    .toList();

            LOG.info("Polling until all tasks are completed");
            while (engine.inFlight() > 0) {
                // The result, whether there was anything to do, does not matter to this loop.
                engine.progress();
            }
            LOG.info("All tasks are completed");

            for (Completion<Long> copy : copies) {
                // Does not wait any more, but throws if the task has failed.
                copy.await();
            }
            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", TASKS);
        }
    }
}
