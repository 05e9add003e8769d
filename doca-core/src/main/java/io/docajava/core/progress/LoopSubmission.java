/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The command of {@link ProgressLoop#submit}: work that returns a stage of its result. */
final class LoopSubmission<T> extends LoopCommand<T> implements BiConsumer<T, @Nullable Throwable> {

    private final LoopThread loop;
    /** The work; after its call the stage, until that has ended. Only the loop's thread reads it. */
    private @Nullable Object source;
    /** True if the stage has ended. Set by the thread that completes the stage, and read by that thread in the same call. */
    private boolean ended;
    /** The index in {@link PendingWork}; negative if this submission is not pending. */
    int place = -1;

    LoopSubmission(LoopThread loop, Callable<? extends CompletionStage<T>> work) {
        super(loop);
        this.loop = loop;
        this.source = work;
    }

    @Override
    @SuppressWarnings("unchecked") // the work, until it is called
    void execute() throws Exception {
        Callable<? extends CompletionStage<T>> work =
                (Callable<? extends CompletionStage<T>>) Objects.requireNonNull(source);
        source = null;
        CompletionStage<T> stage = Objects.requireNonNull(work.call(), "The work returned null instead of a stage");
        loop.pending().add(this);
        source = stage;
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

    /**
     * Completes this future if its stage is done and has not called {@link #accept}: a thread that completes a stage near
     * the end of its stack may be unable to call it, and the JDK then drops the {@link StackOverflowError}.
     */
    @SuppressWarnings({"FutureReturnValueIgnored", "unchecked"}) // the stage is done: it calls accept() at once
    void followAgain() {
        if (source instanceof CompletableFuture<?> stage) {
            try {
                if (stage.isDone()) {
                    ((CompletableFuture<T>) stage).whenComplete(this);
                }
            } catch (RuntimeException e) {
                // Stages of minimalCompletionStage(), for example, do not tell whether they are done.
            }
        }
    }

    /** Completes this future with the outcome of the stage. Called by the thread that completed the stage. */
    @Override
    public void accept(T result, @Nullable Throwable failure) {
        ended = true;
        end(result, failure);
        loop.ended(this);
        source = null;
    }

    /** Cancels this future, and then the stage if it is a {@link Completion}. Any thread may call. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            loop.cancelStage(this);
        }
        return cancelled;
    }

    /** Fails this future. If its stage has not ended, for example because of a timeout, the stage is cancelled. */
    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean failed = super.completeExceptionally(failure);
        if (failed && !ended) {
            loop.cancelStage(this);
        }
        return failed;
    }

    /** Cancels the stage if it is a {@link Completion}. Called by the loop's thread. */
    void cancelStage() {
        if (source instanceof Completion<?> stage) {
            stage.cancel(false);
        }
    }
}
