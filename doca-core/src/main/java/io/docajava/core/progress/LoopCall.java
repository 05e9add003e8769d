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
     * Does the work. The loop's thread calls this once.
     *
     * @param engine the engine of the loop
     * @return the result, which completes the call's future; may be null
     * @throws Exception if the work fails; the call's future fails with the same exception
     */
    T call(ProgressEngine engine) throws Exception;
}
