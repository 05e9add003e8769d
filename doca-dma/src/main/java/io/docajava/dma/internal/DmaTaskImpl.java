/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.internal.context.AbstractTask;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.dma.DmaTask;
import java.util.Objects;

/** The implementation of {@link DmaTask}. */
public final class DmaTaskImpl extends AbstractTask<DmaTask> implements DmaTask {

    private final DmaContextImpl dma;

    DmaTaskImpl(DmaContextImpl dma, Operation operation) {
        super(operation, dma);
        this.dma = dma;
    }

    @Override
    public DmaTask ranges(MapRange source, MapRange target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        change();
        setRanges(dma.pair(source, target));
        return this;
    }

    @Override
    public DmaTask source(Buf newSource) {
        Objects.requireNonNull(newSource, "newSource");
        checkOnBuffers();
        change().local(newSource);
        return this;
    }

    @Override
    public DmaTask target(Buf newTarget) {
        Objects.requireNonNull(newTarget, "newTarget");
        checkOnBuffers();
        change().remote(newTarget);
        return this;
    }

    private void checkOnBuffers() {
        if (isOnRanges()) {
            throw new IllegalStateException(this + ", copies ranges: set them by ranges(), or take a task of buffers");
        }
    }

    @Override
    public long bytes() {
        return hasSucceeded() ? result() : 0;
    }

    @Override
    protected String title() {
        return "Copy task";
    }
}
