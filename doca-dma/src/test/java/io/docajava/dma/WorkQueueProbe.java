/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Runs with the libraries of a release that has work queues. */
final class WorkQueueProbe {

    /** More copies than fit into the work queue of a context, which takes 1024 work requests. */
    private static final int MANY = 3000;

    private WorkQueueProbe() {}

    public static void main(String[] arguments) throws Exception {
        DocaLibrary library = DocaLibrary.load();
        System.out.println(library.version() + " by "
                + Path.of(library.translationPath().orElseThrow()).getFileName());
        try (Lab lab = new Lab(MANY)) {
            copyMany(lab);
            failAndRestart(lab);
            System.out.println("waited for events: " + waitForEvents(lab));
            System.out.println("stopped: " + stop(lab));
            try {
                library.require("doca_task_submit_ex");
            } catch (DocaFunctionException e) {
                String file = library.libraryPath("common");
                System.out.println(String.valueOf(e.getMessage()).replace(file, "FILE"));
            }
        }
    }

    private static void copyMany(Lab lab) throws Exception {
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            copies.add(lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(1000 + i * 64L, 64)));
        }
        lab.drain();
        System.out.println(copies.stream().filter(WorkQueueProbe::succeeded).count() + " copied");
    }

    private static boolean succeeded(Completion<Long> copy) {
        return copy.state() == Future.State.SUCCESS;
    }

    private static void failAndRestart(Lab lab) throws Exception {
        Buf bad = lab.data(0, 64);
        Lab.spoil(bad);
        Completion<Long> failing = lab.dma.copy(bad, lab.space(300_000, 64));
        lab.drain();
        TaskFailedException failure = (TaskFailedException) failing.exceptionNow();
        System.out.println("failed with " + failure.error());
        lab.engine.await(() -> lab.dma.state() == ContextState.IDLE);
        lab.dma.restart();
        System.out.println("after a restart: "
                + lab.dma.copy(lab.data(0, 64), lab.space(310_000, 64)).await());
    }

    private static boolean waitForEvents(Lab lab) throws Exception {
        Completion<Long> copy = lab.dma.copy(lab.filled(0, 64), lab.memory.range(320_000, 64));
        while (!copy.isDone()) {
            lab.engine.awaitEvent(Duration.ofSeconds(10));
            lab.engine.progress();
        }
        return succeeded(copy);
    }

    /** Stops the context. Work queues cannot flush, so operations in flight complete. */
    private static boolean stop(Lab lab) throws Exception {
        Completion<Long> copy = lab.dma.copy(lab.filled(0, 64), lab.memory.range(330_000, 64));
        lab.dma.stop();
        lab.engine.await(() -> lab.dma.state() == ContextState.IDLE);
        return copy.isDone();
    }
}
