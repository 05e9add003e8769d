/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.EngineContext;
import org.jspecify.annotations.Nullable;

/**
 * The native object of a context, such as {@code struct doca_dma}, and the calls on it that differ between libraries.
 * Each library implements it; {@link ContextLife} calls it.
 */
public interface ContextBinding {

    /** Returns the object's {@code struct doca_ctx *}. */
    long context();

    /** Destroys the object and returns a {@code doca_error_t}. */
    int destroy();

    /** Destroys the object because its creation or start has failed. Returns false if the SDK refuses, which is only logged. */
    default boolean discard() {
        boolean isDestroyed = destroy() == DocaError.SUCCESS.code();
        Calls.discardErrors();
        return isDestroyed;
    }

    /**
     * Returns whether starting the context drives progress until it is running or has failed. False if the start
     * depends on another process.
     */
    default boolean isStartAwaited() {
        return true;
    }

    /** Returns why a context that has stopped cannot be started again; null if it can. */
    default @Nullable String whyNotRestartable() {
        return null;
    }

    /** Called before each start of the context. An exception fails the start. */
    default void starting() {}

    /**
     * Called when a start has succeeded at once, for settings that need a running context. An exception stops the
     * context.
     */
    default void started() {}

    /** Called when the library runs a context that it reported as running before. In order with completions. */
    default void runs() {}

    /** Called before each stop of the context. An exception prevents the stop. */
    default void stopping() {}

    /**
     * Returns whether the context may lose events while its engine is armed ({@code doca_pe_request_notification}). The engine
     * polls instead of sleeping until this returns false.
     */
    default boolean losesEventsWhenArmed() {
        return false;
    }

    /**
     * Returns whether a failure and a change of state end the round of progress, so that the tasks of the context are freed before
     * the library progresses again.
     */
    default boolean endsRounds() {
        return false;
    }

    /** Called for an event as {@link EngineContext#event} is, in order with completions. It may run user code. */
    default void event(int number, long object, long userData) {}

    /** Returns the name of the C function that {@link #destroy()} calls. */
    String destroyFunction();
}
