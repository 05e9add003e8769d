/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs something on another thread and tells what came of it. */
final class OtherThread {

    private OtherThread() {}

    /** What the action throws on a thread named "other", or null. */
    static @Nullable Throwable failureOf(Runnable action) throws Exception {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().name("other").start(() -> {
            try {
                action.run();
            } catch (Throwable failure) {
                thrown[0] = failure;
            }
        });
        thread.join();
        return thrown[0];
    }

    /** Starts an action whose result is to be waited for. */
    static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().name("other").daemon(true).start(task);
        return task;
    }

    /** Waits for a result, not for ever. */
    static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(10, TimeUnit.SECONDS);
    }

    /** Returns when a thread sleeps or waits. */
    static void awaitBlocked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
