/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.testing.OpenHandles;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests waits for a sync event within one process. */
@ExtendWith(OpenHandles.class)
@Timeout(600)
class SyncWaitTest {

    private static final String EVENT = "SyncEvent on 0000:03:00.0 (mlx5_0)";
    private static final Duration LONG = Await.LIMIT;

    private Device device;
    private SyncEvent event;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        event = SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .start();
    }

    @AfterEach
    void close() {
        event.close();
        device.close();
    }

    /** Starts a wait on another thread, which has tested the event before this method returns. */
    private FutureTask<Long> waiting(UnaryOperator<SyncWait> pace) throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(1);
        Supplier<IdleStrategy> idle = () -> {
            IdleStrategy backoff = IdleStrategy.backoff();
            return work -> {
                looked.countDown();
                backoff.idle(work);
            };
        };
        SyncWait wait = pace.apply(event.newWait().idle(idle));
        FutureTask<Long> task = new FutureTask<>(() -> wait.untilEqual(5));
        Thread.ofPlatform().name("waiting").daemon(true).start(task);
        assertThat(looked.await(Await.LIMIT_S, TimeUnit.SECONDS))
                .as("waits for the first look at the event")
                .isTrue();
        return task;
    }

    @Test
    void endsAtOnceWhenTheValueIsThere() throws Exception {
        event.set(0x105);
        assertThat(event.newWait().untilEqual(0x105)).isEqualTo(0x105);
        assertThat(event.newWait().mask(0xff).untilEqual(5)).isEqualTo(0x105);
        assertThat(event.newWait().untilGreaterThan(0x104)).isEqualTo(0x105);
        assertThat(event.newWait().mask(0xff00).untilNotEqual(0x200)).isEqualTo(0x105);
        assertThat(event.newWait().timeout(Duration.ZERO).untilNotEqual(0)).isEqualTo(0x105);
        assertThat(event.newWait().timeout(Duration.ofSeconds(-1)).busy().untilNotEqual(0))
                .isEqualTo(0x105);
        assertThat(event.newWait().yielding().untilNotEqual(0)).isEqualTo(0x105);
    }

    @Test
    void endsWhenTheValueComes() throws Exception {
        List<UnaryOperator<SyncWait>> paces = List.of(wait -> wait, SyncWait::busy, SyncWait::yielding);
        for (UnaryOperator<SyncWait> pace : paces) {
            event.set(0);
            CountDownLatch begun = new CountDownLatch(1);
            SyncWait wait = pace.apply(event.newWait().timeout(LONG));
            FutureTask<Long> task = new FutureTask<>(() -> {
                begun.countDown();
                return wait.untilGreaterThan(4);
            });
            Thread.startVirtualThread(task);
            begun.await();
            event.set(4);
            assertThat(event.add(3)).isEqualTo(4);
            assertThat(Await.result(task, "the wait for a value above 4")).isEqualTo(7);
        }
    }

    @Test
    void needsAnIdleStrategy() {
        assertThatNullPointerException()
                .isThrownBy(() -> event.newWait().idle(() -> null).untilEqual(8))
                .withMessage("The supplier of the idle strategy returned null");
    }

    @Test
    void endsWhenTheTimeIsUp() {
        event.set(7);
        long start = System.nanoTime();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> event.newWait().timeout(Duration.ofMillis(20)).untilEqual(8))
                .withMessage(EVENT + " is 7 and not equal to 8 after 20 ms");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() ->
                        event.newWait().mask(0xff).timeout(Duration.ZERO).busy().untilGreaterThan(7))
                .withMessage(EVENT + " is 7 and not greater than 7 in the bits 0xff after 0 ms");
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> event.newWait()
                        .timeout(Duration.ofSeconds(Long.MIN_VALUE))
                        .untilEqual(8))
                .withMessage(EVENT + " is 7 and not equal to 8 after 0 ms");
        event.set(-1);
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> event.newWait().timeout(Duration.ZERO).untilNotEqual(-1))
                .withMessage(EVENT + " is 18446744073709551615 and not other than 18446744073709551615 after 0 ms");
    }

    @Test
    void endsByAnInterrupt() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        FutureTask<Long> task = new FutureTask<>(
                () -> event.newWait().idle(() -> work -> looked.countDown()).untilEqual(5));
        Thread thread = new Thread(task, "waiting");
        thread.start();
        looked.await();
        thread.interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Await.result(task, "the interrupted wait"))
                .havingCause()
                .isInstanceOf(InterruptedException.class)
                .withMessage("The wait for " + EVENT + " to be equal to 5 was interrupted");
        thread.join();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> event.newWait().untilEqual(5));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void sleepsUntilAnInterrupt() throws Exception {
        FutureTask<Long> task = waiting(wait -> wait.timeout(LONG));
        task.cancel(true);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void endsWhenTheEventIsClosed() throws Exception {
        FutureTask<Long> task = waiting(wait -> wait);
        event.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Await.result(task, "the wait for a closed event"))
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageMatching("SyncEvent on .* is (being )?closed");
    }

    @Test
    void refusesWhatNeverHolds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> event.newWait().mask(0xff).untilEqual(0x100))
                .withMessage("A wait for a value equal to 256 in the bits 0xff would never end");
    }

    @Test
    void doesNotSleepByAnEngine() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(
                        () -> event.newWait().idle(IdleStrategy::eventDriven).untilEqual(1))
                .withMessage("An event-driven strategy is used through the engine that it was given to");
    }

    @Test
    void letsManyVirtualThreadsWait() throws Exception {
        int threads = 1000;
        List<Future<Long>> waits = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(threads);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                int mine = i;
                waits.add(executor.submit(() -> {
                    begun.countDown();
                    return event.newWait().timeout(LONG).untilGreaterThan(mine);
                }));
            }
            assertThat(begun.await(Await.LIMIT_S, TimeUnit.SECONDS))
                    .as("waits for the begin of the wait")
                    .isTrue();
            assertThat(waits).noneMatch(Future::isDone);
            // The carrier threads are free for other work, such as this.
            assertThat(Await.result(executor.submit(() -> event.add(500)), "other work of the carrier threads"))
                    .isZero();
            for (Future<Long> wait : waits.subList(0, 500)) {
                assertThat(Await.result(wait, "a wait for the value 500")).isEqualTo(500);
            }
            assertThat(waits.subList(500, threads)).noneMatch(Future::isDone);
            event.add(500);
            for (Future<Long> wait : waits.subList(500, threads)) {
                assertThat(Await.result(wait, "a wait for the value 1000")).isEqualTo(1000);
            }
        }
    }
}
