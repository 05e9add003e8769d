/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Runs work with an asynchronous result on an executor, such as a loop. */
public final class Work {

    private Work() {}

    /** Returns the future of the result of the stage that the work returns. It fails with what the work throws. */
    @SuppressWarnings("FutureReturnValueIgnored") // the future that is returned completes with the stage
    public static <T> CompletableFuture<T> on(Executor executor, Callable<? extends CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                work.call().whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        return result;
    }
}
