/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** The objects that operations need, as a {@link Window} sees them. */
public interface Lab extends AutoCloseable {

    /** Lets no target keep what was brought there before. */
    void clear();

    /**
     * Checks that all targets have what their sources have.
     *
     * @throws IllegalStateException if one has not
     */
    void check();

    @Override
    void close();
}
