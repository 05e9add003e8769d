/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Future;

/** Refuses to wait for a future on the thread that completes it. */
final class BlockingGuard {

    private BlockingGuard() {}

    static void check(Future<?> future, Thread engineThread) {
        if (Thread.currentThread().equals(engineThread) && !future.isDone()) {
            throw new IllegalStateException("This thread runs the progress engine and would wait forever, as nothing"
                    + " completes meanwhile: use await(engine), or go on in a dependent stage");
        }
    }
}
