/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.util.concurrent.atomic.AtomicReference;

/** Runs code on a nearly full stack. */
public final class DeepStack {

    private static final long STACK_SIZE = 512 * 1024;

    private DeepStack() {}

    /** Code that may throw anything. */
    @FunctionalInterface
    public interface Code {

        /** Runs the code. */
        void run() throws Throwable;
    }

    /** Runs code on a new thread with a small stack, and rethrows its exception. */
    public static void onSmallStack(Code code) throws Throwable {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        code.run();
                    } catch (Throwable failure) {
                        thrown.set(failure);
                    }
                },
                "small stack",
                STACK_SIZE);
        thread.start();
        thread.join();
        if (thrown.get() != null) {
            throw thrown.get();
        }
    }

    /**
     * Runs code at the end of the stack, and again one frame higher each time that it overflows, until it does not.
     *
     * @return how often it overflowed
     */
    public static int attempt(Code code) throws Throwable {
        int[] overflows = new int[1];
        descend(code, overflows);
        return overflows[0];
    }

    @SuppressWarnings("InfiniteRecursion") // recursion is intended
    private static void descend(Code code, int[] overflows) throws Throwable {
        try {
            descend(code, overflows);
            return;
        } catch (StackOverflowError e) {
            overflows[0]++;
        }
        code.run();
    }
}
