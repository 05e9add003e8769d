/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.DmaDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Does all work in callbacks: each step begins when the engine reports the end of the previous one. */
@Command(name = "pe_reactive", sortOptions = false, description = "Copies, stops and closes in callbacks alone")
public final class PeReactive implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeReactive.class);

    private static final int TASKS = 16;

    /** Much longer than any device needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<CopyPair> pairs = new ArrayList<>();
    private int left = TASKS;

    /** The exceptions of callbacks, which the engine would only log. */
    private final List<Throwable> failures = new ArrayList<>();

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create().errorHandler(failures::add);
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE)) {
            pairs.addAll(CopyPair.fill(memory));

            // Closes the context after a failure; otherwise it is closed already.
            try (DmaContext dma = DmaContext.builder(device)
                    .maxTasks(TASKS)
                    .listener(this::stateChanged)
                    .start(engine)) {
                LOG.info("Polling until all tasks are completed");
                if (!engine.await(() -> dma.state() == ContextState.IDLE || !failures.isEmpty(), PATIENCE)) {
                    throw new SampleException(dma + " did not stop within " + PATIENCE.toSeconds() + " s");
                }
            }
            if (!failures.isEmpty()) {
                throw new SampleException(
                        "A callback failed: " + failures.getFirst().getMessage());
            }
            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", TASKS);
        }
    }

    private void stateChanged(Context context, ContextState previous, ContextState next) {
        switch (next) {
            case RUNNING -> {
                LOG.info("DMA context is running. Submitting tasks");
                submit((DmaContext) context);
            }
            case STOPPING -> LOG.info("DMA context entered into stopping state. Any inflight tasks will be flushed");
            case IDLE -> {
                LOG.info("DMA context has been stopped. Destroying context");
                context.close();
            }
            case STARTING -> throw new IllegalStateException("A DMA context needs no time to start");
        }
    }

    private void submit(DmaContext dma) {
        for (CopyPair pair : pairs) {
            dma.copy(pair.source(), pair.target(), (end, failure) -> copied(dma, failure));
        }
    }

    /** Stops the context when all copies are done. */
    private void copied(DmaContext dma, @Nullable TaskFailedException failure) {
        if (failure != null) {
            throw failure;
        }
        left--;
        if (left == 0) {
            LOG.info("All tasks have completed. Stopping context");
            dma.stop();
        }
    }
}
