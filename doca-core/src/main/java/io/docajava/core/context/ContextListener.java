/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** Told when the state of a context changes. */
@FunctionalInterface
public interface ContextListener {

    /**
     * A context went from one state to another. It is called by the thread of the engine, after the native call that
     * brought the change has returned, once for each change and in their order; {@link Context#state()} may have moved
     * on already. It may do all that a completion callback may do; what it throws goes to the engine's error handler.
     */
    void stateChanged(Context context, ContextState previous, ContextState next);
}
