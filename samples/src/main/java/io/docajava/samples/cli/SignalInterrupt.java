/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Interrupts a sample when a signal, such as SIGINT of Ctrl-C, ends the process, and delays the exit until the end of the
 * sample. The shutdown hook could not close the sample's resources itself: an engine belongs to its thread.
 */
final class SignalInterrupt {

    /** The longest time to wait for the end of the sample after a signal. */
    private static final long LIMIT_S = 5;

    private final Thread sample = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);

    private SignalInterrupt() {}

    /** Runs work on the current thread, which a signal interrupts. */
    static int during(IntSupplier work) {
        SignalInterrupt interrupt = new SignalInterrupt();
        Thread hook = new Thread(interrupt::run, "signal");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.getAsInt();
        } finally {
            interrupt.ended.countDown();
            remove(hook);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endsAlready) {
            // The JVM is shutting down because of a signal.
        }
    }

    @SuppressWarnings("ResultOfMethodCallIgnored") // the process ends in any case
    private void run() {
        sample.interrupt();
        try {
            ended.await(LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
