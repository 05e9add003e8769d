/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.pe;

import io.docajava.core.Doca;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.Backend;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.DmaDevices;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * Shows how a failed task stops its context, unless the failure is temporary: all tasks in flight fail, and the context
 * stops until the program restarts it. Each failure says whether its task is the root cause. The original sample
 * provokes the failure by a source without data. In doca-java a copy of 0 bytes succeeds, and mistakes are refused. So the failure
 * must come from the device; this sample injects one into the emulator.
 */
@Command(
        name = "pe_task_error",
        sortOptions = false,
        description = "Gets over a copy that fails and stops its context",
        footer = {
            "",
            "On the emulator the third task fails, unless DOCA_EMULATOR_FAULTS asks for other faults. A device of the SDK"
                    + " makes all copies if nothing is wrong with it: mistakes are refused before the device sees them."
        })
public final class PeTaskError implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(PeTaskError.class);

    private static final int TASKS = 255;

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DmaDevices.COPYING);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, CopyPair.memoryFor(TASKS), Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(TASKS)
                        .listener(new StateLog())
                        .start(engine)) {
            dma.addListener(PeTaskError::stateChanged);
            List<CopyPair> pairs = CopyPair.fill(memory);
            copyTooMuch(dma, pairs.get(2));

            LOG.info("Submitting tasks");
            List<CopyPair> failed = awaitAll(pairs, submitWithFault(dma, pairs));
            if (failed.isEmpty()) {
                LOG.info("The device made all copies, so that there is nothing to get over");
            } else {
                restartIfStopped(dma);
                LOG.info("Submitting {} tasks again", failed.size());
                List<CopyPair> failedAgain = awaitAll(failed, submit(dma, failed));
                if (!failedAgain.isEmpty()) {
                    throw new SampleException(failedAgain.size() + " tasks failed again");
                }
            }
            pairs.forEach(CopyPair::verify);
            LOG.info("All {} copies are verified as correct", TASKS);
        }
    }

    private static void stateChanged(Context context, ContextState previous, ContextState next) {
        if (next == ContextState.STOPPING) {
            LOG.info("CTX moved to stopping state unexpectedly");
        }
    }

    /** Makes a mistake that could stop the context of a C program. */
    private static void copyTooMuch(DmaContext dma, CopyPair pair) {
        CopyPair tooShort =
                new CopyPair(pair.value(), pair.source(), pair.target().slice(0, 1));
        try {
            submit(dma, List.of(tooShort));
            throw new SampleException("A copy to a range that is too short was not refused");
        } catch (IllegalArgumentException e) {
            LOG.info("A copy to a range that is too short is refused: {}", e.getMessage());
        }
    }

    private static List<Completion<Long>> submitWithFault(DmaContext dma, List<CopyPair> pairs) {
        if (Doca.backend() != Backend.EMULATOR || System.getenv(EmulatorEnvironment.FAULTS) != null) {
            return submit(dma, pairs);
        }
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failTask(3, "IO_FAILED").inject()) {
            LOG.info("The emulator is to fail a task: {}", faults);
            return submit(dma, pairs);
        }
    }

    /** Restarts the context, unless the failure was temporary, such as a lack of room, and has left it running. */
    private static void restartIfStopped(DmaContext dma) {
        if (dma.state() == ContextState.RUNNING) {
            LOG.info("The context is still running");
            return;
        }
        dma.failure()
                .ifPresent(
                        failure -> LOG.info("Restarting the context, which stopped after: {}", failure.getMessage()));
        // Waits until the context is idle.
        dma.restart();
    }

    private static List<Completion<Long>> submit(DmaContext dma, List<CopyPair> pairs) {
        return pairs.stream()
                .map(pair -> dma.copy(pair.source(), pair.target()))
                .toList();
    }

    /** Waits for all copies, and returns the pairs that were not copied. */
    private static List<CopyPair> awaitAll(List<CopyPair> pairs, List<Completion<Long>> copies)
            throws InterruptedException {
        LOG.info("Polling until all tasks are completed");
        List<CopyPair> failed = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            int value = pairs.get(i).value();
            try {
                copies.get(i).await();
                LOG.info("Task completed (expected value = {})", value);
            } catch (TaskFailedException e) {
                failed.add(pairs.get(i));
                LOG.error("Task failed {} with status {} (expected value = {})", how(e), e.error(), value);
            }
        }
        LOG.info("All tasks are completed");
        return failed;
    }

    private static String how(TaskFailedException failure) {
        return switch (failure.reason()) {
            case ROOT_CAUSE -> "by itself";
            case ABORTED -> "along with another";
            case CANCELLED -> "by a stop";
        };
    }
}
