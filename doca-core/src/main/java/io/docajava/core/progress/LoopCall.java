/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

/**
 * Work for the thread of a {@link ProgressLoop}.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
public interface LoopCall<T> {

    /**
     * Does the work.
     *
     * @param engine the engine of the loop
     * @throws Exception if it fails, which becomes the failure of the call's future
     */
    T call(ProgressEngine engine) throws Exception;
}
