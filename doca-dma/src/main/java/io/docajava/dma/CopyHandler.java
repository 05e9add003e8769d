/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;

/**
 * Receives the completions of copies. One handler may serve any number of copies; calling it allocates nothing.
 *
 * <p>The engine's thread calls both methods during progress. The copy's task and buffers are free by then, so the handler may use
 * them for the next copy, even if the context has no other task. Exceptions that it throws go to the engine's error handler.
 */
public interface CopyHandler {

    /**
     * Receives the success of a copy.
     *
     * @param source the buffer whose data was copied, which is unchanged
     * @param target the buffer whose data has grown by the copied bytes
     * @param bytes the number of bytes copied
     */
    void copied(Buf source, Buf target, long bytes);

    /**
     * Receives the failure of a copy.
     *
     * @param source the buffer whose data was to be copied
     * @param target the other buffer: its data has not grown, but bytes behind the data may have been written
     * @param failure says whether this copy is the root cause
     */
    void failed(Buf source, Buf target, TaskFailedException failure);
}
