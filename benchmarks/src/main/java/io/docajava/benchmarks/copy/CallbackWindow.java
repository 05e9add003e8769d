/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.Batch;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.dma.CopyHandler;

/** Copies with one handler for all, which submits the next copy in a batch. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class CallbackWindow extends CopyWindow implements CopyHandler {

    private CopyLab lab;
    private Batch batch;

    @Override
    void prepare(CopyLab copies) {
        lab = copies;
    }

    @Override
    protected void submitAll() {
        batch = lab.dma.batch();
        for (int i = 0; i < depth; i++) {
            lab.dma.copy(lab.sources[i], lab.targets[i], this);
        }
    }

    @Override
    protected void endIteration() {
        batch.close();
    }

    @Override
    public void copied(Buf source, Buf target, long bytes) {
        if (next()) {
            target.clear();
            lab.dma.copy(source, target, this);
        }
    }

    @Override
    public void failed(Buf source, Buf target, TaskFailedException reason) {
        fail(reason);
    }
}
