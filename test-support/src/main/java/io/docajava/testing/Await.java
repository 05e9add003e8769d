/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits in tests, with a limit that is far longer than anything takes on a busy machine. */
public final class Await {

    /** The time in seconds after which work counts as hanging. Shorter than the time limits of test classes, whose errors say less. */
    public static final long LIMIT_S = 300;

    /** The same limit as a duration. A test has another limit only if it tests that limit. */
    public static final Duration LIMIT = Duration.ofSeconds(LIMIT_S);

    private Await() {}

    /**
     * Waits for the result of a future.
     *
     * @param awaited names the result in the error
     * @throws AssertionError if it is not complete after the limit; its message names the result, and has the stacks of all threads
     */
    public static <T extends @Nullable Object> T result(Future<T> future, String awaited)
            throws InterruptedException, ExecutionException {
        try {
            return future.get(LIMIT_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "Waited " + LIMIT_S + " s for " + awaited + ", which is still " + future + "\n" + stacks(), e);
        }
    }

    /**
     * Waits for a condition, which is evaluated again and again. An interrupt, by which JUnit enforces a time limit, ends the wait.
     *
     * @param awaited names the condition in the error
     * @throws AssertionError if the condition does not hold after the limit, or the thread is interrupted; its message names the
     *     condition, and has the stacks of all threads
     */
    public static void until(BooleanSupplier condition, String awaited) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted() || System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(LIMIT_S)) {
                throw new AssertionError("Waited " + (System.nanoTime() - begun) / 1_000_000_000 + " s for " + awaited
                        + "\n" + stacks());
            }
            Thread.onSpinWait();
        }
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            text.append(entry.getKey()).append('\n');
            for (StackTraceElement element : entry.getValue()) {
                text.append("    ").append(element).append('\n');
            }
        }
        return text.toString();
    }
}
