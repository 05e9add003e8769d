/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

/** One piece of work queued for a loop, and the future that tells how it went. */
abstract class LoopCommand {

    private final LoopFuture<?> future;

    LoopCommand(LoopFuture<?> future) {
        this.future = future;
    }

    /** Does the work. */
    abstract void execute() throws Exception;

    LoopFuture<?> future() {
        return future;
    }

    /** Whatever the work throws belongs to its future, and not to the loop. */
    void run() {
        if (future.isDone()) {
            return;
        }
        try {
            execute();
        } catch (Throwable thrown) {
            future.completeExceptionally(thrown);
        }
    }
}
