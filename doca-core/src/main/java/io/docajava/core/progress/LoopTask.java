/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.EngineImpl;

/** The command of {@link ProgressLoop#execute}. Nobody has its future, so the error handler of the loop gets its failure. */
final class LoopTask extends LoopCommand<Boolean> {

    private final LoopThread loop;
    private final Runnable task;

    LoopTask(LoopThread loop, Runnable task) {
        super(loop);
        this.loop = loop;
        this.task = task;
    }

    @Override
    void execute() {
        task.run();
        complete(true);
    }

    @Override
    public boolean completeExceptionally(Throwable reason) {
        boolean failed = super.completeExceptionally(reason);
        if (failed) {
            EngineImpl.of(loop.engine()).delivery().report(reason);
        }
        return failed;
    }
}
