/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.submission.TaskCommands;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.Work;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that each deferred copy ends and every waiting thread returns, whatever happens before it leaves. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class DeferredCopiesTest extends CompletionModes {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;

    @Test
    void allCopiesEndHoweverManyThereAre() throws Exception {
        for (boolean optimized : List.of(false, true)) {
            try (Lab lab = new Lab(builder -> builder.maxTasks(70).optimizeReports(optimized))) {
                for (int size : new int[] {0, 1, 2, 3, 31, 32, 33, 34, 70}) {
                    List<Completion<Long>> copies = new ArrayList<>();
                    for (int i = 0; i < size; i++) {
                        copies.add(lab.dma.copy(lab.data(i * 64L, 64), lab.space(100_000 + i * 64L, 64)));
                    }
                    assertThat(lab.dma.inFlight()).isEqualTo(size);
                    lab.dma.flush();
                    for (int i = size - 1; i >= 0; i--) {
                        assertThat(copies.get(i).await()).isEqualTo(64);
                        lab.assertCopied(i * 64L, 100_000 + i * 64L, 64);
                    }
                    assertThat(lab.dma.inFlight()).isZero();
                    lab.memory.segment().asSlice(100_000, 70 * 64).fill((byte) 0);
                }
            }
        }
    }

    @Test
    void nobodyWaitsInVainForWhatIsHeldBack() throws Exception {
        for (boolean optimized : List.of(false, true)) {
            try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(optimized))) {
                assertThat(lab.dma.copy(lab.data(0, 64), lab.space(1000, 64)).await())
                        .isEqualTo(64);
                Completion<Long> first = lab.dma.copy(lab.data(0, 64), lab.space(2000, 64));
                Completion<Long> second = lab.dma.copy(lab.data(0, 64), lab.space(3000, 64));
                assertThat(lab.engine.inFlight()).isEqualTo(2);
                assertThat(first.await()).isEqualTo(64);
                assertThat(second.await()).isEqualTo(64);
                lab.dma.copy(lab.data(0, 64), lab.space(4000, 64), new Repeat(() -> false, lab.dma));
                lab.drain();
                Completion<Long> sleeping = lab.dma.copy(lab.data(0, 64), lab.space(5000, 64));
                assertThat(lab.engine.awaitEvent(Await.LIMIT)).isTrue();
                lab.drain();
                assertThat(sleeping).isCompletedWithValue(64L);
                lab.dma.flush();
            }
        }
    }

    /** DOCA 3.0 has a queue for plain copies and another one for copies of lists. */
    @Test
    void plainCopiesAndCopiesOfListsMayLeaveTogether() throws Exception {
        for (boolean optimized : List.of(false, true)) {
            try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(optimized))) {
                for (boolean listFirst : List.of(true, false)) {
                    List<Completion<Long>> copies = new ArrayList<>();
                    for (boolean isList : List.of(listFirst, !listFirst)) {
                        Buf source = isList
                                ? lab.buffers
                                        .list()
                                        .data(lab.memory, 0, 16)
                                        .data(lab.memory, 100, 48)
                                        .build()
                                : lab.data(200, 64);
                        copies.add(lab.dma.copy(source, lab.space(isList ? 1000 : 2000, 64)));
                    }
                    lab.dma.flush();
                    assertThat(copies)
                            .allSatisfy(copy -> assertThat(copy.await()).isEqualTo(64));
                }
            }
        }
    }

    @Test
    void aLoopDoesNotSleepOverDeferredCopies() throws Exception {
        try (ProgressLoop loop = ProgressLoop.start();
                Lab lab = new Lab();
                DmaContext dma =
                        DmaContext.builder(lab.device).optimizeReports(true).start(loop)) {
            long copied = Await.result(
                    Work.on(loop, () -> {
                        BufInventory buffers = BufInventory.create(4);
                        Completion<Long> first =
                                dma.copy(buffers.data(lab.memory, 0, 64), buffers.space(lab.memory, 1000, 64));
                        return dma.copy(buffers.data(lab.memory, 0, 64), buffers.space(lab.memory, 2000, 64))
                                .thenCombine(first, Long::sum)
                                .whenComplete((bytes, failure) -> buffers.close());
                    }),
                    "the copies");
            assertThat(copied).isEqualTo(128);
        }
    }

    @Test
    void anExceptionBetweenCopiesChangesNothing() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            List<Completion<Long>> copies = new ArrayList<>();
            assertThatThrownBy(() -> {
                        copies.add(lab.dma.copy(lab.data(0, 64), lab.space(1000, 64)));
                        copies.add(lab.dma.copy(lab.data(0, 64), lab.space(2000, 64)));
                        copies.add(lab.dma.copy(lab.data(0, 64), lab.space(3000, 1)));
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target has room for 1 bytes behind its data; the source has 64");
            assertThat(copies).hasSize(2);
            for (Completion<Long> copy : copies) {
                assertThat(copy.await()).isEqualTo(64);
            }
        }
    }

    /** A copy that the SDK refuses for lack of room stays deferred only if a copy in flight can make room. */
    @Test
    @DocaEmulator
    @SuppressWarnings("try") // the faults are not used
    void aRefusedCopyFailsIfNothingCanMakeRoom() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(2)) {
            Completion<Long> refused = lab.dma.copy(lab.data(0, 64), lab.space(1000, 64));
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .failCall("doca_task_submit", 1, "AGAIN")
                    .inject()) {
                lab.engine.progress();
                lab.engine.progress();
            }
            assertThatThrownBy(() -> refused.await(Await.LIMIT))
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("doca_task_submit failed with DOCA_ERROR_AGAIN");
            assertThat(lab.dma.inFlight()).isZero();
            assertThat(lab.dma.copy(lab.data(0, 64), lab.space(2000, 64)).await())
                    .isEqualTo(64);
        }
    }

    @Test
    void buffersOfHeldBackOperationsAreInUse() throws Exception {
        try (Lab lab = new Lab(2)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 128);
            lab.dma.copy(source, target, new Repeat(() -> false, lab.dma));
            assertIllegalState(
                    () -> lab.dma.copy(lab.data(200, 64), target), "The target is used by another copy in flight");
            assertIllegalState(source::close, "A buffer that a task in flight uses cannot be changed or closed");
            assertIllegalState(target::clear, "A buffer that a task in flight uses cannot be changed or closed");
            lab.dma.copy(source, lab.space(2000, 64), new Repeat(() -> false, lab.dma));
            assertFailed(
                    ResourceExhaustedException.class,
                    lab.dma.copy(source, lab.space(3000, 64)),
                    CONTEXT + " has no free task: all 2 are in use; progress until one completes, or raise "
                            + "maxTasks()");
            lab.drain();
            assertThat(target.dataLength()).isEqualTo(64);
        }
    }

    /** Submits far more copies than there are tasks. Progress between them frees tasks. */
    @Test
    void progressMakesRoom() {
        try (Lab lab = new Lab(builder -> builder.maxTasks(4).optimizeReports(true))) {
            int[] copied = {0};
            Handler<CopyEnd> counting = new Repeat(
                    () -> {
                        copied[0]++;
                        return false;
                    },
                    lab.dma);
            Buf source = lab.data(0, 64);
            List<Buf> targets = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                while (lab.dma.inFlight() == 4) {
                    lab.engine.progress();
                }
                targets.add(lab.space(10_000 + i * 64L, 64));
                lab.dma.copy(source, targets.getLast(), counting);
            }
            while (copied[0] < 100) {
                lab.engine.progress();
            }
            assertThat(targets)
                    .allSatisfy(target -> assertThat(target.dataLength()).isEqualTo(64));
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    @EnabledIf(Offered.ORDERED_COMPLETIONS)
    void copiesAndTasksKeepTheirOrder() throws Exception {
        Requirements.function("doca_dma_set_ordered_completions");
        try (Lab lab =
                new Lab(builder -> builder.maxTasks(8).orderedCompletions(true).optimizeReports(true))) {
            List<Buf> order = new ArrayList<>();
            List<Buf> targets = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                targets.add(lab.space(1000 + i * 64L, 64));
            }
            Buf source = lab.data(0, 64);
            try (DmaTask task = lab.dma.task(source, targets.get(4))) {
                lab.dma.copy(source, targets.get(0), recording(order, targets.get(0)));
                lab.dma.copy(source, targets.get(1), recording(order, targets.get(1)));
                lab.dma.copy(source, targets.get(2), recording(order, targets.get(2)));
                lab.dma.copy(source, targets.get(3), recording(order, targets.get(3)));
                task.onCompletion(done -> order.add(targets.get(4))).submit();
                lab.dma.copy(source, targets.get(5), recording(order, targets.get(5)));
                lab.drain();
            }
            assertThat(order).containsExactlyElementsOf(targets);
        }
    }

    @Test
    void anotherThreadIsRefused() throws Exception {
        try (Lab lab = new Lab();
                DmaTask task = lab.dma.task(lab.data(0, 64), lab.space(1000, 64))) {
            Buf source = lab.data(100, 64);
            Buf target = lab.space(2000, 64);
            List<Throwable> thrown = new ArrayList<>();
            Thread other = Thread.ofPlatform().name("other").start(() -> {
                thrown.add(catchThrowable(() -> lab.dma.copy(source, target)));
                thrown.add(catchThrowable(() -> lab.dma.copy(source, target, new Repeat(() -> false, lab.dma))));
                thrown.add(catchThrowable(task::submit));
                thrown.add(catchThrowable(lab.dma::flush));
            });
            other.join();
            assertThat(thrown)
                    .hasSize(4)
                    .allSatisfy(refusal -> assertThat(refusal)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage(CONTEXT + " belongs to thread \""
                                    + Thread.currentThread().getName()
                                    + "\" and was called by thread \"other\""
                                    + ". Any thread may call the operations with a future of a context that"
                                    + " was started on a ProgressLoop"));
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(64);
        }
    }

    @Test
    void tasksAreSubmittedTogether() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            DmaTask first = lab.dma.task(lab.data(0, 64), lab.space(1000, 64));
            DmaTask second = lab.dma.task(lab.data(0, 64), lab.space(2000, 64));
            List<DmaTask> done = new ArrayList<>();
            first.onCompletion(done::add);
            for (int round = 0; round < 3; round++) {
                lab.space(1000, 64).close();
                second.target(lab.space(10_000 + round * 64L, 64)).submit();
                first.target(lab.space(20_000 + round * 64L, 64)).submit();
                assertThat(first.status()).isEqualTo(TaskStatus.IN_FLIGHT);
                assertIllegalState(
                        first::submit,
                        "Cannot submit a task in flight of the " + CONTEXT + ": progress until it is done");
                assertIllegalState(
                        first::close,
                        "Cannot close a task in flight of the " + CONTEXT + ": progress until it is done");
                lab.dma.flush();
                lab.drain();
                assertThat(first.bytes()).isEqualTo(64);
                assertThat(second.bytes()).isEqualTo(64);
                assertThat(done).hasSize(round + 1);
            }
            first.close();
            second.close();
        }
    }

    @Test
    void aHandlerCanFlush() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            int[] copied = {0};
            Buf source = lab.data(0, 64);
            Handler<CopyEnd> counting = new Repeat(
                    () -> {
                        copied[0]++;
                        return false;
                    },
                    lab.dma);
            lab.dma.copy(
                    source,
                    lab.space(1000, 64),
                    new Repeat(
                            () -> {
                                lab.dma.copy(source, lab.space(2000, 64), counting);
                                lab.dma.copy(source, lab.space(3000, 64), counting);
                                lab.dma.flush();
                                lab.dma.copy(source, lab.space(4000, 64), counting);
                                return false;
                            },
                            lab.dma));
            lab.drain();
            assertThat(copied[0]).isEqualTo(3);
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aStopEndsDeferredCopies() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            Buf source = lab.data(0, 64);
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                copies.add(lab.dma.copy(source, lab.space(1000 + i * 64L, 64)));
            }
            lab.dma.stop();
            assertFailed(
                    ContextNotRunningException.class,
                    lab.dma.copy(source, lab.space(9000, 64)),
                    CONTEXT + " is stopping: it was stopped; restart() starts it again");
            lab.awaitIdle(Await.LIMIT);
            for (Completion<Long> copy : copies) {
                assertThat(copy).isDone();
                if (copy.isCompletedExceptionally()) {
                    assertThat(copy.exceptionNow())
                            .isInstanceOfSatisfying(
                                    TaskFailedException.class,
                                    failure -> assertThat(failure.reason()).isEqualTo(Reason.CANCELLED));
                }
            }
            lab.dma.restart();
            assertThat(lab.dma.copy(source, lab.space(10_000, 64)).await()).isEqualTo(64);
        }
    }

    @Test
    void closingTheContextEndsDeferredCopies() {
        Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true));
        Buf source = lab.data(0, 64);
        Completion<Long> first = lab.dma.copy(source, lab.space(1000, 64));
        Completion<Long> held = lab.dma.copy(source, lab.space(2000, 64));
        lab.dma.close();
        assertThat(first).isDone();
        assertThat(held).isDone();
        assertIllegalState(() -> lab.dma.copy(source, source), CONTEXT + " is closed");
        lab.close();
    }

    /** Operations that are reported together fail together, so the first failure may be that of a later operation. */
    @Test
    void aFailureFailsWhatIsReportedTogetherWithIt() throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Lab.spoil(bad);
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                copies.add(lab.dma.copy(i == 3 ? bad : good, lab.space(1000 + i * 64L, 64)));
            }
            lab.drain();
            assertThat(copies).allMatch(Completion::isDone);
            List<TaskFailedException> failures = copies.stream()
                    .filter(Completion::isCompletedExceptionally)
                    .map(copy -> (TaskFailedException) copy.exceptionNow())
                    .toList();
            assertThat(failures).contains((TaskFailedException) copies.get(3).exceptionNow());
            TaskFailedException rootCause = lab.dma.failure().orElseThrow();
            assertThat(failures).allSatisfy(failure -> {
                assertThat(failure.rootCause()).containsSame(rootCause);
                assertThat(failure.reason()).isEqualTo(failure.equals(rootCause) ? Reason.ROOT_CAUSE : Reason.ABORTED);
                if (TaskCommands.hasFlags()) {
                    assertThat(failure)
                            .hasMessageEndingWith(
                                    failure.equals(rootCause)
                                            ? ". The cause may be an operation submitted later, as the context reports them"
                                                    + " together"
                                            : ". It was aborted, as the context stopped after another operation failed; or"
                                                    + " it is the cause itself, as the context reports operations together");
                } else {
                    assertThat(failure.getMessage()).doesNotContain("together");
                }
            });
            assertThat(lab.dma.copy(good, lab.space(5000, 64)).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining("it stopped itself after an operation failed")
                    .cause()
                    .hasMessageStartingWith("Copying 64 bytes from ");
            lab.dma.restart();
            assertThat(lab.dma.copy(good, lab.space(6000, 64)).await()).isEqualTo(64);
        }
    }

    /** A copy that is reported by itself is the cause of its failure, whatever was submitted before. */
    @Test
    void aFailureAfterAFlushIsItsOwn() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            DmaTask task = lab.dma.task(lab.data(100, 64), lab.space(1000, 64));
            Completion<Long> other;
            task.submit();
            other = lab.dma.copy(lab.data(100, 64), lab.space(2000, 64));
            lab.dma.flush();
            lab.drain();
            assertThat(other).isCompletedWithValue(64L);
            task.source(bad).target(lab.space(3000, 64)).submit();
            lab.drain();
            assertThat(task.failure())
                    .get()
                    .satisfies(failure -> assertThat(failure.isRootCause()).isTrue())
                    .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("together"));
            task.close();
        }
    }

    /** The device fails while a handler, which is not aware of the failure, submits another copy. */
    @Test
    void heldBackOperationsAreAbortedWhenTheContextFails() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Buf target = lab.space(1000, 64);
            List<Object> ends = new ArrayList<>();
            Handler<CopyEnd> ending = (end, failure) -> ends.add(failure == null ? end.bytes() : failure);
            Lab.spoil(bad);
            // Both copies have ended before the first handler is called, whichever is reported first.
            lab.dma.copy(good, lab.space(2000, 64), (end, failure) -> {
                Throwable refusal =
                        failure == null ? catchThrowable(() -> lab.dma.copy(good, target, ending)) : failure;
                if (refusal != null) {
                    ends.add(refusal);
                }
            });
            Completion<Long> failing = lab.dma.copy(bad, lab.space(3000, 64));
            lab.drain();
            assertThat(failing).isCompletedExceptionally();
            assertThat(ends).singleElement().satisfies(end -> {
                if (end instanceof TaskFailedException failure) {
                    assertThat(failure.reason()).isEqualTo(Reason.ABORTED);
                    assertThat(failure.rootCause()).containsSame((TaskFailedException) failing.exceptionNow());
                } else {
                    assertThat(end).isInstanceOfAny(Long.class, IllegalStateException.class);
                }
            });
            lab.awaitIdle(Await.LIMIT);
            assertThat(lab.reported).isEmpty();
            target.clear();
            lab.dma.restart();
            assertThat(lab.dma.copy(good, target).await()).isEqualTo(64);
        }
    }

    private static Handler<CopyEnd> recording(List<Buf> order, Buf target) {
        return (end, failure) -> {
            assertThat(failure).isNull();
            order.add(target);
        };
    }

    private static void assertFailed(Class<? extends RuntimeException> type, Completion<?> copy, String message) {
        assertThat(copy.exceptionNow()).isExactlyInstanceOf(type).hasMessage(message);
    }

    private static void assertIllegalState(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }
}
