/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a loop in event mode costs while it has nothing to do: less than a hundredth of a core. */
@ExtendWith(OpenHandles.class)
@Timeout(60)
class IdleLoopTest {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void aLoopWithoutContextsSleeps() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven())) {
            assertSleeps(loop);
        }
    }

    /** The status of an interrupt would keep it from sleeping. */
    @Test
    void aLoopThatWasInterruptedSleeps() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven(0))) {
            loop.thread().interrupt();
            assertSleeps(loop);
        }
    }

    @Test
    void aLoopWithARunningContextSleeps() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven(Duration.ofMillis(1)))) {
            LoopLab lab = new LoopLab(loop, 8);
            assertThat(loop.submit(() -> lab.copy(1)).join()).isEqualTo(LoopLab.BLOCK);
            assertSleeps(loop);
            assertThat(loop.submit(() -> lab.copy(2)).join()).isEqualTo(LoopLab.BLOCK);
            lab.close();
        }
    }

    private static ProgressLoop start(IdleStrategy strategy) {
        return ProgressLoop.builder().idleStrategy(strategy).start();
    }

    private static void assertSleeps(ProgressLoop loop) {
        long before = cpuNanos(loop);
        // Until its spinning is over; if that never ends, the test runs out of time.
        pause(LOOK_NANOS);
        for (long now = cpuNanos(loop); now != before; now = cpuNanos(loop)) {
            before = now;
            pause(LOOK_NANOS);
        }
        long start = System.nanoTime();
        pause(WINDOW_NANOS);
        long cpu = cpuNanos(loop) - before;
        assertThat(cpu).as("ns of processor time").isLessThan((System.nanoTime() - start) / 100);
    }

    private static long cpuNanos(ProgressLoop loop) {
        return THREADS.getThreadCpuTime(loop.thread().threadId());
    }

    /** Time passes; nothing is waited for. */
    private static void pause(long nanos) {
        long start = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
    }
}
