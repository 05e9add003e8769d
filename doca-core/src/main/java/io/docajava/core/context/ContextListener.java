/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** Receives the state changes of contexts. */
@FunctionalInterface
public interface ContextListener {

    /**
     * Receives one state change. The engine's thread calls it once for each change, in order, after the native call that caused
     * the change has returned. The listener may do everything that a completion callback may do. Exceptions that it throws go to
     * the engine's error handler.
     *
     * @param context the context, whose {@link Context#state()} may have changed again since
     * @param previous the state before the change, which differs from {@code next}
     * @param next the state after the change; {@link Context#failure()} returns the cause of a change to {@code STOPPING}, if any
     */
    void stateChanged(Context context, ContextState previous, ContextState next);
}
