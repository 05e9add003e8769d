/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;

/**
 * Told how copies end. One handler may serve any number of copies; nothing is allocated for it.
 *
 * <p>Both methods run on the thread of the engine, inside its progress. The copy's task and buffers are free again by
 * then: the handler may use them for the next copy, even when the context has no other task. What it throws goes to the
 * engine's error handler.
 */
public interface CopyHandler {

    /**
     * A copy succeeded. The data of the target has grown by what was copied.
     *
     * @param bytes how much was copied
     */
    void copied(Buf source, Buf target, long bytes);

    /** A copy failed. The data of the target has not grown, but bytes behind it may have been written. */
    void failed(Buf source, Buf target, TaskFailedException failure);
}
