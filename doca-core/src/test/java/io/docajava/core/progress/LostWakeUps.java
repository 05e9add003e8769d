/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.TimeUnit;

/**
 * Runs the steps of a caller and of a loop that becomes idle on two threads, at the same time and very often: one thread adds
 * work and reads whether the loop is idle, the other one sets the idle flag and looks for work. Prints the number of rounds,
 * and the number of rounds in which neither thread saw the other one, which would be lost wake-ups.
 *
 * <p>It needs a JVM with the second compiler, as only that compiler reorders a read before a write.
 */
final class LostWakeUps {

    private static final int COUNT = 8192;
    /** The number of rounds after which the faster thread waits for the other one. */
    private static final int STEP = 32;

    private static final int YIELD_AFTER = 2000;

    /** A queue that is used once. */
    private static final class Moment {

        final LoopQueue queue = new LoopQueue(Thread.currentThread());
        final LoopCommand<Object> command = new LoopCommand<>(Thread.currentThread()) {
            @Override
            void execute() {}
        };
        /** The idle flag of the loop. */
        volatile boolean idle;

        boolean sawIdle;
        boolean found;
    }

    private volatile Moment[] moments = moments();
    /** The number of rounds that each thread has finished. */
    private volatile long called;

    private volatile long looped;

    private LostWakeUps() {}

    /** Runs for a number of milliseconds. */
    public static void main(String[] args) throws InterruptedException {
        LostWakeUps all = new LostWakeUps();
        Thread caller = Thread.ofPlatform().daemon().start(all::call);
        all.loop(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.getLong("doca.test.millis", 1500)));
        caller.join();
    }

    private void call() {
        long count = 0;
        while (true) {
            Moment[] round = moments;
            if (round.length == 0) {
                return;
            }
            for (int i = 0; i < round.length; i++) {
                if (i % STEP == 0) {
                    called = count;
                    awaitLooped(count);
                }
                Moment moment = round[i];
                moment.queue.offer(moment.command);
                moment.sawIdle = moment.idle;
                count++;
            }
            called = count;
            // The other thread reads the results and prepares the next round before it continues.
            awaitLooped(count + 1);
            count++;
        }
    }

    private void loop(long end) {
        long count = 0;
        long all = 0;
        long lost = 0;
        while (moments.length > 0) {
            Moment[] round = moments;
            for (int i = 0; i < round.length; i++) {
                if (i % STEP == 0) {
                    looped = count;
                    awaitCalled(count);
                }
                Moment moment = round[i];
                moment.idle = true;
                moment.found = moment.queue.poll() != null;
                count++;
            }
            looped = count;
            awaitCalled(count);
            for (Moment moment : round) {
                all++;
                lost += moment.found || moment.sawIdle ? 0 : 1;
            }
            moments = System.nanoTime() < end ? moments() : new Moment[0];
            count++;
            looped = count;
        }
        System.out.println(all + " " + lost);
    }

    private static Moment[] moments() {
        Moment[] moments = new Moment[COUNT];
        for (int i = 0; i < COUNT; i++) {
            moments[i] = new Moment();
        }
        return moments;
    }

    private void awaitLooped(long count) {
        for (int looks = 0; looped < count; looks++) {
            pause(looks);
        }
    }

    private void awaitCalled(long count) {
        for (int looks = 0; called < count; looks++) {
            pause(looks);
        }
    }

    /** Yields from time to time, as on one processor the other thread runs only then. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is intended
    private static void pause(int looks) {
        if (looks % YIELD_AFTER == YIELD_AFTER - 1) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
