/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.CopyEnd;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.DmaDevices;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * Stops a context while tasks are in flight. The stop completes when all tasks have ended: those that the device had
 * finished succeed, and the others fail with the stop as the reason.
 */
@Command(name = "pe_async_stop", sortOptions = false, description = "Stops a context while copies are in flight")
public final class PeAsyncStop implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeAsyncStop.class);

    private static final int TASKS = 16;

    /** Much longer than any device needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The number of copies that are in flight at the stop. */
    private static final int DEPTH = 8;

    private final Queue<CopyPair> waiting = new ArrayDeque<>();
    private final List<CopyPair> copied = new ArrayList<>();
    private int failed;
    private int flushed;

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(DEPTH)
                        .listener(new StateLog())
                        .start(engine)) {
            LOG.info("Submitting tasks");
            waiting.addAll(CopyPair.fill(memory));
            int submitted = 0;
            while (submitted < DEPTH && trySubmitNext(dma)) {
                submitted++;
            }

            LOG.info("Polling until all tasks are completed and the context is idle");
            if (!engine.await(() -> dma.state() == ContextState.IDLE, PATIENCE)) {
                throw new SampleException(dma + " is " + dma.state() + " after " + PATIENCE.toSeconds() + " s");
            }
            if (failed > 0) {
                throw new SampleException(failed + " tasks failed before the stop");
            }
            copied.forEach(CopyPair::verify);
            LOG.info("{} copies are verified as correct, {} were flushed", copied.size(), flushed);
        }
    }

    /** Submits the next copy. Returns false if the device has failed since the last progress, so that the context stops. */
    private boolean trySubmitNext(DmaContext dma) {
        CopyPair pair = waiting.remove();
        try {
            dma.copy(pair.source(), pair.target(), new Outcome(dma, pair));
            return true;
        } catch (ContextNotRunningException e) {
            return false;
        }
    }

    /** Keeps the device busy, and stops the context when half of the copies have ended. */
    private final class Outcome implements Handler<CopyEnd> {

        private final DmaContext dma;
        private final CopyPair pair;

        Outcome(DmaContext dma, CopyPair pair) {
            this.dma = dma;
            this.pair = pair;
        }

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure == null) {
                copied.add(pair);
                LOG.info("Task {} completed successfully", pair.value());
                proceed();
            } else if (failure.reason() == TaskFailedException.Reason.CANCELLED) {
                flushed++;
                LOG.info("Task flushed with status {}", failure.error());
            } else {
                failed++;
                LOG.error("Task failed with status {}", failure.error());
                proceed();
            }
        }

        /** Submits another copy, or stops the context. A stopped context, also after a failure, accepts no tasks. */
        private void proceed() {
            if (dma.state() != ContextState.RUNNING) {
                return;
            }
            boolean isHalf = copied.size() + failed == TASKS / 2;
            try {
                if (!waiting.isEmpty()) {
                    trySubmitNext(dma);
                }
            } finally {
                if (isHalf && dma.state() == ContextState.RUNNING) {
                    LOG.info("Stopping DMA in the middle");
                    // Returns at once. The context becomes idle when the last task in flight has ended.
                    dma.stop();
                }
            }
        }
    }
}
