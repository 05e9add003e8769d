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
import io.docajava.core.internal.engine.EngineCore;
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
 * Copies memory by the DMA engine of a device, {@code struct doca_dma}.
 *
 * <p>A copy reads the data of the source, all elements of a list one after the other, and writes it behind the data of
 * the target, whose data then has grown by as much. Neither may be touched meanwhile, but for copies that only read: a
 * buffer can be the source of many copies at a time, or the target of one. The device writes to one contiguous range. A copy
 * to a list of buffers is therefore made range by range, one after the other, and ends with the last one; should one fail,
 * none of the buffers counts as written. There are three ways to ask for a copy:
 * {@link #copy(Buf, Buf)} gives a future, {@link #copy(Buf, Buf, CopyHandler)} calls back and allocates nothing, and
 * {@link #task} is for tasks that are submitted again and again.
 *
 * <p>All of them check their arguments first. What the device would not do right, or punish by stopping the context, is
 * an exception: {@link IllegalArgumentException} for buffers that do not fit together or are more than the device takes
 * ({@link #capabilities()}), {@link IllegalStateException} for what is closed or in use. A
 * {@link DocaException} says that the context has stopped, no task is free, or the SDK refuses.
 *
 * <p>Many copies at a time are cheaper in a {@link #batch()}.
 *
 * <p>Completions may come in another order than that of submission, unless {@link Builder#orderedCompletions} asks for
 * that. Source and target may be buffers of any inventory made on the engine's thread, in memory that is registered with
 * this context's device.
 *
 * <p>Who polls the target, such as a process on the other side of the bus, may see copies in another order than that of
 * their submission, whatever the order of the completions, and most of all when two contexts make them. A flag that says
 * that data is complete is to be copied when the copy of the data has completed:
 *
 * {@snippet :
 * dma.copy(data, remoteData).thenCompose(bytes -> dma.copy(flag, remoteFlag));
 * }
 */
@SuppressWarnings("exports") // the base class has methods of Context only
public final class DmaContext extends ContextBase {

    private final ProgressEngine engine;
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
        this.engine = engine;
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
        inside(core);
        this.waiting = core.openLine();
    }

    /**
     * Whether a device has a DMA engine that copies ({@code doca_dma_cap_task_memcpy_is_supported}); false if the
     * device is there no more. Any thread may ask.
     */
    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return Handles.ask(device, DocaDma::doca_dma_cap_task_memcpy_is_supported)
                .filter(result -> result == DocaError.SUCCESS.code())
                .isPresent();
    }

    /** Configures a context on an open device. */
    public static Builder builder(Device device) {
        return new Builder(device);
    }

    /** Returns the limits of the device for copies. */
    public DmaCapabilities capabilities() {
        return capabilities;
    }

    /** How many tasks the context has: copies in flight and {@link DmaTask}s not closed, together. */
    public int maxTasks() {
        return copies.size();
    }

    /**
     * Starts a copy ({@code doca_task_submit}). On the engine of a {@link ProgressLoop} it waits, behind those that do
     * already, when all tasks are in use by others in flight. Its buffers are in use meanwhile, and what comes up when
     * its turn has come fails the future.
     *
     * @return completes with the number of bytes copied; with a {@link TaskFailedException}; with a {@link
     *     ContextNotRunningException}; with a {@link ResourceExhaustedException} if no task is free; or with another {@link
     *     DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the buffers cannot be copied so
     * @throws IllegalStateException if the context or a buffer is closed, another copy in flight uses the target or writes to the
     *     source, or the thread is the wrong one
     */
    public Completion<Long> copy(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        core.checkUsable();
        Completion<Long> completion = EngineAccess.completion(engine);
        return waiting.start(
                copies,
                null,
                source,
                target,
                null,
                completion,
                () -> copies.take().buffers(source, target).submit(OperationSink.future(), completion));
    }

    /** Returns the close timeout of this context. */
    long closeTimeoutNanos() {
        return core.closeTimeoutNanos();
    }

    /**
     * Starts a copy that calls back when it has ended, and allocates nothing.
     *
     * @throws IllegalArgumentException if the buffers cannot be copied so
     * @throws IllegalStateException if the context or a buffer is closed, another copy in flight uses the target or writes to the
     *     source, or the thread is the wrong one
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
     * Takes a task that can be submitted any number of times, and belongs to the caller until it is closed.
     *
     * @param source a buffer, or the first one of a list
     * @param target a buffer that is in no list
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if no task is free
     */
    public DmaTask task(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        core.checkUsable();
        return new DmaTask(core, copies.take().buffers(source, target));
    }

    /**
     * Prepares copies that are submitted together again and again: of the data of the first source behind the data of
     * the first target, and so on. This is the cheapest way to copy.
     *
     * @param sources buffers, or the first ones of lists; one may come several times
     * @param targets as many buffers, none of which is in a list
     * @throws IllegalArgumentException if there are none, not as many sources as targets, or two of them cannot be copied
     *     so
     * @throws IllegalStateException if the context or a buffer is closed, another copy uses a target or writes to a source, a
     *     target is given twice, or the thread is the wrong one
     * @throws ResourceExhaustedException if not as many tasks are free
     */
    public DmaSeries series(List<Buf> sources, List<Buf> targets) {
        Objects.requireNonNull(sources, "sources");
        Objects.requireNonNull(targets, "targets");
        core.checkUsable();
        DmaSeries.check(sources, targets);
        if (sources.size() > copies.available()) {
            throw new ResourceExhaustedException(core.description() + " has " + copies.available() + " free tasks of "
                    + copies.size() + ": a series of " + sources.size() + " copies needs as many");
        }
        return new DmaSeries(core, CopySeries.of(core, copies, sources, targets));
    }

    /** Opens a batch with a report for each copy: {@link #batch(Batch.Reports)}. */
    public Batch batch() {
        return core.openBatch(false);
    }

    /**
     * Opens a batch, which submits many copies with a single doorbell.
     *
     * @throws IllegalStateException if the context has an open batch
     * @throws ContextNotRunningException if the context is not running
     */
    public Batch batch(Batch.Reports reports) {
        return core.openBatch(Objects.requireNonNull(reports, "reports") == Batch.Reports.TOGETHER);
    }

    /** Configures a {@link DmaContext}. */
    @SuppressWarnings("exports") // the methods of the base class return this builder
    public static final class Builder extends ContextBuilderBase<Builder> {

        private int maxTasks = 64;
        private boolean orderedCompletions;

        private Builder(Device device) {
            super(device);
        }

        /**
         * Sets the largest number of copies in flight; 64 if not set.
         *
         * @param maxTasks from 1 to {@link DmaCapabilities#maxTasks()}
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder maxTasks(int maxTasks) {
            if (maxTasks < 1) {
                throw new IllegalArgumentException("A DMA context needs 1 task or more: " + maxTasks);
            }
            this.maxTasks = maxTasks;
            return this;
        }

        /**
         * Whether completions come in the order of submission ({@code doca_dma_set_ordered_completions}, of DOCA 3.2);
         * false if not set. The device may carry the copies out in any order still. A copy to a list of buffers completes with
         * its last range, which is submitted when the one before has completed.
         */
        public Builder orderedCompletions(boolean ordered) {
            this.orderedCompletions = ordered;
            return this;
        }

        /**
         * Creates the context and starts it ({@code doca_dma_create}, {@code doca_dma_task_memcpy_set_conf},
         * {@code doca_pe_connect_ctx}, {@code doca_ctx_start}).
         *
         * @param engine what is to drive it, called by its thread
         * @throws IllegalArgumentException if the device does not take as many tasks
         * @throws IllegalStateException if the device or the engine is closed, or if called by another thread
         * @throws DocaException if the device has no DMA engine, or the SDK cannot start the context
         * @throws DocaFunctionException if completions are to be ordered and the loaded SDK has no way to ask for that
         */
        public DmaContext start(ProgressEngine engine) {
            Objects.requireNonNull(engine, "engine");
            return start(engine, "a DMA context being created", () -> create(engine));
        }

        private DmaContext create(ProgressEngine engine) {
            Device device = device();
            EngineCore inside = EngineAccess.core(engine);
            DmaObject dma = new DmaObject(device);
            try {
                DmaCapabilities capabilities = dma.capabilities();
                if (maxTasks > capabilities.maxTasks()) {
                    throw new IllegalArgumentException(
                            "A DMA context on " + device.info().displayName() + " can have " + capabilities.maxTasks()
                                    + " tasks at most: " + maxTasks);
                }
                dma.configure(inside.taskSucceeded(), inside.taskFailed(), maxTasks);
                if (orderedCompletions) {
                    dma.orderCompletions();
                }
                return new DmaContext(device, engine, dma, capabilities, maxTasks, closeTimeout());
            } catch (Throwable failure) {
                dma.destroy();
                throw failure;
            }
        }
    }
}
