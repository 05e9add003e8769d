/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The command of {@link ProgressLoop#submit}: work that returns a stage of its result. */
final class LoopSubmission<T> extends LoopCommand<T> implements BiConsumer<T, @Nullable Throwable> {

    private final ProgressLoop loop;
    private @Nullable Callable<? extends CompletionStage<T>> work;
    /** The index in {@link PendingWork}; negative if this submission is not pending. */
    int place = -1;

    LoopSubmission(ProgressLoop loop, Callable<? extends CompletionStage<T>> work) {
        super(loop.thread());
        this.loop = loop;
        this.work = work;
    }

    @Override
    void execute() throws Exception {
        Callable<? extends CompletionStage<T>> todo = Objects.requireNonNull(work);
        work = null;
        CompletionStage<T> stage = Objects.requireNonNull(todo.call(), "The work returned null instead of a stage");
        loop.pending().add(this);
        try {
            follow(stage);
        } catch (Throwable thrown) {
            loop.pending().remove(this);
            throw thrown;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // this future completes with the outcome of the stage
    private void follow(CompletionStage<T> stage) {
        if (!(stage instanceof Completion<T> task && task.listen(this))) {
            stage.whenComplete(this);
        }
    }

    /** Completes this future with the outcome of the stage. Called by the thread that completed the stage. */
    @Override
    public void accept(T result, @Nullable Throwable failure) {
        end(result, failure);
        loop.ended(this);
    }
}
