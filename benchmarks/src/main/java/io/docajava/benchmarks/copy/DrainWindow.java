/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.Batch;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;

/** Rounds of prepared tasks: all are submitted in a batch, and all complete before the next round. */
@SuppressWarnings({"NullAway.Init", "try"}) // JMH calls open() before all else; a batch is there for its block
public class DrainWindow extends CopyWindow {

    private DmaContext dma;
    private DmaTask[] tasks;
    private Buf[] targets;
    private int inRound;

    @Override
    void prepare(CopyLab copies) {
        dma = copies.dma;
        targets = copies.targets;
        tasks = new DmaTask[depth];
        for (int i = 0; i < depth; i++) {
            tasks[i] = dma.task(copies.sources[i], targets[i]).onCompletion(this::ended);
        }
    }

    @Override
    protected void submitAll() {
        submitRound();
    }

    @Override
    protected void round(ProgressEngine progress) {
        if (inRound == 0) {
            submitRound();
        }
        progress.progress();
    }

    private void submitRound() {
        try (Batch batch = dma.batch()) {
            for (int i = 0; i < depth; i++) {
                targets[i].clear();
                tasks[i].submit();
            }
        }
        inRound = depth;
    }

    private void ended(DmaTask task) {
        inRound--;
        next();
        if (task.bytes() != size) {
            fail(new IllegalStateException("Copied " + task.bytes() + " bytes of " + size));
        }
    }

    @Override
    protected void release() {
        for (DmaTask task : tasks) {
            task.close();
        }
    }
}
