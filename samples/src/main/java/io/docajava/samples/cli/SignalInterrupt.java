/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Interrupts a sample when a signal such as that of Ctrl-C ends the process, which then waits a moment for the end of the
 * sample. The hook could not do the sample's work instead: an engine belongs to its thread.
 */
final class SignalInterrupt {

    /** Far longer than the end of a sample takes, and not too long for who has pressed Ctrl-C. */
    private static final long LIMIT_S = 5;

    private final Thread sample = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);

    private SignalInterrupt() {}

    /** Works by the current thread, which a signal interrupts. */
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
            // By a signal, and the hook runs.
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
