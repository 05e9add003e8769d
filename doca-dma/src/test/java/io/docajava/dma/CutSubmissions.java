/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Overflows the stack in each call that submits a copy, in each state of the queue, and then goes on in each way. Prints the number of
 * overflows.
 */
@SuppressWarnings("try") // the faults are not used themselves
public final class CutSubmissions implements Runnable {

    private static final int TASKS = 6;
    private static final int LENGTH = 64;
    private static final int TARGETS = 4096;

    /** A use of the context. */
    @FunctionalInterface
    private interface Step {

        void take(Round round) throws Exception;
    }

    private static final List<Step> BEFORE = List.of(
            round -> {},
            round -> {
                round.copy();
                round.lab.dma.flush();
                round.copy();
            },
            // A task is in flight, and the SDK has no room for another one that stays deferred.
            round -> {
                round.copy();
                round.lab.dma.flush();
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failCall("doca_task_submit_ex", 1, "AGAIN")
                        .inject()) {
                    round.copy();
                    round.lab.dma.flush();
                }
            });

    private static final List<Step> CUT =
            List.of(Round::copy, round -> round.futures.add(round.copyToFuture()), round -> round.task.submit());

    private static final List<Step> AFTER = List.of(
            round -> {},
            Round::copy,
            round -> round.lab.dma.flush(),
            round -> round.lab.engine.progress(),
            round -> {
                if (!round.isTaskInFlight()) {
                    round.task.close();
                }
            },
            round -> {
                if (!round.isTaskInFlight()) {
                    round.task.submit();
                }
            },
            round -> {
                round.lab.drain();
                round.target.close();
            },
            round -> {
                round.lab.dma.stop();
                round.lab.awaitIdle(Await.LIMIT);
                round.lab.dma.restart();
            });

    /** Created by its own loader. */
    public CutSubmissions() {}

    @Override
    @SuppressWarnings("SystemOut")
    public void run() {
        int overflows = 0;
        for (Step before : BEFORE) {
            for (Step cut : CUT) {
                for (Step after : AFTER) {
                    for (int number = 1; overflows(before, cut, number, after); number++) {
                        overflows++;
                    }
                }
            }
        }
        System.out.println("overflows: " + overflows);
    }

    /** Returns whether a call has overflowed. */
    private static boolean overflows(Step before, Step cut, int number, Step after) {
        try (Round round = new Round()) {
            round.warmUp();
            before.take(round);
            CuttingLoader.cut(number);
            try {
                cut.take(round);
            } catch (StackOverflowError e) {
                assertThat(e).hasMessage("as a test");
            } finally {
                CuttingLoader.end();
            }
            boolean overflowed = CuttingLoader.hasOverflowed();
            round.checkInFlight();
            after.take(round);
            round.checkAll();
            return overflowed;
        } catch (Exception e) {
            throw new AssertionError(
                    "Call " + number + " of step " + CUT.indexOf(cut) + " between " + BEFORE.indexOf(before) + " and "
                            + AFTER.indexOf(after),
                    e);
        }
    }

    /** A context with copies, each of which has its own tag. */
    private static final class Round implements AutoCloseable {

        final Lab lab = new Lab(TASKS);
        final MapRange source = lab.filled(0, LENGTH);
        final Mmap target = Mmap.allocate(lab.device, LENGTH, Access.LOCAL_READ_WRITE);
        final DmaTask task = lab.dma.task(source, target.range(0, LENGTH));
        final List<Completion<Long>> futures = new ArrayList<>();
        private final Set<Long> submitted = new HashSet<>();
        private long next = 1;

        private final Handler<CopyEnd> handler = (end, failure) -> {
            assertThat(submitted.remove(end.tag())).isTrue();
            // A stop ends copies early.
            if (failure == null) {
                lab.assertCopied(0, end.target().offset(), LENGTH);
            }
        };

        /** Binds all operations to the maps that the steps use. */
        void warmUp() throws Exception {
            for (int i = 1; i < TASKS; i++) {
                copy();
            }
            task.submit();
            lab.drain();
        }

        void copy() {
            long tag = next++;
            lab.dma.copy(lab.memory, 0, lab.memory, TARGETS + tag * LENGTH, LENGTH, tag, handler);
            submitted.add(tag);
        }

        Completion<Long> copyToFuture() {
            return lab.dma.copy(source, lab.memory.range(TARGETS, LENGTH));
        }

        boolean isTaskInFlight() {
            return task.status() == TaskStatus.IN_FLIGHT;
        }

        void checkInFlight() {
            int tasks = isTaskInFlight() ? 1 : 0;
            assertThat(lab.dma.inFlight()).isEqualTo(submitted.size() + futures.size() + tasks);
            assertThat(lab.engine.inFlight()).isEqualTo(lab.dma.inFlight());
        }

        /** Checks that each copy ends once, and that all tasks can be used. */
        void checkAll() throws Exception {
            lab.drain();
            assertThat(futures).allMatch(Completion::isDone);
            task.close();
            IntStream.range(0, TASKS).forEach(i -> copy());
            assertThat(lab.dma.inFlight()).isEqualTo(TASKS);
            lab.drain();
            assertThat(submitted).isEmpty();
            assertThat(lab.reported).isEmpty();
        }

        @Override
        public void close() {
            target.close();
            lab.close();
        }
    }

    /** Runs without arguments. */
    public static void main(String[] none) throws Exception {
        try (CuttingLoader loader = new CuttingLoader()) {
            loader.run(CutSubmissions.class);
        }
    }
}
