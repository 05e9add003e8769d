/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.internal.Transitions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the number of native calls that copies take, in a JVM that counts them. */
final class TransitionProbe {

    private static final int COPIES = 64;

    private TransitionProbe() {}

    public static void main(String[] arguments) {
        try (Lab lab = new Lab(2 * COPIES)) {
            List<Buf> sources = new ArrayList<>();
            List<Buf> targets = new ArrayList<>();
            List<DmaTask> tasks = new ArrayList<>();
            for (int i = 0; i < COPIES; i++) {
                sources.add(lab.data(i * 64L, 64));
                targets.add(lab.space(500_000 + i * 64L, 64));
                tasks.add(lab.dma.task(sources.get(i), targets.get(i)));
            }
            Ignore ignore = new Ignore();
            Runnable manyTasks = () -> {
                for (int i = 0; i < COPIES; i++) {
                    targets.get(i).clear();
                    tasks.get(i).submit();
                }
                lab.dma.flush();
            };
            Runnable manyCopies = () -> {
                for (int i = 0; i < COPIES; i++) {
                    targets.get(i).clear();
                    lab.dma.copy(sources.get(i), targets.get(i), ignore);
                }
                lab.dma.flush();
            };
            print("many tasks", lab, manyTasks);
            tasks.forEach(DmaTask::close);
            print("many copies", lab, manyCopies);
            DmaTask task = lab.dma.task(sources.getFirst(), targets.getFirst());
            print("one task", lab, () -> {
                targets.getFirst().clear();
                task.submit();
            });
            task.close();
            targets.forEach(Buf::clear);
            try (DmaSeries series = lab.dma.series(lab.ranges(sources), lab.ranges(targets))) {
                print("series", lab, series::submit);
            }
            printLists(lab, ignore);
        }
    }

    /** The data segments of a list are set for the first submission after their change only. */
    private static void printLists(Lab lab, Ignore ignore) {
        Buf list = lab.data(600_000, 64).append(lab.data(601_000, 64)).append(lab.data(602_000, 64));
        Buf target = lab.space(610_000, 192);
        list.setData(0, 32);
        print("copy of a list", lab, () -> {
            target.clear();
            lab.dma.copy(list, target, ignore);
        });
        try (DmaTask task = lab.dma.task(list, target)) {
            list.setData(1, 32);
            print("task with a list", lab, () -> {
                target.clear();
                task.submit();
            });
        }
    }

    /** Counts a second submission, when native tasks exist. Every call of progress until the end counts. */
    private static void print(String what, Lab lab, Runnable submission) {
        for (int round = 0; round < 2; round++) {
            long before = Transitions.count();
            submission.run();
            long submitted = Transitions.count();
            int rounds = 0;
            while (lab.dma.inFlight() > 0) {
                lab.engine.progress();
                rounds++;
            }
            if (round == 1) {
                System.out.println(what + ": " + (submitted - before) + " to submit, "
                        + (Transitions.count() - submitted - rounds) + " beside " + "progress");
            }
        }
    }

    private static final class Ignore implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
