/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.CopyEnd;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies with a handler, each to another map than the copies before it; a subclass also reads another map each time. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class RebindWindow extends CopyWindow implements Handler<CopyEnd> {

    /** More than the tasks in flight, so that no idle task has used the map of the next copy. */
    private static final int MAPS = 64;

    private CopyLab lab;
    private List<Mmap> sources;
    private List<Mmap> targets;
    private int next;

    /** Returns the number of source maps. */
    int sourceMaps() {
        return 1;
    }

    @Override
    void prepare(CopyLab copies) {
        lab = copies;
        sources = lab.moreSources(sourceMaps());
        targets = lab.moreTargets(MAPS);
    }

    @Override
    protected void submitAll() {
        for (int i = 0; i < depth; i++) {
            copy(i);
        }
    }

    private void copy(long number) {
        long offset = number * size;
        Mmap source = sources.get(next % sources.size());
        Mmap target = targets.get(next % MAPS);
        next = (next + 1) % MAPS;
        lab.dma.copy(source, offset, target, offset, size, number, this);
    }

    @Override
    public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            fail(failure);
        } else if (next()) {
            copy(end.tag());
        }
    }

    @Override
    protected void release() {
        sources.forEach(Mmap::close);
        targets.forEach(Mmap::close);
    }
}
