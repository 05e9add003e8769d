/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.memory.MapRange;

/** Called while a copy proceeds; see {@link DmaContext#copy(MapRange, MapRange, CopyProgress)}. */
@FunctionalInterface
public interface CopyProgress {

    /**
     * Called by the engine's thread after each piece that was copied. It may do what a handler may do, and cancel the future of the
     * copy. An exception goes to the error handler of the engine, and the copy goes on.
     *
     * @param bytes the number of bytes copied so far, which need not be the first ones of the range; at the last call, the length of
     *     the copy
     */
    void copied(long bytes);
}
