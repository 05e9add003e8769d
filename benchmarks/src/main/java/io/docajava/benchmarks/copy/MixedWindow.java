/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Mmap;
import io.docajava.dma.CopyEnd;
import io.docajava.dma.DmaContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of ranges by two contexts, with handlers of three classes, between eight maps. */
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class MixedWindow extends CopyWindow {

    private static final int MAPS = 4;

    private List<Handler<CopyEnd>> handlers;
    private DmaContext[] contexts;
    private List<Mmap> sources;
    private List<Mmap> targets;

    @Override
    void prepare(CopyLab copies) {
        handlers = List.of(new First(), new Second(), new Third());
        contexts = new DmaContext[] {copies.dma, copies.startAnother()};
        sources = copies.moreSources(MAPS);
        targets = copies.moreTargets(MAPS);
    }

    @Override
    protected void submitAll() {
        for (int i = 0; i < depth; i++) {
            copy(i);
        }
    }

    private void copy(long number) {
        long offset = number * size;
        int choice = (int) number;
        contexts[choice % contexts.length].copy(
                sources.get(choice % MAPS),
                offset,
                targets.get(choice % MAPS),
                offset,
                size,
                number,
                handlers.get(choice % 3));
    }

    @Override
    protected void release() {
        sources.forEach(Mmap::close);
        targets.forEach(Mmap::close);
        contexts[1].close();
    }

    private final class First implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure != null) {
                fail(failure);
            } else if (next()) {
                copy(end.tag());
            }
        }
    }

    private final class Second implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure == null) {
                if (next()) {
                    copy(end.tag());
                }
            } else {
                fail(failure);
            }
        }
    }

    private final class Third implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            long number = end.tag();
            if (failure != null) {
                fail(failure);
                return;
            }
            if (next()) {
                copy(number);
            }
        }
    }
}
