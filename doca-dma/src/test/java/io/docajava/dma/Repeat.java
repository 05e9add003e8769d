/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import java.util.function.BooleanSupplier;

/** Submits the copy again while the condition holds. A failure fails the test. */
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
