/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the three forms of copies. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class CopyTest extends CompletionModes {

    @Test
    void copiesAndExtendsTheTarget() throws Exception {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 4096);
            Buf target = lab.space(8192, 10_000);
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(4096);
            assertThat(target.dataLength()).isEqualTo(4096);
            assertThat(source.dataLength()).isEqualTo(4096);
            lab.assertCopied(0, 8192, 4096);
            assertThat(lab.memory.segment().get(ValueLayout.JAVA_BYTE, 8192 + 4096))
                    .isZero();

            assertThat(lab.dma.copy(source, target).await()).isEqualTo(4096);
            assertThat(target.dataLength()).isEqualTo(8192);
            assertThat(target.remaining()).isEqualTo(10_000 - 8192);
            lab.assertCopied(0, 8192 + 4096, 4096);

            target.clear();
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(4096);
            assertThat(target.dataLength()).isEqualTo(4096);
        }
    }

    @Test
    void copiesTheDataSegmentAlone() throws Exception {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 1000);
            source.setData(100, 17);
            Buf target = lab.space(5000, 50);
            target.setData(20, 3);
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(17);
            assertThat(target.dataOffset()).isEqualTo(20);
            assertThat(target.dataLength()).isEqualTo(20);
            lab.assertCopied(100, 5023, 17);
            assertThat(lab.memory.segment().get(ValueLayout.JAVA_BYTE, 5022)).isZero();
            assertThat(lab.memory.segment().get(ValueLayout.JAVA_BYTE, 5040)).isZero();
        }
    }

    @Test
    void readsAndWritesListsAsOne() throws Exception {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 100).append(lab.data(1000, 50)).append(lab.data(2000, 200));
            Buf full = lab.space(10_000, 120);
            Buf part = lab.space(20_000, 500);
            Buf unused = lab.space(30_000, 10);
            Buf target = full.append(part).append(unused);
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(350);

            assertThat(full.dataLength()).isEqualTo(120);
            assertThat(part.dataLength()).isEqualTo(230);
            assertThat(unused.dataLength()).isZero();
            lab.assertCopied(0, 10_000, 100);
            lab.assertCopied(1000, 10_100, 20);
            lab.assertCopied(1020, 20_000, 30);
            lab.assertCopied(2000, 20_030, 200);
        }
    }

    @Test
    void completesFuturesWhileOthersAreInFlight() throws Exception {
        try (Lab lab = new Lab(4)) {
            List<Completion<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                copies.add(lab.dma.copy(lab.data(i * 1000L, 100 + i), lab.space(50_000 + i * 1000L, 200)));
            }
            assertThat(lab.dma.inFlight()).isEqualTo(4);
            assertThat(lab.engine.inFlight()).isEqualTo(4);
            for (int i = 3; i >= 0; i--) {
                assertThat(copies.get(i).await()).isEqualTo(100 + i);
                lab.assertCopied(i * 1000L, 50_000 + i * 1000L, 100 + i);
            }
            assertThat(lab.dma.inFlight()).isZero();
        }
    }

    @Test
    void futuresChain() throws Exception {
        try (Lab lab = new Lab(1)) {
            Buf source = lab.data(0, 300);
            Buf middle = lab.space(1000, 300);
            Buf target = lab.space(2000, 300);
            Completion<Long> both = lab.dma.copy(source, middle).thenCompose(bytes -> lab.dma.copy(middle, target));
            assertThat(both.await()).isEqualTo(300);
            lab.assertCopied(0, 2000, 300);
        }
    }

    @Test
    void waitingEndsAtTheTimeoutAndTheCopyContinues() throws Exception {
        // These are more copies than one round of progress completes, and the test waits for the last ones.
        try (Lab lab = new Lab(300)) {
            for (int i = 0; i < 299; i++) {
                lab.dma.copy(lab.data(i * 64L, 64), lab.space(100_000 + i * 64L, 64), new Repeat(() -> false, lab.dma));
            }
            Completion<Long> last = lab.dma.copy(lab.data(20_000, 64), lab.space(200_000, 64));
            assertThatThrownBy(() -> lab.dma.drain(Duration.ZERO))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageMatching(
                            "DMA context on 0000:03:00.0 \\(mlx5_0\\): [0-9]+ tasks still in flight after 0 ms:"
                                    + "( copying 64 bytes from [^;]*;){5} and [0-9]+ more");
            assertThat(last.await(Await.LIMIT)).isEqualTo(64);
            lab.drain();
        }
    }

    @Test
    void callsBackForEachCopy() throws Exception {
        try (Lab lab = new Lab(4)) {
            List<String> seen = new ArrayList<>();
            Buf first = lab.data(0, 10);
            Buf second = lab.data(100, 20);
            Buf target = lab.space(990, 30);
            target.setData(0, 10);
            Handler<CopyEnd> handler = (end, failure) -> {
                assertThat(failure).isNull();
                assertThat(end.source().map()).isSameAs(lab.memory);
                assertThat(end.target().map()).isSameAs(lab.memory);
                assertThat(end.tag()).isZero();
                seen.add(end.bytes() + ": " + end.source().length() + " at "
                        + end.source().offset() + " to " + end.target().length() + " at "
                        + end.target().offset());
            };
            lab.dma.copy(lab.memory, 100, lab.memory, 5000, 8, 7, (end, failure) -> {});
            lab.drain();
            lab.dma.copy(first, target, handler);
            lab.dma.copy(second, lab.space(2000, 20), handler);
            assertThat(seen).isEmpty();
            lab.drain();
            assertThat(seen).containsExactlyInAnyOrder("10: 10 at 0 to 10 at 1000", "20: 20 at 100 to 20 at 2000");
            assertThat(target.dataLength()).isEqualTo(20);
        }
    }

    /** An endless chain of copies does not starve progress, and one task is enough for it. */
    @Test
    void aCallbackCanSubmitTheNextCopy() throws Exception {
        try (Lab lab = new Lab(1)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            int[] count = {0};
            lab.dma.copy(source, target, new Handler<CopyEnd>() {
                @Override
                public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
                    assertThat(failure).isNull();
                    if (++count[0] < 1000) {
                        target.clear();
                        lab.dma.copy(source, target, this);
                    }
                }
            });
            lab.drain();
            assertThat(count[0]).isEqualTo(1000);
            assertThat(lab.reported).isEmpty();
            lab.assertCopied(0, 1000, 64);
        }
    }

    @Test
    void aTaskIsSubmittedAgainAndAgain() throws Exception {
        try (Lab lab = new Lab(1)) {
            Buf first = lab.data(0, 64);
            Buf second = lab.data(200, 32);
            Buf target = lab.space(1000, 64);
            try (DmaTask task = lab.dma.task(first, target)) {
                assertThat(task.status()).isEqualTo(TaskStatus.NEW);
                assertThat(task.isDone()).isFalse();
                assertThat(task.bytes()).isZero();
                for (int i = 0; i < 100; i++) {
                    target.clear();
                    task.source(i % 2 == 0 ? first : second).submit();
                    assertThat(task.status()).isEqualTo(TaskStatus.IN_FLIGHT);
                    assertThat(task.isDone()).isFalse();
                    while (!task.isDone()) {
                        lab.engine.progress();
                    }
                    assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
                    assertThat(task.failure()).isEmpty();
                    assertThat(task.bytes()).isEqualTo(i % 2 == 0 ? 64 : 32);
                    lab.assertCopied(i % 2 == 0 ? 0 : 200, 1000, task.bytes());
                }
            }
            Buf other = lab.space(3000, 64);
            assertThat(lab.dma.copy(first, other).await()).isEqualTo(64);
        }
    }

    @Test
    void aTaskReportsThatItIsDone() throws Exception {
        try (Lab lab = new Lab(2)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64 * 5);
            List<Long> lengths = new ArrayList<>();
            try (DmaTask task = lab.dma.task(source, target)) {
                task.onCompletion(done -> {
                    lengths.add(target.dataLength());
                    if (lengths.size() < 5) {
                        done.submit();
                    }
                });
                task.submit();
                lab.drain();
            }
            assertThat(lengths).containsExactly(64L, 128L, 192L, 256L, 320L);
            assertThat(lab.reported).isEmpty();
        }
    }

    @Test
    void aCallbackThatThrowsDoesNotAffectOthers() throws Exception {
        try (Lab lab = new Lab(3)) {
            ArithmeticException thrown = new ArithmeticException("callback");
            StackOverflowError error = new StackOverflowError("deep");
            Completion<Long> before = lab.dma.copy(lab.data(0, 10), lab.space(1000, 10));
            lab.dma.copy(
                    lab.data(100, 10),
                    lab.space(2000, 10),
                    new Repeat(
                            () -> {
                                throw thrown;
                            },
                            lab.dma));
            Completion<Long> after = lab.dma.copy(lab.data(200, 10), lab.space(3000, 10));
            lab.drain();
            assertThat(before).isCompletedWithValue(10L);
            assertThat(after).isCompletedWithValue(10L);
            assertThat(lab.reported).containsExactly(thrown);

            lab.dma.copy(
                    lab.data(100, 10),
                    lab.space(4000, 10),
                    new Repeat(
                            () -> {
                                throw error;
                            },
                            lab.dma));
            lab.drain();
            assertThat(lab.reported).containsExactly(thrown, error);
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @Test
    void anErrorHandlerThatThrowsDoesNotAffectOthers() throws Exception {
        try (Lab lab = new Lab(3)) {
            lab.engine.errorHandler(failure -> {
                throw new IllegalArgumentException("handler", failure);
            });
            lab.dma.copy(
                    lab.data(100, 10),
                    lab.space(2000, 10),
                    new Repeat(
                            () -> {
                                throw new ArithmeticException("callback");
                            },
                            lab.dma));
            Completion<Long> after = lab.dma.copy(lab.data(200, 10), lab.space(3000, 10));
            lab.drain();
            assertThat(after).isCompletedWithValue(10L);
        }
    }

    @Test
    void anErrorHandlerThatRethrowsDoesNotAffectOthers() throws Exception {
        try (Lab lab = new Lab(3)) {
            lab.engine.errorHandler(failure -> {
                throw (RuntimeException) failure;
            });
            lab.dma.copy(
                    lab.data(100, 10),
                    lab.space(2000, 10),
                    new Repeat(
                            () -> {
                                throw new ArithmeticException("callback");
                            },
                            lab.dma));
            Completion<Long> after = lab.dma.copy(lab.data(200, 10), lab.space(3000, 10));
            lab.drain();
            assertThat(after).isCompletedWithValue(10L);
        }
    }

    @Test
    void aCallbackCannotProgressOrWait() throws Exception {
        try (Lab lab = new Lab(3)) {
            Completion<Long> other = lab.dma.copy(lab.data(0, 10), lab.space(1000, 10));
            Buf source = lab.data(100, 10);
            List<Throwable> refused = new ArrayList<>();
            lab.dma.copy(
                    source,
                    lab.space(2000, 10),
                    new Repeat(
                            () -> {
                                Completion<Long> next = lab.dma.copy(source, lab.space(3000, 10));
                                refused.add(catchThrowable(lab.engine::progress));
                                refused.add(catchThrowable(() -> next.await()));
                                refused.add(catchThrowable(lab::drain));
                                refused.add(catchThrowable(() -> lab.engine.await(() -> true)));
                                refused.add(catchThrowable(() -> lab.engine.await(() -> true, Duration.ZERO)));
                                refused.add(catchThrowable(lab.engine::close));
                                return false;
                            },
                            lab.dma));
            lab.drain();
            assertThat(other).isCompletedWithValue(10L);
            String engine =
                    "ProgressEngine of thread \"" + Thread.currentThread().getName() + "\"";
            assertThat(refused)
                    .hasSize(6)
                    .allSatisfy(failure -> assertThat(failure).isInstanceOf(IllegalStateException.class));
            assertThat(refused.subList(0, 5))
                    .allSatisfy(failure -> assertThat(failure)
                            .hasMessage(
                                    engine + " is delivering completions: a callback cannot progress or wait, it can"
                                            + " submit and return"));
            assertThat(refused.get(5)).hasMessage(engine + " is delivering completions: a callback cannot close it");
            assertThat(lab.reported).isEmpty();
        }
    }
}
