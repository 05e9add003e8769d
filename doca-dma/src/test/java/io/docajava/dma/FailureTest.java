/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.Doca;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.ffi.Backend;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests which copy a failure names as its cause, and that a context can be used again after a failure. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class FailureTest extends CompletionModes {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;

    @Test
    void distinguishesTheRootCauseFromTheOthers() throws Exception {
        try (Lab lab = new Lab(64)) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Lab.spoil(bad);
            List<Completion<Long>> others = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                others.add(lab.dma.copy(good, lab.space(1000 + i * 64L, 64)));
            }
            Completion<Long> failing = lab.dma.copy(bad, lab.space(10_000, 64));
            for (int i = 0; i < 30; i++) {
                others.add(lab.dma.copy(good, lab.space(20_000 + i * 64L, 64)));
            }
            lab.drain();
            TaskFailedException rootCause = (TaskFailedException) failing.exceptionNow();
            assertThat(rootCause.reason()).isEqualTo(Reason.ROOT_CAUSE);
            assertThat(rootCause.isRootCause()).isTrue();
            assertThat(rootCause.rootCause()).containsSame(rootCause);
            assertThat(rootCause.error()).isEqualTo(DocaError.IO_FAILED);
            assertThat(lab.dma.failure()).containsSame(rootCause);

            List<Completion<Long>> failed =
                    others.stream().filter(Completion::isCompletedExceptionally).toList();
            // With threads, all others may have completed before.
            if (!"threaded".equals(System.getenv("DOCA_EMULATOR_ENGINE"))) {
                assertThat(failed).isNotEmpty();
            }
            assertThat(failed)
                    .allSatisfy(copy -> assertThat(copy.exceptionNow())
                            .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                                assertThat(failure.reason()).isEqualTo(Reason.ABORTED);
                                assertThat(failure.isRootCause()).isFalse();
                                assertThat(failure.rootCause()).containsSame(rootCause);
                                assertThat(failure).hasCause(rootCause);
                                // The message does not quote the reason of the other failure.
                                assertThat(failure)
                                        .hasMessageMatching("Copying 64 bytes from 100 of Mmap of .* failed with "
                                                + "DOCA_ERROR_\\w+ \\([^)]*\\)\\. It was aborted, as the context stopped"
                                                + " after another operation failed");
                            }));
        }
    }

    @Test
    void aRequestedStopIsNoFailure() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab(64)) {
            MapRange source = lab.filled(0, 64);
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                copies.add(lab.dma.copy(source, lab.memory.range(1000 + i * 64L, 64)));
            }
            lab.dma.stop();
            lab.drain();
            assertThat(lab.dma.failure()).isEmpty();
            List<Completion<Long>> failed =
                    copies.stream().filter(Completion::isCompletedExceptionally).toList();
            if (!isThreaded()) {
                assertThat(failed).hasSize(64);
            }
            assertThat(failed)
                    .allSatisfy(copy -> assertThat(copy.exceptionNow())
                            .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                                assertThat(failure.reason()).isEqualTo(Reason.CANCELLED);
                                assertThat(failure.isRootCause()).isFalse();
                                assertThat(failure.rootCause()).isEmpty();
                                assertThat(failure)
                                        .hasMessageEndingWith(". It was aborted, as the context was stopped");
                            }));
        }
    }

    @Test
    void listenersLearnTheCauseWithTheStop() throws Exception {
        List<String> seen = new ArrayList<>();
        List<Optional<TaskFailedException>> causes = new ArrayList<>();
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).listener((context, previous, next) -> {
            seen.add(previous + " to " + next);
            causes.add(context.failure());
        }))) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            Completion<Long> failing = lab.dma.copy(bad, lab.space(1000, 64));
            lab.awaitIdle(Await.LIMIT);
            TaskFailedException rootCause = (TaskFailedException) failing.exceptionNow();
            assertThat(lab.dma.failure()).containsSame(rootCause);
            lab.dma.restart();
            assertThat(lab.dma.failure()).isEmpty();
            lab.dma.stop();
            assertThat(lab.dma.failure()).isEmpty();
            assertThat(seen)
                    .containsExactly(
                            "IDLE to RUNNING",
                            "RUNNING to STOPPING",
                            "STOPPING to IDLE",
                            "IDLE to RUNNING",
                            "RUNNING to IDLE");
            assertThat(causes)
                    .containsExactly(
                            Optional.empty(),
                            Optional.of(rootCause),
                            Optional.of(rootCause),
                            Optional.empty(),
                            Optional.empty());
        }
    }

    /** Stopping a context that has already stopped changes nothing: the cause remains. */
    @Test
    void stoppingAfterAFailureKeepsTheCause() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Lab.spoil(bad);
            lab.dma.copy(
                    good,
                    lab.space(1000, 64),
                    new Repeat(
                            () -> {
                                lab.dma.stop();
                                return false;
                            },
                            lab.dma));
            Completion<Long> failing = lab.dma.copy(bad, lab.space(2000, 64));
            lab.drain();
            // With workers, the good copy may have been reported and the stop requested before the bad copy ended.
            TaskFailedException failure = (TaskFailedException) failing.exceptionNow();
            if (!isThreaded()) {
                assertThat(failure.isRootCause()).isTrue();
                assertThat(lab.dma.failure()).containsSame(failure);
            }
            lab.dma.stop();
            assertThat(lab.dma.failure()).isEqualTo(failure.isRootCause() ? Optional.of(failure) : Optional.empty());
        }
    }

    /** The reason for the retry differs between the failed copy and the aborted ones. */
    @Test
    void allButTheRootCauseSucceedAfterARestart() throws Exception {
        try (Lab lab = new Lab(16)) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            List<Buf> pending = new ArrayList<>();
            List<Buf> given = new ArrayList<>();
            List<Buf> done = new ArrayList<>();
            List<Buf> good = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                good.add(lab.data(100 + i * 64L, 64));
            }
            pending.addAll(good);
            pending.add(6, bad);
            for (int round = 0; !pending.isEmpty(); round++) {
                assertThat(round).as("rounds").isLessThan(3);
                List<Buf> now = List.copyOf(pending);
                pending.clear();
                for (int i = 0; i < now.size(); i++) {
                    Buf source = now.get(i);
                    lab.dma.copy(source, lab.space(50_000 + (round * 16L + i) * 64, 64), (end, failure) -> {
                        if (failure == null) {
                            done.add(source);
                        } else {
                            (failure.isRootCause() ? given : pending).add(source);
                        }
                    });
                }
                lab.drain();
                if (lab.dma.state() != ContextState.RUNNING) {
                    lab.dma.restart();
                }
            }
            assertThat(given).containsExactly(bad);
            assertThat(done).containsExactlyInAnyOrderElementsOf(good);
        }
    }

    @Test
    void restartIsPossibleInEveryStateThatIsNotRunning() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Buf target = lab.space(1000, 64);
            DmaTask task = lab.dma.task(good, target);
            task.submit();
            lab.drain();
            for (int round = 0; round < 3; round++) {
                Lab.spoil(bad);
                Completion<Long> failing = lab.dma.copy(bad, lab.space(2000 + round * 64L, 64));
                assertThat(lab.engine.await(() -> lab.dma.state() != ContextState.RUNNING, Await.LIMIT))
                        .as("waits for the begin of the stop")
                        .isTrue();
                // The context may be stopping in the first round, and is idle later.
                if (round > 0) {
                    lab.awaitIdle(Await.LIMIT);
                }
                lab.dma.restart();
                assertThat(failing).isCompletedExceptionally();
                assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
                assertThatThrownBy(lab.dma::restart)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(CONTEXT + " is running already");
                target.clear();
                task.submit();
                lab.drain();
                assertThat(task.bytes()).isEqualTo(64);
                Lab.repair(bad);
            }
            task.close();
        }
    }

    /** A callback learns of the failure before the context has ended all copies, so it cannot restart the context. */
    @Test
    void aHandlerCannotRestartBeforeAllHasEnded() throws Exception {
        try (Lab lab = new Lab()) {
            Buf bad = lab.data(0, 64);
            Lab.spoil(bad);
            List<Throwable> refused = new ArrayList<>();
            lab.dma.copy(bad, lab.space(1000, 64), (end, failure) -> {
                assertThat(failure).isNotNull();
                refused.add(catchThrowable(lab.dma::restart));
            });
            lab.drain();
            assertThat(refused)
                    .singleElement()
                    .satisfies(refusal -> assertThat(refusal)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage(CONTEXT + " is still stopping, with 0 tasks in flight: a callback cannot wait"
                                    + " for that, but a state listener can restart it when it is idle"));
            lab.dma.restart();
            assertThat(lab.reported).isEmpty();
        }
    }

    /** The data is copied first, then a flag that announces it. The flag is not copied if the data failed. */
    @Test
    void aFlagFollowsItsData() throws Exception {
        try (Lab lab = new Lab()) {
            Buf data = lab.data(0, 100_000);
            Buf flag = lab.data(200_000, 8);
            Buf copied = lab.space(300_000, 100_000);
            Completion<Long> published = lab.dma.copy(data, copied).thenCompose(bytes -> {
                lab.assertCopied(0, 300_000, 100_000);
                return lab.dma.copy(flag, lab.space(500_000, 8));
            });
            assertThat(published.await()).isEqualTo(8);

            Lab.spoil(data);
            copied.clear();
            Buf untouched = lab.space(600_000, 8);
            Completion<Long> failing = lab.dma.copy(data, copied).thenCompose(bytes -> lab.dma.copy(flag, untouched));
            assertThatThrownBy(() -> failing.await()).isInstanceOf(TaskFailedException.class);
            assertThat(untouched.dataLength()).isZero();
        }
    }

    /** Returns whether copies complete while the program runs, instead of within its calls of progress. */
    static boolean isThreaded() {
        return Doca.backend() == Backend.SDK || "threaded".equals(System.getenv("DOCA_EMULATOR_ENGINE"));
    }
}
