/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.testing.OtherThread;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class ProgressEngineTest {

    @Test
    void withoutContextsThereIsNothingToDo() {
        try (ProgressEngine engine = ProgressEngine.create()) {
            assertThat(engine.progress()).isZero();
            assertThat(engine.progressAll()).isZero();
            assertThat(engine.inFlight()).isZero();
            assertThat(engine.thread()).isSameAs(Thread.currentThread());
        }
    }

    @Test
    void needsAnIdleStrategy() {
        IdleStrategy none = new IdleStrategy() {
            @Override
            public void idle(int workCount) {}

            @Override
            @SuppressWarnings("NullAway") // null is the misuse under test
            public IdleStrategy forEngine(ProgressEngine engine) {
                return null;
            }
        };
        try (ProgressEngine engine = ProgressEngine.create()) {
            assertThatNullPointerException()
                    .isThrownBy(() -> engine.idleStrategy(none))
                    .withMessage("The idle strategy returned null for the engine");
        }
    }

    @Test
    void belongsToTheThreadThatCreatedIt() throws Exception {
        String here = Thread.currentThread().getName();
        try (ProgressEngine engine = ProgressEngine.create()) {
            assertThat(OtherThread.thrownBy(engine::progress))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("ProgressEngine of thread \"" + here + "\" belongs to thread \"" + here
                            + "\" and was called by thread \"other\"");
            assertThat(OtherThread.thrownBy(engine::progressAll)).isInstanceOf(IllegalStateException.class);
            assertThat(OtherThread.thrownBy(engine::inFlight)).isInstanceOf(IllegalStateException.class);
            assertThat(OtherThread.thrownBy(engine::close)).isInstanceOf(IllegalStateException.class);
            assertThat(OtherThread.thrownBy(() -> engine.errorHandler(thrown -> {})))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(OtherThread.thrownBy(() -> engine.idleStrategy(IdleStrategy.yielding())))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(OtherThread.thrownBy(engine::wakeUp)).isNull();
        }
    }

    @Test
    void namesAVirtualThreadByItsNumber() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            Throwable[] thrown = new Throwable[1];
            Thread virtual = Thread.ofVirtual().unstarted(() -> {
                try {
                    engine.progress();
                } catch (IllegalStateException refused) {
                    thrown[0] = refused;
                }
            });
            virtual.start();
            virtual.join();
            assertThat(thrown[0]).hasMessageEndingWith("was called by thread #" + virtual.threadId());
        }
    }

    @Test
    void isNotUsableAfterClose() throws Exception {
        ProgressEngine engine = ProgressEngine.create();
        engine.close();
        engine.close();
        engine.wakeUp();
        String closed = "ProgressEngine of thread \"" + Thread.currentThread().getName() + "\" is closed";
        assertThatThrownBy(engine::progress)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(closed);
        assertThatThrownBy(() -> engine.awaitEvent(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(closed);
        assertThatThrownBy(() -> engine.await(() -> true, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(closed);
        assertThat(OtherThread.thrownBy(engine::close)).isNull();
    }

    @Test
    void doesNotEvaluateAConditionAgainAfterItHeld() throws Exception {
        Queue<Integer> queue = new ArrayDeque<>();
        try (ProgressEngine engine = ProgressEngine.create()) {
            queue.add(1);
            assertThat(engine.await(() -> queue.poll() != null, Duration.ZERO)).isTrue();
            queue.add(2);
            engine.idleStrategy(workCount -> queue.add(3));
            engine.await(() -> queue.poll() != null);
            engine.await(() -> queue.poll() != null);
            assertThat(queue).isEmpty();
            queue.add(4);
            Thread.currentThread().interrupt();
            assertThat(engine.await(() -> queue.poll() != null, Duration.ZERO)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void waitingForAnEventEndsWithTheTime() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            assertThat(engine.awaitEvent(Duration.ZERO)).isFalse();
            assertThat(engine.awaitEvent(Duration.ofSeconds(-1))).isFalse();
            long start = System.nanoTime();
            assertThat(engine.awaitEvent(Duration.ofMillis(120))).isFalse();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(120));
        }
    }

    @Test
    void aWakeUpBeforeTheWaitIsNotLost() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            engine.wakeUp();
            assertThat(engine.awaitEvent(Duration.ofDays(1))).isTrue();
            assertThat(engine.awaitEvent(Duration.ZERO)).isFalse();
            engine.wakeUp();
            engine.wakeUp();
            assertThat(engine.awaitEvent(Duration.ofDays(1))).isTrue();
        }
    }

    /** Each round wakes the waiter once at an arbitrary point of its loop. After a lost wake-up it would sleep for a day. */
    @Test
    void noWakeUpIsLostInARace() throws Exception {
        int rounds = 2000;
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        try (ProgressEngine engine = ProgressEngine.create()) {
            FutureTask<Integer> waker = Background.start(() -> {
                for (int round = 1; round <= rounds; round++) {
                    sent.set(round);
                    engine.wakeUp();
                    while (seen.get() < round) {
                        Thread.onSpinWait();
                    }
                }
                return rounds;
            });
            while (seen.get() < rounds) {
                if (seen.get() == sent.get()) {
                    assertThat(engine.awaitEvent(Duration.ofDays(1))).isTrue();
                }
                seen.set(sent.get());
            }
            assertThat(Background.result(waker)).isEqualTo(rounds);
        }
    }

    @Test
    void waitingEndsWhenTheConditionHolds() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            AtomicBoolean done = new AtomicBoolean();
            assertThat(engine.await(done::get, Duration.ofMillis(20))).isFalse();
            assertThat(engine.await(done::get, Duration.ZERO)).isFalse();
            FutureTask<Boolean> other = Background.start(() -> {
                done.set(true);
                engine.wakeUp();
                return true;
            });
            assertThat(engine.await(done::get, Duration.ofDays(400_000)))
                    .as("waits for the other thread")
                    .isTrue();
            assertThat(Background.result(other)).isTrue();
        }
    }

    @Test
    void waitsWithoutALimit() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            AtomicBoolean done = new AtomicBoolean();
            FutureTask<Boolean> other = Background.start(() -> {
                done.set(true);
                engine.wakeUp();
                return true;
            });
            engine.await(done::get);
            assertThat(Background.result(other)).isTrue();
            engine.await(() -> true);
        }
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> engine.await(() -> false)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();

            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> engine.await(() -> false, Duration.ofDays(1)))
                    .isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();

            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> engine.awaitEvent(Duration.ofDays(1))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    /** Tests interrupts like {@link #noWakeUpIsLostInARace}; they also wake a thread that sleeps in the kernel. */
    @Test
    void noInterruptIsLostInARace() throws Exception {
        int rounds = 1000;
        Thread waiter = Thread.currentThread();
        AtomicInteger waits = new AtomicInteger();
        try (ProgressEngine engine = ProgressEngine.create()) {
            engine.idleStrategy(IdleStrategy.eventDriven(0));
            FutureTask<Integer> interrupter = Background.start(() -> {
                for (int round = 1; round <= rounds; round++) {
                    while (waits.get() < round) {
                        Thread.onSpinWait();
                    }
                    waiter.interrupt();
                }
                return rounds;
            });
            for (int round = 1; round <= rounds; round++) {
                waits.set(round);
                if (round % 2 == 0) {
                    assertThatThrownBy(() -> engine.awaitEvent(Duration.ofDays(1)))
                            .isInstanceOf(InterruptedException.class);
                } else {
                    assertThatThrownBy(() -> engine.await(() -> false, Duration.ofDays(1)))
                            .isInstanceOf(InterruptedException.class);
                }
            }
            assertThat(Background.result(interrupter)).isEqualTo(rounds);
        }
    }

    @Test
    void virtualThreadsThatSleepLeaveTheirCarriersToOthers() throws Exception {
        int sleepers = Runtime.getRuntime().availableProcessors() + 1;
        AtomicBoolean go = new AtomicBoolean();
        Queue<ProgressEngine> engines = new ConcurrentLinkedQueue<>();
        CountDownLatch waiting = new CountDownLatch(sleepers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> awaits = new ArrayList<>();
            for (int i = 0; i < sleepers; i++) {
                awaits.add(threads.submit(() -> {
                    try (ProgressEngine engine = ProgressEngine.create()) {
                        engine.idleStrategy(IdleStrategy.eventDriven(0));
                        engines.add(engine);
                        waiting.countDown();
                        return engine.await(go::get, Await.LIMIT);
                    }
                }));
            }
            waiting.await();
            threads.execute(() -> {
                go.set(true);
                engines.forEach(ProgressEngine::wakeUp);
            });
            for (Future<Boolean> await : awaits) {
                assertThat(Await.result(await, "the end of a wait")).isTrue();
            }
        }
    }

    @Test
    void whenItsThreadHasEndedAnotherOneTakesItOver() throws Exception {
        AtomicReference<ProgressEngine> left = new AtomicReference<>();
        assertThat(OtherThread.thrownBy(() -> {
                    left.set(ProgressEngine.create());
                    assertThat(left.get().awaitEvent(Duration.ZERO)).isFalse();
                }))
                .isNull();
        try (ProgressEngine engine = left.get()) {
            assertThat(engine.thread().isAlive()).isFalse();
            engine.wakeUp();
            assertThat(engine.awaitEvent(Duration.ofDays(1))).isTrue();
            assertThat(engine.thread()).isSameAs(Thread.currentThread());
            assertThat(engine.progress()).isZero();
            assertThat(OtherThread.thrownBy(engine::close))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("ProgressEngine of thread \"other\" belongs to thread \""
                            + Thread.currentThread().getName() + "\" and was called by thread \"other\"");
        }
    }

    @Test
    void waitsByTheStrategyThatWasSet() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            AtomicInteger rounds = new AtomicInteger();
            engine.idleStrategy(workCount -> rounds.incrementAndGet());
            assertThat(engine.await(() -> rounds.get() == 5, Duration.ofDays(1)))
                    .as("waits for 5 rounds")
                    .isTrue();

            for (IdleStrategy strategy : new IdleStrategy[] {
                IdleStrategy.busySpin(), IdleStrategy.yielding(), IdleStrategy.backoff(), IdleStrategy.eventDriven(0)
            }) {
                engine.idleStrategy(strategy);
                assertThat(engine.await(() -> false, Duration.ofMillis(3))).isFalse();
            }
        }
    }
}
