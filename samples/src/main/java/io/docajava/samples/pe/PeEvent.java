/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.DmaDevices;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * Uses the least processor time: the thread sleeps until the device signals. Programs that only wait for a result need
 * no such loop, because {@link Completion#await()} sleeps in the same way.
 */
@Command(name = "pe_event", sortOptions = false, description = "Sleeps until the device signals completions")
public final class PeEvent implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeEvent.class);

    private static final int TASKS = 16;

    /** Much longer than any device needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).maxTasks(TASKS).start(engine)) {
            List<CopyPair> pairs = CopyPair.fill(memory);

            LOG.info("Registering PE event");
            // The first call adds the engine's event to an epoll; a failure to do so is thrown here.
            engine.awaitEvent(Duration.ZERO);

            LOG.info("Submitting tasks");
            List<Completion<Long>> copies = pairs.stream()
                    .map(pair -> dma.copy(pair.source(), pair.target()))
                    .toList();

            LOG.info("Running until all tasks are complete");
            while (engine.inFlight() > 0) {
                // Earlier completions end the sleep at once. One event stands for any number of completions.
                if (!engine.awaitEvent(PATIENCE)) {
                    throw new SampleException(engine.inFlight() + " tasks are in flight, and nothing happened for "
                            + PATIENCE.toSeconds() + " s");
                }
                engine.progressAll();
            }
            LOG.info("All tasks completed");

            for (Completion<Long> copy : copies) {
                // Does not wait any more, but throws if the task has failed.
                copy.await();
            }
            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", TASKS);
        }
    }
}
