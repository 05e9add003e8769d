/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.testing.Await;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Runs work on another thread while the test continues. */
final class Background {

    private Background() {}

    static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().name("other").daemon(true).start(task);
        return task;
    }

    /** Waits for the result, with a timeout. */
    static <T> T result(FutureTask<T> task) throws Exception {
        return Await.result(task, "the other thread");
    }
}
