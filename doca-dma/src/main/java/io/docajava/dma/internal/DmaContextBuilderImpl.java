/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.device.Device;
import io.docajava.core.internal.context.AbstractContextBuilder;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaContextBuilder;
import java.util.Objects;

/** The implementation of {@link DmaContextBuilder}. */
public final class DmaContextBuilderImpl extends AbstractContextBuilder<DmaContextBuilder>
        implements DmaContextBuilder {

    private static final int DEFAULT_TASKS = 64;

    /** 0 for the default. */
    private int maxTasks;

    private boolean orderedCompletions;
    private boolean restarts;

    private boolean optimizeReports;

    DmaContextBuilderImpl(Device device) {
        super(device);
    }

    @Override
    public DmaContextBuilder maxTasks(int maxTasks) {
        if (maxTasks < 1) {
            throw new IllegalArgumentException("A DMA context needs 1 task or more: " + maxTasks);
        }
        this.maxTasks = maxTasks;
        return this;
    }

    @Override
    public DmaContextBuilder orderedCompletions(boolean ordered) {
        this.orderedCompletions = ordered;
        return this;
    }

    @Override
    public DmaContextBuilder restartAfterFailure(boolean restart) {
        this.restarts = restart;
        return this;
    }

    @Override
    public DmaContextBuilder optimizeReports(boolean optimized) {
        this.optimizeReports = optimized;
        return this;
    }

    @Override
    public DmaContext start(ProgressEngine engine) {
        Objects.requireNonNull(engine, "engine");
        return start(engine, "a DMA context being created", () -> create(engine));
    }

    @Override
    public DmaContext start(ProgressLoop loop) {
        Objects.requireNonNull(loop, "loop");
        return startOn(loop, this::start);
    }

    private DmaContextImpl create(ProgressEngine engine) {
        Device device = device();
        DmaObject dma = new DmaObject(device);
        try {
            DmaCapabilities capabilities = dma.capabilities();
            if (maxTasks > capabilities.maxTasks()) {
                throw new IllegalArgumentException(
                        "A DMA context on " + device.info().displayName() + " can have " + capabilities.maxTasks()
                                + " tasks at most: " + maxTasks);
            }
            int tasks = maxTasks == 0 ? Math.min(DEFAULT_TASKS, capabilities.maxTasks()) : maxTasks;
            dma.configure(EngineImpl.of(engine), tasks);
            if (orderedCompletions) {
                dma.orderCompletions();
            }
            DmaContextImpl created = new DmaContextImpl(
                    device, EngineImpl.of(engine), dma, capabilities, tasks, restarts, closeTimeout());
            if (optimizeReports) {
                created.queue().optimizeReports();
            }
            return created;
        } catch (Throwable failure) {
            dma.discard();
            throw failure;
        }
    }
}
