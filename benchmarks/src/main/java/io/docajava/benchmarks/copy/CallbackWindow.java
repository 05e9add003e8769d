/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.dma.CopyEnd;
import org.jspecify.annotations.Nullable;

/** Copies of ranges with one handler for all, which submits the next copy. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class CallbackWindow extends CopyWindow implements Handler<CopyEnd> {

    private CopyLab lab;

    @Override
    void prepare(CopyLab copies) {
        lab = copies;
    }

    @Override
    protected void submitAll() {
        for (int i = 0; i < depth; i++) {
            copy(i);
        }
    }

    private void copy(long number) {
        long offset = number * size;
        lab.dma.copy(lab.sourceMemory, offset, lab.targetMemory, offset, size, number, this);
    }

    @Override
    public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            fail(failure);
        } else if (next()) {
            copy(end.tag());
        }
    }
}
