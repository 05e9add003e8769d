/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Copies the ranges of the copy again while the condition holds. A failure fails the test. */
record Repeat(BooleanSupplier again, DmaContext dma) implements Handler<CopyEnd> {

    @Override
    public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            throw failure;
        }
        if (again.getAsBoolean()) {
            dma.copy(end.source(), end.target(), this);
        }
    }
}
