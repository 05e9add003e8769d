/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.CopyHandler;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * A failed task takes its context along: all that is in flight fails, the context stops by itself, and goes on when it
 * is told to. The original provokes that with a source that has no data. Here such a copy never reaches the device, so
 * that a failure has to come from the device itself, or from the faults of the emulator.
 */
@Command(
        name = "pe_task_error",
        sortOptions = false,
        description = "Gets over a copy that fails and stops its context",
        footer = {
            "",
            "The mistake of the original, a source without data, is refused here before the device sees it. The device"
                    + " has to fail by itself, or the emulator is asked for it:",
            "  DOCA_EMULATOR_FAULTS=fail-task=3:IO_FAILED sample pe_task_error"
        })
public final class PeTaskError implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeTaskError.class);

    private static final int TASKS = 255;

    /** Far longer than any device takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<CopyPair> failed = new ArrayList<>();

    @Override
    public void run() throws Exception {
        try (Device device = Device.open(DeviceFilter.named("support for DMA copies", DmaContext::isSupported));
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE);
                BufInventory buffers = BufInventory.create(2 * TASKS);
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(TASKS)
                        .listener(new StateLog())
                        .listener(this::stateChanged)
                        .start(engine)) {
            List<CopyPair> pairs = CopyPair.fill(memory, buffers);
            copyWithoutData(dma, pairs.get(2));

            LOG.info("Submitting tasks");
            submit(dma, pairs);
            LOG.info("Polling until all tasks are completed");
            dma.drain(PATIENCE);
            LOG.info("All tasks are completed");

            if (failed.isEmpty()) {
                LOG.info("The device made all copies: see --help for how to let one fail");
            } else {
                copyAgain(dma);
            }
            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", TASKS);
        }
    }

    /** The mistake that costs a C program its context. */
    private void copyWithoutData(DmaContext dma, CopyPair pair) {
        pair.source().clear();
        try {
            dma.copy(pair.source(), pair.target(), new Outcome(pair));
            throw new SampleException("A copy without data was not refused");
        } catch (IllegalArgumentException e) {
            LOG.info("A copy without data is refused: {}", e.getMessage());
        }
        pair.source().setData(0, pair.source().length());
    }

    private void submit(DmaContext dma, List<CopyPair> pairs) {
        for (CopyPair pair : pairs) {
            dma.copy(pair.source(), pair.target(), new Outcome(pair));
        }
    }

    /** The copies that failed, of which nobody can say which one was the reason: what was in flight with it failed, too. */
    private void copyAgain(DmaContext dma) throws Exception {
        List<CopyPair> again = List.copyOf(failed);
        failed.clear();
        // Waits until the context is idle.
        dma.restart();
        LOG.info("Submitting {} tasks again", again.size());
        submit(dma, again);
        dma.drain(PATIENCE);
        if (!failed.isEmpty()) {
            throw new SampleException(failed.size() + " tasks failed again");
        }
    }

    private void stateChanged(Context context, ContextState previous, ContextState next) {
        if (next == ContextState.STOPPING) {
            LOG.info("CTX moved to stopping state unexpectedly");
        }
    }

    /** Notes how a copy ended. */
    private final class Outcome implements CopyHandler {

        private final CopyPair pair;

        Outcome(CopyPair pair) {
            this.pair = pair;
        }

        @Override
        public void copied(Buf source, Buf target, long bytes) {
            LOG.info("Task completed (expected value = {})", pair.value());
        }

        @Override
        public void failed(Buf source, Buf target, DocaException failure) {
            failed.add(pair);
            LOG.error("Task failed with status {} (expected value = {})", failure.error(), pair.value());
        }
    }
}
