/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.side.DmaDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Makes many copies with few tasks: each task is submitted again with the next ranges when it has completed. */
@Command(
        name = "pe_task_resubmit",
        sortOptions = false,
        description = "Submits tasks again and again in their callbacks")
public final class PeTaskResubmit implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeTaskResubmit.class);

    private static final int TASKS = 4;
    private static final int PAIRS = 16;

    /** Much longer than any device needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<CopyPair> pairs = new ArrayList<>();
    private int nextPair;

    @Override
    public void run() throws Exception {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(PAIRS), Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).maxTasks(TASKS).start(engine)) {
            pairs.addAll(CopyPair.fill(memory));

            for (int i = 0; i < TASKS; i++) {
                String name = "Task " + i;
                LOG.info("{} allocated with buffers index {}", name, nextPair);
                CopyPair pair = pairs.get(nextPair);
                nextPair++;
                dma.task(pair.source(), pair.target())
                        .onCompletion(task -> resubmit(dma, task, name))
                        .submit();
            }
            LOG.info("Polling until all tasks are completed");
            // Also waits for the tasks that are submitted meanwhile.
            dma.drain(PATIENCE);
            LOG.info("All tasks are completed");

            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", PAIRS);
        }
    }

    private void resubmit(DmaContext dma, DmaTask task, String name) {
        Optional<TaskFailedException> failure = task.failure();
        if (failure.isPresent()) {
            // The verification at the end finds missing copies.
            LOG.error("{} failed with status {}", name, failure.get().error());
            return;
        }
        if (dma.state() != ContextState.RUNNING) {
            // Another task has failed, so the context stops.
            return;
        }
        if (nextPair == pairs.size()) {
            task.close();
            return;
        }
        LOG.info("{} resubmitting with buffers index {}", name, nextPair);
        CopyPair pair = pairs.get(nextPair);
        nextPair++;
        try {
            task.ranges(pair.source(), pair.target()).submit();
        } catch (ContextNotRunningException e) {
            // The device has failed since the last progress.
        }
    }
}
