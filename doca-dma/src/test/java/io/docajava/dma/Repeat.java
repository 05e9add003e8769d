/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import java.util.function.BooleanSupplier;

/** Submits the copy again as long as it is told to. A failure is the failure of the test. */
record Repeat(BooleanSupplier again, DmaContext dma) implements CopyHandler {

    @Override
    public void copied(Buf source, Buf target, long bytes) {
        if (again.getAsBoolean()) {
            dma.copy(source, target, this);
        }
    }

    @Override
    public void failed(Buf source, Buf target, TaskFailedException failure) {
        throw failure;
    }
}
