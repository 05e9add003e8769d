/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.testing.OtherThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OwnerThreadTest {

    @Test
    void letsItsOwnThreadPassOnly() throws InterruptedException {
        OwnerThread owner = new OwnerThread();

        owner.check("Thing");
        assertThat(owner.thread()).isSameAs(Thread.currentThread());
        assertThat(OtherThread.thrownBy(() -> owner.check("Thing")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("Thing belongs to " + OwnerThread.name(Thread.currentThread())
                        + " and was called by thread \"other\"");
    }

    @Test
    void theNextThreadTakesOverFromAnEndedOne() throws InterruptedException {
        OwnerThread owner = ofEndedThread();
        assertThat(owner.thread().getName()).isEqualTo("other");

        owner.check("Thing");

        assertThat(owner.thread()).isSameAs(Thread.currentThread());
        assertThat(OtherThread.thrownBy(() -> owner.check("Thing")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Thing belongs to " + OwnerThread.name(Thread.currentThread()));
    }

    /** If several threads compete, one becomes the owner, and the exceptions of the others name it. */
    @Test
    void goesToOneThreadOnly() throws Exception {
        for (int round = 0; round < 100; round++) {
            OwnerThread owner = ofEndedThread();
            CyclicBarrier together = new CyclicBarrier(4);
            CountDownLatch allTried = new CountDownLatch(4);
            Queue<Thread> winners = new ConcurrentLinkedQueue<>();
            Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual().name("virtual", i) : Thread.ofPlatform();
                threads.add(builder.start(() -> {
                    Throwable failure = catchThrowable(() -> {
                        together.await();
                        owner.check("Thing");
                        winners.add(Thread.currentThread());
                    });
                    if (failure != null) {
                        refusals.add(failure);
                    }
                    allTried.countDown();
                    // The owner must not end before the others have tried, as the next thread would take over from it.
                    assertThat(catchThrowable(allTried::await)).isNull();
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(winners).hasSize(1).containsExactly(owner.thread());
            assertThat(refusals)
                    .hasSize(3)
                    .allSatisfy(refusal -> assertThat(refusal)
                            .isExactlyInstanceOf(IllegalStateException.class)
                            .hasMessageStartingWith("Thing belongs to " + OwnerThread.name(owner.thread())));
        }
    }

    @Test
    void namesThreadsWithoutName() {
        Thread thread = Thread.ofVirtual().unstarted(() -> {});

        assertThat(OwnerThread.name(thread)).isEqualTo("thread #" + thread.threadId());
    }

    private static OwnerThread ofEndedThread() throws InterruptedException {
        AtomicReference<OwnerThread> owner = new AtomicReference<>();
        assertThat(OtherThread.thrownBy(() -> owner.set(new OwnerThread()))).isNull();
        return owner.get();
    }
}
