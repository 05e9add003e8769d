/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.memory.MapRange;
import io.docajava.dma.internal.CopyEndImpl;

/**
 * An ended copy, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes another
 * copy by the same object.
 */
public sealed interface CopyEnd permits CopyEndImpl {

    /** {@return the number of bytes that were to be copied} They were copied if the copy has succeeded. */
    long bytes();

    /** {@return the tag that the copy was submitted with; 0 if it had none} */
    long tag();

    /** {@return the range that was copied; of a list of buffers, the data of the first one} */
    MapRange source();

    /**
     * {@return the range that was copied to; of a list of buffers, the part in the first one} If the copy has failed, any byte of the
     * target may have been written.
     */
    MapRange target();
}
