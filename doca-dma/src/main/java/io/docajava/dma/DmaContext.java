/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Batch;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextBuilderBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.engine.EngineAccess;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.generated.dma.DocaDma;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A context that copies memory with the DMA engine of a device ({@code struct doca_dma}).
 *
 * <p>A copy reads the data of the source, or of all buffers of a list in their order, and appends it to the data of the destination,
 * which is called {@code target} here. Until the copy has ended, the program must not change the source, nor read or change the
 * target. A buffer can be the source of many copies at the same time, or the target of one.
 *
 * <p>The device writes to one contiguous range. A copy to a list of buffers is therefore made range by range and completes with
 * the last range. If one range fails, none of the buffers counts as written.
 *
 * <p>A copy has one of four forms. {@link #copy(Buf, Buf)} returns a future. {@link #copy(Buf, Buf, CopyHandler)} calls a
 * handler. {@link #task} returns a {@link DmaTask}, which can be submitted many times. A {@link #series} submits the same group of
 * copies many times, at the lowest cost. A {@link #batch()} reduces the cost of many copies in the first three forms.
 *
 * <p>All forms check their arguments first, because the device may execute an invalid copy wrongly, or stop the context. They
 * throw an {@link IllegalArgumentException} if the buffers do not fit together or exceed the {@link #capabilities()} of the
 * device, and an {@link IllegalStateException} if a buffer is closed or in use. A {@link DocaException} means that the context
 * has stopped, no task is free, or the SDK refuses. It completes the future; the forms without a future throw it.
 *
 * <p>Copies may complete in a different order than they were submitted; see {@link Builder#orderedCompletions}. The buffers may
 * belong to any inventory that was created on the engine's thread. Their memory must be registered with this context's device.
 *
 * <p>A program that polls the target, such as one on the other side of the PCI bus, may see the bytes of several copies arrive in
 * a different order than the copies were submitted or completed. This is most likely with copies of two contexts. Copy a flag
 * that marks data as complete only when the copy of the data has completed:
 *
 * {@snippet :
 * dma.copy(data, remoteData).thenCompose(bytes -> dma.copy(flag, remoteFlag));
 * }
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class DmaContext extends ContextBase {

    private final DmaCapabilities capabilities;
    private final OperationPool copies;
    private final ContextCore core;
    private final WaitingLine waiting;

    private DmaContext(
            Device device,
            ProgressEngine engine,
            DmaObject dma,
            DmaCapabilities capabilities,
            int maxTasks,
            Duration closeTimeout) {
        super(device, engine);
        this.capabilities = capabilities;
        this.copies = new OperationPool(new CopyOperations(dma, new CopyCheck(device, capabilities)), maxTasks);
        this.core = new ContextCore(
                this,
                "DMA context on " + device.info().displayName(),
                device,
                EngineAccess.core(engine),
                dma,
                List.of(copies),
                closeTimeout);
        setCore(core);
        this.waiting = core.openLine();
    }

    /**
     * Returns whether a device has a DMA engine that copies ({@code doca_dma_cap_task_memcpy_is_supported}). Any thread
     * may call.
     *
     * @param device a listed device, which need not be open
     * @return whether a context can be started on the device; false if the device has been removed
     */
    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return Handles.ask(device, DocaDma::doca_dma_cap_task_memcpy_is_supported)
                .filter(result -> result == DocaError.SUCCESS.code())
                .isPresent();
    }

    /**
     * Begins to configure a context.
     *
     * @param device an open device, which cannot be closed before the context
     * @return a builder with the defaults: 64 tasks, and completions in any order
     */
    public static Builder builder(Device device) {
        return new Builder(device);
    }

    /** {@return the limits of the device for copies, read when this context was created} Any thread may call. */
    public DmaCapabilities capabilities() {
        return capabilities;
    }

    /**
     * {@return the number of tasks that copies in flight, open {@link DmaTask}s and open {@link DmaSeries} can use
     * together} Any thread may call.
     */
    public int maxTasks() {
        return copies.size();
    }

    /**
     * Submits a copy and returns a future ({@code doca_task_submit}). On the engine of a {@link ProgressLoop}, the copy
     * waits while other copies in flight use all tasks. Waiting copies are submitted in order. Their buffers are in use
     * meanwhile. Errors found when a copy is finally submitted fail its future.
     *
     * @param source a buffer with data, or the first one of a list
     * @param target a buffer with room behind its data for all data of {@code source}, or the first one of a list
     * @return a future of the number of bytes copied. It fails with a {@link TaskFailedException} if the task fails, a
     *     {@link ContextNotRunningException} if the context is not running, a {@link ResourceExhaustedException} if no
     *     task is free, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device
     * @throws IllegalStateException if the context or a buffer is closed, another copy in flight uses the target or
     *     writes to the source, or another thread than the engine's calls
     */
    public Completion<Long> copy(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        core.checkUsable();
        Completion<Long> completion = EngineAccess.completion(engine());
        return waiting.start(
                copies,
                null,
                source,
                target,
                null,
                completion,
                () -> copies.take().buffers(source, target).submit(OperationSink.future(), completion));
    }

    long closeTimeoutNanos() {
        return core.closeTimeoutNanos();
    }

    /**
     * Submits a copy that calls a handler when it has ended. This allocates nothing, unless the target is a list. On the
     * engine of a loop it does not wait for a free task.
     *
     * @param source a buffer with data, or the first one of a list
     * @param target a buffer with room behind its data for all data of {@code source}, or the first one of a list
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device
     * @throws IllegalStateException as {@link #copy(Buf, Buf)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void copy(Buf source, Buf target, CopyHandler handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        copies.take().buffers(source, target).submit(CopyOperations.Handlers.INSTANCE, handler);
    }

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph. The buffers are checked when it is
     * submitted.
     *
     * @param source a buffer, or the first one of a list
     * @param target a buffer that is in no list
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks()}
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public DmaTask task(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        core.checkUsable();
        return new DmaTask(core, copies.take().buffers(source, target));
    }

    /**
     * Prepares copies that are submitted together many times. The first copy appends the data of the first source to
     * the data of the first target, and so on. This is the cheapest way to copy.
     *
     * @param sources buffers, or the first ones of lists; a buffer may occur several times
     * @param targets as many buffers; none may be in a list or occur twice
     * @return the series, which belongs to the caller until it is closed, and uses one of {@link #maxTasks()} for each
     *     copy
     * @throws IllegalArgumentException if the lists are empty or of different sizes, a source and its target do not fit
     *     together, or they exceed a limit of the device
     * @throws IllegalStateException if the context or a buffer is closed, another copy uses a target or writes to a
     *     source, a target occurs twice, or another thread than the engine's calls
     * @throws ResourceExhaustedException if fewer tasks are free than there are copies
     */
    public DmaSeries series(List<Buf> sources, List<Buf> targets) {
        Objects.requireNonNull(sources, "sources");
        Objects.requireNonNull(targets, "targets");
        core.checkUsable();
        // Another thread may change the lists of the caller.
        List<Buf> from = List.copyOf(sources);
        List<Buf> to = List.copyOf(targets);
        DmaSeries.check(from, to);
        if (from.size() > copies.available()) {
            throw new ResourceExhaustedException(core.description() + " has " + copies.available() + " free tasks of "
                    + copies.size() + ": a series of " + from.size() + " copies needs as many");
        }
        return DmaSeries.of(core, copies, from, to);
    }

    /**
     * Opens a batch whose copies are reported individually; see {@link #batch(Batch.Reports)}.
     *
     * @return the batch, to be closed by the engine's thread to submit its copies
     * @throws IllegalStateException as {@link #batch(Batch.Reports)}
     * @throws ContextNotRunningException if the context is not running
     */
    public Batch batch() {
        return core.openBatch(false);
    }

    /**
     * Opens a batch, which submits many copies with a single doorbell.
     *
     * @param reports whether the device may report some copies only together with a later one
     * @return the batch, to be closed by the engine's thread to submit its copies
     * @throws IllegalStateException if the context has an open batch or is closed, or another thread than the engine's
     *     calls
     * @throws ContextNotRunningException if the context is not running
     */
    public Batch batch(Batch.Reports reports) {
        return core.openBatch(Objects.requireNonNull(reports, "reports") == Batch.Reports.TOGETHER);
    }

    /** {@return the kind of the context and the name of the device} Any thread may call. */
    @Override
    public String toString() {
        return description();
    }

    /** Configures a {@link DmaContext} and starts it. A builder is used by one thread at a time. */
    @SuppressWarnings("exports") // the methods of the base class return this builder
    public static final class Builder extends ContextBuilderBase<Builder> {

        private static final int DEFAULT_TASKS = 64;

        /** 0 for the default. */
        private int maxTasks;

        private boolean orderedCompletions;

        private Builder(Device device) {
            super(device);
        }

        /**
         * Sets the number of tasks of the context, which limits the number of copies in flight. The default is 64, or {@link
         * DmaCapabilities#maxTasks()} if that is less.
         *
         * @param maxTasks 1 to {@link DmaCapabilities#maxTasks()}; a larger number fails the start of the context
         * @return this builder
         * @throws IllegalArgumentException if {@code maxTasks} is less than 1
         */
        public Builder maxTasks(int maxTasks) {
            if (maxTasks < 1) {
                throw new IllegalArgumentException("A DMA context needs 1 task or more: " + maxTasks);
            }
            this.maxTasks = maxTasks;
            return this;
        }

        /**
         * Sets whether copies complete in the order of their submission ({@code doca_dma_set_ordered_completions},
         * since DOCA 3.2). The device may still execute them in any order. A copy to a list of buffers completes with
         * its last range, which is submitted when the range before it has completed.
         *
         * @param ordered false, which is the default, for completions in any order
         * @return this builder
         */
        public Builder orderedCompletions(boolean ordered) {
            this.orderedCompletions = ordered;
            return this;
        }

        /**
         * Creates the context and starts it ({@code doca_dma_create}, {@code doca_dma_task_memcpy_set_conf}, {@code
         * doca_pe_connect_ctx}, {@code doca_ctx_start}).
         *
         * @param engine that progresses the context, and whose thread calls
         * @return the running context, to be closed by the engine's thread
         * @throws IllegalArgumentException if {@link #maxTasks} exceeds the limit of the device
         * @throws IllegalStateException if the device or the engine is closed, or another thread than the engine's
         *     calls
         * @throws DocaException if the device has no DMA engine, or the SDK cannot start the context
         * @throws DocaFunctionException if completions are to be ordered and the loaded SDK cannot order them
         */
        public DmaContext start(ProgressEngine engine) {
            Objects.requireNonNull(engine, "engine");
            return start(engine, "a DMA context being created", () -> create(engine));
        }

        private DmaContext create(ProgressEngine engine) {
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
                dma.configure(EngineAccess.core(engine), tasks);
                if (orderedCompletions) {
                    dma.orderCompletions();
                }
                return new DmaContext(device, engine, dma, capabilities, tasks, closeTimeout());
            } catch (Throwable failure) {
                dma.discard();
                throw failure;
            }
        }

        /** Returns the type of this builder and the name of the device. */
        @Override
        public String toString() {
            return description();
        }
    }
}
