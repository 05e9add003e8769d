/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Work;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that an idle loop in event mode takes less than a hundredth of a core. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class IdleLoopTest {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Starts a loop without a context, an interrupted loop, whose status would prevent sleeping, and a loop with a context. */
    @Test
    void loopsSleep() {
        try (ProgressLoop empty = start(IdleStrategy.eventDriven());
                ProgressLoop interrupted = start(IdleStrategy.eventDriven(0));
                ProgressLoop loop = start(IdleStrategy.eventDriven(Duration.ofMillis(1)))) {
            interrupted.thread().interrupt();
            LoopLab lab = new LoopLab(loop, 8);
            assertThat(Work.on(loop, () -> lab.copy(1)).join()).isEqualTo(LoopLab.BLOCK);
            assertSleep(List.of(empty, interrupted, loop));
            assertThat(Work.on(loop, () -> lab.copy(2)).join()).isEqualTo(LoopLab.BLOCK);
            lab.close();
        }
    }

    private static ProgressLoop start(IdleStrategy strategy) {
        return ProgressLoop.builder().idleStrategy(strategy).start();
    }

    private static void assertSleep(List<ProgressLoop> loops) {
        List<Long> before = cpuNanos(loops);
        // Waits until the loops have stopped spinning; if they never stop, the test times out.
        pause(LOOK_NANOS);
        for (List<Long> now = cpuNanos(loops); !now.equals(before); now = cpuNanos(loops)) {
            before = now;
            pause(LOOK_NANOS);
        }
        long start = System.nanoTime();
        pause(WINDOW_NANOS);
        List<Long> after = cpuNanos(loops);
        long most = (System.nanoTime() - start) / 100;
        for (int i = 0; i < loops.size(); i++) {
            assertThat(after.get(i) - before.get(i))
                    .as("ns of processor time of loop %d", i)
                    .isLessThan(most);
        }
    }

    private static List<Long> cpuNanos(List<ProgressLoop> loops) {
        return loops.stream().map(IdleLoopTest::cpuNanos).toList();
    }

    private static long cpuNanos(ProgressLoop loop) {
        return THREADS.getThreadCpuTime(loop.thread().threadId());
    }

    /** Sleeps for a fixed time. */
    private static void pause(long nanos) {
        long start = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
    }
}
