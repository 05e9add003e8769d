/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.TimeUnit;

/**
 * Two threads do, at the same time and very often, what the caller and the thread of a loop do when the loop becomes idle:
 * one adds work and reads whether the loop is idle, the other one says that it is idle and looks for work. Prints how often
 * they did, and how often neither saw the other one, which would be a lost wake-up.
 *
 * <p>For a JVM with its second compiler, as only that lets a read overtake a write.
 */
final class LostWakeUps {

    private static final int COUNT = 8192;
    /** After so many, the faster thread waits for the other one. */
    private static final int STEP = 32;

    private static final int YIELD_AFTER = 2000;

    /** One queue, used once. */
    private static final class Moment {

        final LoopQueue queue = new LoopQueue(Thread.currentThread());
        final LoopCommand<Object> command = new LoopCommand<>(Thread.currentThread()) {
            @Override
            void execute() {}
        };
        /** As in a loop. */
        volatile boolean idle;

        boolean sawIdle;
        boolean found;
    }

    private volatile Moment[] moments = moments();
    /** How far each thread has come, over all rounds. */
    private volatile long called;

    private volatile long looped;

    private LostWakeUps() {}

    /** Goes on for a number of milliseconds. */
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
            // The other one reads the results, and sets the next round before it goes on.
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

    /** On one processor the other thread runs only when this one lets it. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what is meant
    private static void pause(int looks) {
        if (looks % YIELD_AFTER == YIELD_AFTER - 1) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
