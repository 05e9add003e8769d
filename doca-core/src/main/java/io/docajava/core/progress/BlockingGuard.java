/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.Future;

/** Refuses to wait for a future on a thread that could then wait forever. */
final class BlockingGuard {

    private BlockingGuard() {}

    /** Refuses a wait without a time limit by the thread that completes the future, and by the thread of any loop. */
    static void check(Future<?> future, Thread engineThread) {
        checkWithLimit(future, engineThread);
        if (Thread.currentThread() instanceof LoopThread loop && !future.isDone()) {
            throw new IllegalStateException("The thread of ProgressLoop \"" + loop.getName()
                    + "\" does not wait without a time limit, as two loops could wait for each other forever: wait"
                    + " with a timeout, or go on in a dependent stage");
        }
    }

    /** Refuses a wait with a time limit by the thread that completes the future. */
    static void checkWithLimit(Future<?> future, Thread engineThread) {
        if (Thread.currentThread().equals(engineThread) && !future.isDone()) {
            checkOwnLoop(engineThread);
            throw new IllegalStateException("This thread runs the progress engine and would wait forever, as nothing"
                    + " completes meanwhile: use await(), or go on in a dependent stage");
        }
    }

    /** Refuses a wait by the thread of a loop for its own engine. */
    static void checkOwnLoop(Thread engineThread) {
        if (Thread.currentThread() instanceof LoopThread loop && loop.equals(engineThread)) {
            throw new IllegalStateException("The thread of ProgressLoop \"" + loop.getName()
                    + "\" cannot wait for its own loop, as nothing completes meanwhile: go on in a dependent stage");
        }
    }
}
