/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Work;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests a loop with random pauses between submissions, so that work arrives at every stage of the loop's falling asleep
 * and waking up. The sleep has no timeout: one lost wake-up would block the loop and the waiting thread permanently.
 *
 * <p>{@code -Ddoca.alternations=1000000} sets the number of pauses; {@code -Ddoca.seed=...} repeats the random choices of
 * a run.
 */
@ExtendWith(DocaExtension.class)
@Timeout(value = 1, unit = TimeUnit.HOURS)
class AlternationTest {

    private static final int ALTERNATIONS = Integer.getInteger("doca.alternations", 10_000);
    private static final long SEED =
            Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
    private static final int SUBMITTERS = 4;
    /** Far longer than any work takes on a busy machine. */
    private static final long BOUND_SECONDS = 20;

    /** Only its own submitter wakes each loop. */
    @Test
    void everySubmitterWithALoopOfItsOwn() throws Exception {
        int perSubmitter = ALTERNATIONS / 2 / SUBMITTERS;
        List<FutureTask<Long>> submitters = new ArrayList<>();
        for (int i = 0; i < SUBMITTERS; i++) {
            int number = i;
            submitters.add(start(number, () -> {
                SplittableRandom random = new SplittableRandom(SEED + number);
                try (ProgressLoop loop = loop(number);
                        LoopLab lab = new LoopLab(loop, 1)) {
                    long before = sleeps(loop);
                    for (int alternation = 0; alternation < perSubmitter; alternation++) {
                        pause(random);
                        work(loop, lab, 0, random);
                    }
                    return sleeps(loop) - before;
                }
            }));
        }
        assertSlept(sum(submitters), perSubmitter * SUBMITTERS);
    }

    /**
     * In each round some of the submitters, often just one, submit work at about the same time and wait for it. A missed
     * wake-up of one submitter is not repaired by another one.
     */
    @Test
    void submittersThatShareALoop() throws Exception {
        int rounds = ALTERNATIONS / 2;
        try (ProgressLoop loop = loop(0);
                LoopLab lab = new LoopLab(loop, SUBMITTERS)) {
            CyclicBarrier roundEnd = new CyclicBarrier(SUBMITTERS);
            long before = sleeps(loop);
            List<FutureTask<Long>> submitters = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                int number = i;
                submitters.add(start(number, () -> {
                    SplittableRandom common = new SplittableRandom(SEED);
                    SplittableRandom own = new SplittableRandom(SEED + number);
                    for (int round = 0; round < rounds; round++) {
                        int busy = common.nextBoolean() ? 1 << common.nextInt(SUBMITTERS) : common.nextInt(16);
                        if ((busy >> number & 1) != 0) {
                            pause(own);
                            work(loop, lab, number, own);
                        }
                        roundEnd.await(2 * BOUND_SECONDS, TimeUnit.SECONDS);
                    }
                    return 0L;
                }));
            }
            assertThat(sum(submitters)).isZero();
            assertSlept(sleeps(loop) - before, rounds);
        }
    }

    /** Starts a loop that sleeps at once, or after about the time between two submissions. */
    private static ProgressLoop loop(int number) {
        IdleStrategy strategy =
                number % 4 == 3 ? IdleStrategy.eventDriven(Duration.ofNanos(20_000)) : IdleStrategy.eventDriven(0);
        return ProgressLoop.builder()
                .name("loop " + number)
                .idleStrategy(strategy)
                .start();
    }

    private static FutureTask<Long> start(int number, Callable<Long> work) {
        FutureTask<Long> submitter = new FutureTask<>(work);
        Thread.Builder builder = number % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        builder.name("submitter " + number).start(submitter);
        return submitter;
    }

    private static long sum(List<FutureTask<Long>> submitters) throws Exception {
        long sum = 0;
        for (FutureTask<Long> submitter : submitters) {
            sum += submitter.get();
        }
        return sum;
    }

    /** Pauses not at all, for about as long as a loop takes to fall asleep, or longer. */
    private static void pause(SplittableRandom random) {
        int kind = random.nextInt(8);
        if (kind == 0) {
            LockSupport.parkNanos(random.nextInt(50_000));
        } else if (kind > 2) {
            long nanos = random.nextInt(30_000);
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos) {
                Thread.onSpinWait();
            }
        }
    }

    /** Submits work that is done at once, or a copy, which needs a wake-up to begin and another to complete. */
    private static void work(ProgressLoop loop, LoopLab lab, int block, SplittableRandom random) throws Exception {
        boolean copies = random.nextBoolean();
        CompletableFuture<Long> result =
                copies ? Work.on(loop, () -> lab.copy(block)) : loop.call(engine -> (long) LoopLab.BLOCK);
        try {
            assertThat(result.get(BOUND_SECONDS, TimeUnit.SECONDS)).isEqualTo(LoopLab.BLOCK);
        } catch (TimeoutException lost) {
            throw new AssertionError(
                    "A wake-up was lost: " + (copies ? "a copy" : "a call") + " did not end; -Ddoca.seed=" + SEED,
                    lost);
        }
    }

    /** Returns how often the loop's thread yielded the processor voluntarily, which it does to sleep. */
    private static long sleeps(ProgressLoop loop) {
        String key = "voluntary_ctxt_switches:";
        return loop.call(engine -> Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                        .filter(line -> line.startsWith(key))
                        .mapToLong(line ->
                                Long.parseLong(line.substring(key.length()).strip()))
                        .findFirst()
                        .orElseThrow())
                .join();
    }

    private static void assertSlept(long sleeps, int alternations) {
        assertThat(sleeps).as("sleeps in %d alternations", alternations).isGreaterThan(alternations / 4);
    }
}
