/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.core.internal.engine.EngineCore;

/** The calls that differ between the libraries, for the native object of a context such as {@code struct doca_dma}. */
public interface ContextBinding {

    /** The object's {@code struct doca_ctx *}. */
    long context();

    /** Destroys the object; the result is a {@code doca_error_t}. */
    int destroy();

    /**
     * Returns whether who starts the context is to wait until it is running or has failed to, when that takes progress. Not
     * when it waits for another process.
     */
    default boolean isStartAwaited() {
        return true;
    }

    /** The context is about to be started, for the first time or again. An exception fails the start. */
    default void starting() {}

    /** The context has been started: for settings that need that. An exception stops it again. */
    default void started() {}

    /**
     * An event has come by one of the callbacks of {@link EngineCore}, in order with completions; may run the code of users.
     *
     * @param number of the callback
     * @param object what it is about
     * @param userData of the object; 0 where the callback has none
     */
    default void event(int number, long object, long userData) {}

    /** The C function behind {@link #destroy()}. */
    String destroyFunction();
}
