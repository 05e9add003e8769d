/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.internal.engine.EngineLoop;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The start of a context by the thread of a loop, for another thread that waits and may give it up. */
final class LoopStart<C extends Context> {

    private final Supplier<C> start;
    private @Nullable C started;
    /** Set by the loop when the context has started, or by the caller who gives it up. */
    private final AtomicBoolean settled = new AtomicBoolean();

    LoopStart(Supplier<C> start) {
        this.start = start;
    }

    /** Starts the context, and closes it if the caller has given it up. */
    private void run() {
        C context = start.get();
        started = context;
        if (!settled.compareAndSet(false, true)) {
            context.close();
        }
    }

    /** Returns the context when it has started. The parameters and exceptions are those of {@link EngineLoop#run}. */
    C await(EngineLoop loop, String attempt, long timeoutNanos) {
        try {
            loop.run(attempt, this::run, timeoutNanos);
        } catch (DocaException busy) {
            if (settled.compareAndSet(false, true)) {
                throw busy;
            }
        }
        return Objects.requireNonNull(started);
    }
}
