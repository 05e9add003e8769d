/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a thread that ends while it owns an engine with a context, copies in flight and buffers. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class TakeOverTest extends CompletionModes {

    private record LeftTask(Lab lab, DmaTask task) {}

    private record Left(Lab lab, List<Completion<Long>> copies) {}

    @Test
    void anotherThreadTakesOverFromAnEndedOne() throws Exception {
        Left left = left();
        try (Lab lab = left.lab()) {
            lab.drain();
            assertThat(left.copies())
                    .hasSize(8)
                    .allSatisfy(copy -> assertThat(copy).isCompletedWithValue(64L));
            for (long i = 0; i < 8; i++) {
                lab.assertCopied(i * 64, 4096 + i * 64, 64);
            }
            Buf target = lab.space(8192, 64);
            assertThat(lab.dma.copy(lab.data(0, 64), target).await()).isEqualTo(64);
            assertThat(target.dataLength()).isEqualTo(64);
        }
    }

    @Test
    void anotherThreadClosesWhatAnEndedOneLeft() throws Exception {
        Left left = left();
        assertThatThrownBy(left.lab().engine::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ProgressEngine of thread \"first\" cannot be closed while in use by: DMA context on "
                        + Lab.DEVICE);
        left.lab().dma.close();
        assertThat(left.copies()).allSatisfy(copy -> assertThat(copy).isDone());
        left.lab().close();
    }

    /** A pending interrupt prevents neither the close of a context nor the sleep meanwhile, and stays pending. */
    @Test
    void anInterruptOutlastsTheCloseOfAContext() throws Exception {
        Left left = left();
        Thread.currentThread().interrupt();
        left.lab().dma.close();
        assertThat(Thread.interrupted()).isTrue();
        left.lab().close();
    }

    /** A task whose buffers need no check for one thread is checked again for another one. */
    @Test
    void aTaskIsRefusedToAThreadThatDoesNotHaveItsBuffers() throws Exception {
        FutureTask<LeftTask> first = new FutureTask<>(() -> {
            Lab lab = new Lab();
            Buf target = lab.space(4096, 64);
            DmaTask task = lab.dma.task(lab.data(0, 64), target);
            for (int round = 0; round < 2; round++) {
                task.submit();
                lab.drain();
                target.clear();
            }
            return new LeftTask(lab, task);
        });
        join(new Thread(first, "first"));
        LeftTask left = first.get();
        CountDownLatch end = new CountDownLatch(1);
        FutureTask<Buf> taken = new FutureTask<>(() -> left.lab().space(8192, 64));
        Thread third = new Thread(
                () -> {
                    taken.run();
                    await(end);
                },
                "third");
        try (Lab lab = left.lab()) {
            try {
                third.start();
                assertThat(taken.get()).isNotNull();
                assertThatThrownBy(left.task()::submit)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("BufInventory of 1024 belongs to thread \"third\" and was called by thread \""
                                + Thread.currentThread().getName() + "\"");
                assertThat(lab.dma.inFlight()).isZero();
            } finally {
                end.countDown();
                third.join();
            }
            left.task().submit();
            lab.drain();
            assertThat(left.task().bytes()).isEqualTo(64);
            lab.assertCopied(0, 4096, 64);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    private static Left left() throws Exception {
        FutureTask<Left> first = new FutureTask<>(() -> {
            Lab lab = new Lab();
            lab.engine.awaitEvent(Duration.ZERO);
            List<Completion<Long>> copies = new ArrayList<>();
            for (long i = 0; i < 8; i++) {
                copies.add(lab.dma.copy(lab.filled(i * 64, 64), lab.memory.range(4096 + i * 64, 64)));
            }
            return new Left(lab, copies);
        });
        join(new Thread(first, "first"));
        return first.get();
    }
}
