/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import java.time.Duration;

/**
 * Configures a context before it starts. This interface has the settings that all kinds of contexts share; the builder of each
 * library adds further settings and {@code start} methods. Not safe for use by several threads at once.
 *
 * @param <B> the type of the builder itself
 */
public interface ContextBuilder<B extends ContextBuilder<B>> {

    /**
     * Sets how long {@link Context#close()} and {@link Context#restart()} wait for tasks in flight to end; 10 s by default. A close
     * of a map by another thread than that of the engine waits as long for this context to give back its buffers over the map.
     *
     * @param timeout 0 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is negative
     */
    B closeTimeout(Duration timeout);

    /**
     * Adds a listener before the context starts, so that the listener also receives the state changes of the start.
     *
     * @param listener to be called by the engine's thread until {@link Context#removeListener} removes it
     * @return this builder
     */
    B listener(ContextListener listener);
}
