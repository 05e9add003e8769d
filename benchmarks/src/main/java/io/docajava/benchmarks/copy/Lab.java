/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** The objects that the operations of a {@link Window} need. */
public interface Lab extends AutoCloseable {

    /** Clears all destinations. */
    void clear();

    /**
     * Checks that all destinations equal their sources.
     *
     * @throws IllegalStateException if one differs
     */
    void check();

    @Override
    void close();
}
