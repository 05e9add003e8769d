/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.dma.DmaTask;
import io.docajava.dma.Requirements;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.hot.BufCalls;
import io.docajava.junit.DocaEmulator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests tasks with injected failures: which callers are notified, and how the context recovers. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class FailedTaskTest {

    private static DocaError errorOf(Completion<Long> copy) {
        assertThat(copy).isCompletedExceptionally();
        return ((DocaCallException) copy.exceptionNow()).error();
    }

    @Test
    void theNthTaskFailsAndTakesTheOthersWithIt() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab()) {
            List<Completion<Long>> copies = new ArrayList<>();
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(3, "TIME_OUT").inject()) {
                for (int block = 0; block < 5; block++) {
                    copies.add(lab.copy(block));
                }
                lab.drain();
            }
            assertThat(errorOf(copies.get(2))).isEqualTo(DocaError.TIME_OUT);
            assertThat(lab.isCopied(2)).isFalse();
            copies.remove(2);
            if (!FaultLab.isThreaded()) {
                assertThat(copies.subList(0, 2)).allMatch(copy -> copy.resultNow() == FaultLab.BLOCK);
                assertThat(copies.subList(2, 4)).allMatch(copy -> errorOf(copy) == DocaError.IO_FAILED);
            }
            assertThat(copies)
                    .allMatch(copy -> !copy.isCompletedExceptionally() || errorOf(copy) == DocaError.IO_FAILED);

            // The context names the root cause, and not an aborted copy.
            assertThat(lab.copy(0).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining("it stopped itself after an operation failed")
                    .cause()
                    .hasMessageStartingWith("Copying 256 bytes from 512 of Mmap")
                    .hasMessageContaining("DOCA_ERROR_TIME_OUT");
            lab.dma.restart();
            lab.assertCopies();
        }
    }

    @Test
    void aCopyOfRangesNamesThem() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab()) {
            List<String> ends = new ArrayList<>();
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "TIME_OUT").inject()) {
                lab.dma.copy(
                        lab.memory.range(0, 64),
                        lab.memory.range(4096, 64),
                        (end, failure) -> ends.add(end + ": " + failure.reason() + ", " + failure.getMessage()));
                lab.drain();
            }
            assertThat(ends)
                    .singleElement()
                    .asString()
                    .startsWith("copy from 64 bytes at 0 of " + lab.memory + " to 64 bytes at 4096 of " + lab.memory
                            + ": ROOT_CAUSE, Copying 64 bytes from 0 of " + lab.memory + " to 4096 of " + lab.memory
                            + ": doca_dma_task_memcpy failed with DOCA_ERROR_TIME_OUT");
            assertThat(lab.dma.stats().failed()).isEqualTo(1);
            lab.awaitIdle();
            lab.dma.restart();
            assertThat(lab.dma
                            .copy(lab.memory.range(0, 64), lab.memory.range(4096, 64))
                            .await())
                    .isEqualTo(64);
        }
    }

    @Test
    void aStartForgetsTheCauseAndAFailedOneDoesNot() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            Completion<Long> copy;
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "TIME_OUT").inject()) {
                copy = lab.copy(0);
                lab.drain();
            }
            TaskFailedException cause = (TaskFailedException) copy.exceptionNow();
            assertThat(lab.dma.failure()).containsSame(cause);
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .failCall("doca_ctx_start", 1, "DRIVER")
                    .inject()) {
                assertThatThrownBy(lab.dma::restart)
                        .hasMessageContaining("doca_ctx_start failed with DOCA_ERROR_DRIVER");
            }
            assertThat(lab.dma.state()).isEqualTo(ContextState.IDLE);
            assertThat(lab.dma.failure()).containsSame(cause);
            lab.dma.restart();
            assertThat(lab.dma.failure()).isEmpty();
            lab.assertCopies();
        }
    }

    @Test
    void aPartOfACopyToAListMayFail() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab()) {
            Buf source = lab.source(0).append(lab.source(1)).append(lab.source(2));
            Buf first = lab.target(0);
            Buf second = lab.target(10);
            Buf third = lab.target(20);
            Buf target = first.append(second).append(third);
            Completion<Long> copy;
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(2, "TIME_OUT").inject()) {
                copy = lab.dma.copy(source, target);
                lab.drain();
            }
            assertThat(errorOf(copy)).isEqualTo(DocaError.TIME_OUT);
            assertThat(copy.exceptionNow()).hasMessageStartingWith("Copying 256 bytes from 256 of Mmap of ");
            // The first part was copied, and the third one is unchanged.
            assertThat(lab.isCopied(0)).isTrue();
            assertThat(List.of(first, second, third)).allMatch(buf -> buf.dataLength() == 0);

            lab.dma.restart();
            assertThat(lab.dma.copy(source, target).await(FaultLab.LONG)).isEqualTo(3 * FaultLab.BLOCK);
            assertThat(List.of(first, second, third)).allMatch(buf -> buf.dataLength() == FaultLab.BLOCK);
            lab.assertCopies();
        }
    }

    @Test
    void theLastOfManyMayFail() throws Exception {
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = EmulatorFaults.builder()
                        .failTask(FaultLab.BLOCKS, "UNEXPECTED")
                        .inject()) {
            List<Completion<Long>> copies = new ArrayList<>();
            for (int block = 0; block < FaultLab.BLOCKS; block++) {
                copies.add(lab.copy(block));
            }
            lab.drain();
            assertThat(copies).allMatch(Completion::isDone);
            assertThat(errorOf(copies.getLast())).isEqualTo(DocaError.UNEXPECTED);
            lab.dma.restart();
            lab.assertCopies();
        }
    }

    @Test
    void aTransientErrorIsNotToBlameForTheNextFailure() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = EmulatorFaults.builder()
                        .failTask(1, "AGAIN")
                        .failTask(2, "TIME_OUT")
                        .inject()) {
            Completion<Long> passing = lab.copy(0);
            Completion<Long> fatal = lab.copy(1);
            lab.drain();
            TaskFailedException rootCause = (TaskFailedException) fatal.exceptionNow();
            assertThat(rootCause.reason()).isEqualTo(TaskFailedException.Reason.ROOT_CAUSE);
            assertThat(lab.dma.failure()).containsSame(rootCause);
            if (!FaultLab.isThreaded()) {
                assertThat(((TaskFailedException) passing.exceptionNow()).reason())
                        .isEqualTo(TaskFailedException.Reason.ROOT_CAUSE);
            }
            lab.dma.restart();
        }
    }

    @Test
    void aTransientErrorLeavesTheContextRunning() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = EmulatorFaults.builder()
                        .failTask(1, "AGAIN")
                        .failTask(3, "NO_MEMORY")
                        .inject()) {
            Completion<Long> first = lab.copy(0);
            Completion<Long> second = lab.copy(1);
            Completion<Long> third = lab.copy(2);
            Completion<Long> fourth = lab.copy(3);
            lab.drain();
            assertThat(errorOf(first)).isEqualTo(DocaError.AGAIN);
            assertThat(errorOf(third)).isEqualTo(DocaError.NO_MEMORY);
            assertThat(second).isCompletedWithValue(FaultLab.BLOCK);
            assertThat(fourth).isCompletedWithValue(FaultLab.BLOCK);
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
            lab.assertCopies();
        }
    }

    /** The state is read when the failure is delivered, and when the context stops and becomes idle. */
    @Test
    void aFailureIsDeliveredAlthoughTheStateCannotBeRead() throws Exception {
        Requirements.engine();
        for (int call = 1; call <= 3; call++) {
            List<Throwable> reported = new ArrayList<>();
            try (FaultLab lab = new FaultLab()) {
                lab.engine.errorHandler(reported::add);
                Completion<Long> copy;
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failTask(1, "IO_FAILED")
                        .failCall("doca_ctx_get_state", call, "UNEXPECTED")
                        .inject()) {
                    copy = lab.copy(0);
                    lab.awaitIdle();
                    assertThat(EmulatorFaults.failedCall()).contains("doca_ctx_get_state");
                }
                TaskFailedException failure = (TaskFailedException) copy.exceptionNow();
                assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                assertThat(failure.isRootCause()).isTrue();
                assertThat(lab.dma.failure()).containsSame(failure);
                assertThat(lab.dma.inFlight()).isZero();
                assertThat(reported)
                        .singleElement()
                        .satisfies(refusal -> assertThat(refusal)
                                .hasMessageStartingWith("Reading the state of a context: doca_ctx_get_state failed"
                                        + " with DOCA_ERROR_UNEXPECTED"));
                lab.dma.restart();
                lab.assertCopies();
            }
        }
    }

    /** A test with a failure of a call that reads the state. */
    @FunctionalInterface
    private interface Reading {

        /**
         * Runs the test.
         *
         * @param call the number of the call that fails
         * @param reported receives what the test's user sees of failures
         * @return whether that call was made
         */
        boolean fails(int call, List<Throwable> reported) throws Exception;
    }

    /** Runs a test with each of its calls that reads the state failing. Each of these failures is reported once. */
    private static void failEachReading(Reading reading) throws Exception {
        int call = 0;
        boolean isReached = true;
        while (isReached) {
            call++;
            List<Throwable> reported = new ArrayList<>();
            isReached = reading.fails(call, reported);
            assertThat(reported)
                    .as("names call %d, which fails", call)
                    .filteredOn(failure -> failure.getMessage().contains("doca_ctx_get_state failed"))
                    .hasSize(isReached ? 1 : 0);
        }
        assertThat(call).isGreaterThan(1);
    }

    /** The copies are submitted in the callback of the copy before the one that stops the context. */
    @Test
    void aDeferredCopyFailsAlthoughTheStateCannotBeRead() throws Exception {
        Requirements.engine();
        assumeFalse(FaultLab.isThreaded(), "the order of completions is free");
        failEachReading((call, reported) -> {
            List<Completion<Long>> copies = new ArrayList<>();
            try (FaultLab lab = new FaultLab();
                    EmulatorFaults faults = EmulatorFaults.builder()
                            .failTask(2, "IO_FAILED")
                            .failCall("doca_ctx_get_state", call, "UNEXPECTED")
                            .inject()) {
                lab.engine.errorHandler(reported::add);
                CompletableFuture<Void> first = lab.copy(0).thenAccept(bytes -> {
                    copies.add(lab.copy(2));
                    copies.add(lab.copy(3));
                    lab.dma.flush();
                });
                copies.add(lab.copy(1));
                lab.awaitIdle();
                boolean isReached = EmulatorFaults.failedCall().isPresent();
                assertThat(first).isCompletedWithValue(null);
                assertThat(copies)
                        .as("fail although call %d fails", call)
                        .hasSize(3)
                        .allMatch(Completion::isCompletedExceptionally);
                assertThat(lab.dma.inFlight()).isZero();
                copies.forEach(copy -> reported.add(copy.exceptionNow()));
                return isReached;
            }
        });
    }

    /** The copies before the refused one are reported without it, and the context runs on. */
    @Test
    void theLastCopyWithOptimizedReportsFailsAloneAlthoughTheStateCannotBeRead() throws Exception {
        Requirements.engine();
        Requirements.function("doca_task_submit_ex");
        failEachReading((call, reported) -> {
            List<Completion<Long>> copies = new ArrayList<>();
            try (FaultLab lab = new FaultLab(true);
                    Mmap memory = Mmap.allocate(
                            lab.device, 2 * lab.dma.capabilities().maxBufferSize(), Access.LOCAL_READ_WRITE);
                    Buf refused = blockWithRoom(lab, memory);
                    EmulatorFaults faults = EmulatorFaults.builder()
                            .failCall("doca_ctx_get_state", call, "UNEXPECTED")
                            .inject()) {
                lab.engine.errorHandler(reported::add);
                copies.add(lab.copy(0));
                copies.add(lab.copy(1));
                copies.add(lab.dma.copy(refused, lab.target(2)));
                // Too long for a task. Java has checked the length before.
                BufElement element = BufImpl.list(refused);
                assertThat(BufCalls.setData(element.pointer(), element.data(), memory.byteSize()))
                        .isZero();
                lab.dma.flush();
                lab.drain();
                boolean isReached = EmulatorFaults.failedCall().isPresent();
                assertThat(copies.subList(0, 2))
                        .as("succeed although call %d fails", call)
                        .allSatisfy(copy -> assertThat(copy).isCompletedWithValue(FaultLab.BLOCK));
                TaskFailedException failure =
                        (TaskFailedException) copies.getLast().exceptionNow();
                assertThat(failure.error()).isEqualTo(DocaError.INVALID_VALUE);
                assertThat(failure.isRootCause()).isTrue();
                assertThat(lab.dma.failure()).isEmpty();
                assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
                faults.close();
                lab.assertCopies();
                return isReached;
            }
        });
    }

    /** Returns a buffer of all of this memory that has the data of one block. */
    private static Buf blockWithRoom(FaultLab lab, Mmap memory) throws Exception {
        Buf buf = lab.buffers.space(memory, 0, memory.byteSize());
        lab.dma.copy(lab.source(2), buf).await(FaultLab.LONG);
        return buf;
    }

    @Test
    void aPreparedTaskMayBeSubmittedAgain() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults =
                        EmulatorFaults.builder().failTask(2, "DRIVER").inject();
                DmaTask task = lab.dma.task(lab.source(0), lab.target(0))) {
            task.submit();
            lab.drain();
            assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
            task.target(lab.target(1)).submit();
            lab.drain();
            assertThat(task.failure())
                    .hasValueSatisfying(failure -> assertThat(failure.error()).isEqualTo(DocaError.DRIVER));
            assertThat(task.bytes()).isZero();
            lab.dma.restart();
            task.submit();
            lab.drain();
            assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(task.failure()).isEmpty();
        }
    }

    /** The context runs on, as if nobody had tried to stop it. */
    @Test
    void aRefusedStopIsNotTheCauseOfALaterFailure() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab()) {
            try (EmulatorFaults faults = EmulatorFaults.builder()
                    .failCall("doca_ctx_stop", 1, "UNEXPECTED")
                    .inject()) {
                assertThatThrownBy(lab.dma::stop)
                        .isInstanceOf(DocaCallException.class)
                        .hasMessageContaining("DOCA_ERROR_UNEXPECTED");
                assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
            }
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().failTask(1, "TIME_OUT").inject()) {
                Completion<Long> copy = lab.copy(0);
                lab.drain();
                TaskFailedException failure = (TaskFailedException) copy.exceptionNow();
                assertThat(failure.reason()).isEqualTo(TaskFailedException.Reason.ROOT_CAUSE);
                assertThat(failure.error()).isEqualTo(DocaError.TIME_OUT);
                assertThat(lab.dma.failure()).containsSame(failure);
            }
            assertThat(lab.copy(0).exceptionNow()).hasMessageContaining("it stopped itself after an operation failed");
            lab.dma.restart();
            lab.assertCopies();
        }
    }

    /** Acts as a service that must keep running despite repeated failures. */
    @Test
    void everyCopyArrivesInTheEnd() throws Exception {
        EmulatorFaults.Builder builder = EmulatorFaults.builder();
        for (int i = 0; i < 40; i++) {
            builder.failTask(1 + 7L * i, "IO_FAILED");
        }
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = builder.inject()) {
            List<Integer> open = new ArrayList<>();
            for (int block = 0; block < FaultLab.BLOCKS; block++) {
                open.add(block);
            }
            int rounds = 0;
            while (!open.isEmpty()) {
                List<Integer> failed = new ArrayList<>();
                for (int block : open) {
                    lab.dma.copy(lab.sourceRange(block), lab.targetRange(block), (end, failure) -> {
                        if (failure != null) {
                            failed.add(block);
                        }
                    });
                }
                lab.drain();
                if (!failed.isEmpty()) {
                    lab.dma.restart();
                }
                open = failed;
                rounds++;
            }
            assertThat(rounds).isGreaterThan(1);
            for (int block = 0; block < FaultLab.BLOCKS; block++) {
                assertThat(lab.isCopied(block)).isTrue();
            }
        }
    }
}
