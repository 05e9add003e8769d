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
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Drives several contexts by one thread and one engine. Tasks of different contexts complete in any order. */
@Command(name = "pe_multi_context", sortOptions = false, description = "Drives four DMA contexts by one engine")
public final class PeMultiContext implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeMultiContext.class);

    private static final int CONTEXTS = 4;
    private static final int TASKS = 16;

    @Override
    public void run() throws InterruptedException {
        int pairs = CONTEXTS * TASKS;
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(pairs), Access.LOCAL_READ_WRITE)) {
            List<DmaContext> contexts = new ArrayList<>();
            try {
                for (int i = 0; i < CONTEXTS; i++) {
                    contexts.add(DmaContext.builder(device).maxTasks(TASKS).start(engine));
                }
                copy(engine, contexts, CopyPair.fill(memory));
            } finally {
                // Contexts must be closed before their engine.
                contexts.forEach(DmaContext::close);
            }
        }
    }

    private static void copy(ProgressEngine engine, List<DmaContext> contexts, List<CopyPair> pairs)
            throws InterruptedException {
        LOG.info("Submitting {} tasks to each of {} contexts", TASKS, CONTEXTS);
        List<Completion<Long>> copies = new ArrayList<>();
        for (CopyPair pair : pairs) {
            DmaContext dma = contexts.get(copies.size() / TASKS);
            copies.add(dma.copy(pair.source(), pair.target()));
        }

        LOG.info("Polling until all tasks are completed");
        while (engine.inFlight() > 0) {
            engine.progress();
        }
        LOG.info("All tasks are completed");

        for (Completion<Long> copy : copies) {
            // Does not wait any more, but throws if the task has failed.
            copy.await();
        }
        pairs.forEach(CopyPair::verify);
        LOG.info("All {} copies are verified as correct", pairs.size());
    }
}
