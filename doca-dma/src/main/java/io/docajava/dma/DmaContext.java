/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.context.ContextBase;
import io.docajava.core.internal.context.ContextBuilderBase;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.ParkedOperation;
import io.docajava.core.internal.operation.RangePair;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.generated.dma.DocaDma;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A context that copies memory with the DMA engine of a device ({@code struct doca_dma}).
 *
 * <p>A copy reads the data of the source, or of all buffers of a list in their order, and appends it to the data of the destination,
 * which is called {@code target} here. Until the copy has ended, the program must not change the source, nor read or change the
 * target. A buffer can be the source of many copies at the same time, or the target of one.
 *
 * <p>A copy of one {@link MapRange} to another has no buffers. With a future it has any length: {@link #copy(MapRange, MapRange)}
 * divides it. On a {@link ProgressLoop}, any thread may request it.
 *
 * <p>The device writes to one contiguous range. A copy to a list of buffers is therefore made range by range and completes with
 * the last range. If one range fails, none of the buffers counts as written.
 *
 * <p>A copy has one of four forms. {@link #copy(Buf, Buf)} returns a future. {@link #copy(Buf, Buf, Handler)} calls a
 * handler. {@link #task} returns a {@link DmaTask}, which can be submitted many times. A {@link #series} submits the same group of
 * copies many times, at the lowest cost. Copies are submitted together with the next progress, or by {@link #flush()}.
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
    private final CopyOperations type;
    private final CopyOperations.Ends ends = new CopyOperations.Ends();
    private final ContextCore core;
    private final WaitingLine waiting;
    private final DividedCopies divided;
    /** The length of the longest copy with a future that is not one of {@link #divided}. */
    private final long wholeLength;

    private final EngineLoop.OperationStart<Long> queued = this::startQueued;

    private DmaContext(
            Device device,
            ProgressEngine engine,
            DmaObject dma,
            DmaCapabilities capabilities,
            int maxTasks,
            boolean restarts,
            Duration closeTimeout) {
        super(device, engine);
        this.capabilities = capabilities;
        this.type = new CopyOperations(dma, new CopyCheck(device, capabilities));
        this.copies = new OperationPool(type, maxTasks);
        this.core = new ContextCore(
                this,
                "DMA context on " + device.info().displayName(),
                device,
                EngineImpl.of(engine),
                dma,
                List.of(copies),
                closeTimeout);
        setCore(core);
        this.waiting = core.openLine();
        this.divided = new DividedCopies(core, copies, waiting, type, restarts);
        this.wholeLength = restarts ? 0 : type.maxLength();
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
        return DeviceImpl.ask(device, DocaDma::doca_dma_cap_task_memcpy_is_supported)
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
        Completion<Long> completion = new OperationCompletion<>(engine());
        waiting.start(
                copies,
                null,
                source,
                target,
                null,
                completion,
                () -> copies.take().buffers(source, target).submit(OperationSink.future(), completion));
        return completion;
    }

    /**
     * Submits a copy of one range to another with the next progress, and returns a future ({@code doca_task_submit}). If the context
     * is on a loop, any thread may call, and the copy waits while other copies in flight use all tasks. What is wrong with the ranges
     * is thrown; what is wrong when the loop starts the copy fails the future.
     *
     * <p>A copy of more than {@link DmaCapabilities#maxBufferSize()} bytes divides itself into pieces of that length. The pieces of
     * all such copies use at most half of the tasks, take turns, and wait for a free task. The future completes when no piece is in
     * flight any more. If a piece fails, no further one is submitted, any bytes of the target may have been written, and the
     * {@link TaskFailedException} names the offset of the piece. If the future is cancelled, pieces in flight are carried out, and no
     * further ones are submitted; the maps can be closed when those in flight have ended.
     *
     * @param source the range to read
     * @param target a range of the same length to write to, which does not overlap with the source
     * @return a future of the number of bytes copied; it fails as that of {@link #copy(Buf, Buf)}
     * @throws IllegalArgumentException if the lengths differ, the ranges overlap, or the device cannot read the source or write to the
     *     target
     * @throws IllegalStateException if the context or a map is closed, or another thread than the engine's calls and the context is not
     *     on a loop
     * @throws RejectedExecutionException if the context is on a loop that does not accept the copy; see {@link ProgressLoop#call}
     */
    public Completion<Long> copy(MapRange source, MapRange target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        EngineLoop loop = core.loopOrCheck();
        checkRanges(source, target);
        if (loop != null) {
            return loop.enqueue(queued, source, target);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(source, target, completion);
        return completion;
    }

    /**
     * Does the same as {@link #copy(MapRange, MapRange)}, and reports how many bytes were copied.
     *
     * @param source the range to read
     * @param target a range of the same length to write to, which does not overlap with the source
     * @param progress called by the engine's thread after each piece that was copied, and once for a copy that is not divided; not for
     *     a copy of 0 bytes
     * @return a future as that of {@link #copy(MapRange, MapRange)}
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange)}
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws RejectedExecutionException as {@link #copy(MapRange, MapRange)}
     */
    public Completion<Long> copy(MapRange source, MapRange target, CopyProgress progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(progress, "progress");
        EngineLoop loop = core.loopOrCheck();
        checkRanges(source, target);
        if (loop != null) {
            return loop.enqueue(
                    (from, to, completion) -> {
                        core.checkOpen();
                        startDivided((MapRange) from, (MapRange) to, progress, completion);
                    },
                    source,
                    target);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        startDivided(source, target, progress, completion);
        return completion;
    }

    private void checkRanges(MapRange source, MapRange target) {
        checkLengths(source, target);
        type.checkRanges(
                MmapImpl.state(source.map()),
                source.offset(),
                MmapImpl.state(target.map()),
                target.offset(),
                source.length());
    }

    /** Starts a copy that another thread has queued. */
    private void startQueued(Object source, Object target, Completion<Long> completion) {
        core.checkOpen();
        start((MapRange) source, (MapRange) target, completion);
    }

    private void start(MapRange source, MapRange target, Completion<Long> completion) {
        if (source.length() > wholeLength) {
            startDivided(source, target, null, completion);
            return;
        }
        try {
            if (waiting.hasToWait(copies) && core.life().isRunning()) {
                waiting.park(new ParkedOperation(
                        copies,
                        MmapImpl.state(source.map()),
                        MmapImpl.state(target.map()),
                        completion,
                        () -> copyNow(source, target, completion)));
            } else {
                core.checkState();
                copyNow(source, target, completion);
            }
        } catch (DocaException failure) {
            completion.completeExceptionally(failure);
        }
    }

    private void startDivided(
            MapRange source, MapRange target, @Nullable CopyProgress progress, Completion<Long> completion) {
        try {
            if (source.length() == 0) {
                core.checkState();
                copyNow(source, target, completion);
            } else {
                divided.begin(source, target, progress, completion);
            }
        } catch (DocaException failure) {
            completion.completeExceptionally(failure);
        }
    }

    private void copyNow(MapRange source, MapRange target, Completion<Long> completion) {
        MapState from = MmapImpl.state(source.map());
        MapState to = MmapImpl.state(target.map());
        // The copy may have waited since the ranges were checked.
        from.checkAlive();
        to.checkAlive();
        if (source.length() == 0) {
            type.checkMaps(from, to);
            completion.complete(0L);
        } else {
            submit(from, source.offset(), to, target.offset(), source.length(), 0, OperationSink.future(), completion);
        }
    }

    /**
     * Submits a copy of one range to another with the next progress. This allocates nothing. It is one task, and does not divide
     * itself as {@link #copy(MapRange, MapRange)} does.
     *
     * @param source the range to read, of at most {@link DmaCapabilities#maxBufferSize()} bytes
     * @param target a range of the same length to write to, which does not overlap with the source
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange)}, and if the ranges exceed the limit of the device
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void copy(MapRange source, MapRange target, Handler<? super CopyEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        checkLengths(source, target);
        copy(source.map(), source.offset(), target.map(), target.offset(), source.length(), 0, handler);
    }

    /**
     * Does the same as {@link #copy(MapRange, MapRange, Handler)}, with plain numbers and a tag.
     *
     * @param source the map to read
     * @param sourceOffset the offset of the first byte in that map
     * @param target the map to write to
     * @param targetOffset the offset of the first byte in that map
     * @param length the number of bytes to copy
     * @param tag a number for the handler ({@link CopyEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if a range is not inside its map
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange, Handler)}
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    public void copy(
            Mmap source,
            long sourceOffset,
            Mmap target,
            long targetOffset,
            long length,
            long tag,
            Handler<? super CopyEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        MapState from = MmapImpl.state(source);
        MapState to = MmapImpl.state(target);
        type.checkRanges(from, sourceOffset, to, targetOffset, length);
        type.checkLength(length);
        if (length == 0) {
            type.checkMaps(from, to);
            core.engine().delivery().later(() -> ends.passEmpty(from, sourceOffset, to, targetOffset, tag, handler));
        } else {
            submit(from, sourceOffset, to, targetOffset, length, tag, ends, handler);
        }
    }

    /**
     * Submits all operations that wait for the next progress ({@code doca_task_submit_ex}, {@code doca_ctx_flush_tasks}). Progress and
     * waits of the engine do so by themselves; call it before the thread blocks elsewhere.
     *
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     */
    public void flush() {
        core.checkUsable();
        core.flush();
    }

    private static void checkLengths(MapRange source, MapRange target) {
        if (source.length() != target.length()) {
            throw new IllegalArgumentException("A copy of " + source.length() + " bytes "
                    + (source.length() > target.length() ? "does not fit into" : "cannot fill") + " a target of "
                    + target.length() + " bytes");
        }
    }

    private void submit(
            MapState source,
            long sourceOffset,
            MapState target,
            long targetOffset,
            long length,
            long tag,
            OperationSink sink,
            Object receiver) {
        Operation operation = copies.poll(source, target);
        if (operation == null) {
            throw copies.noFreeTask();
        }
        operation
                .tagged(tag)
                .submit(
                        source,
                        source.base() + sourceOffset,
                        target,
                        target.base() + targetOffset,
                        length,
                        sink,
                        receiver);
    }

    /**
     * Submits a copy that calls a handler when it has ended. This allocates nothing, unless the target is a list. On the
     * engine of a loop it does not wait for a free task. The task and the buffers are free when the handler is called, so that it may
     * use them for the next copy.
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
    public void copy(Buf source, Buf target, Handler<? super CopyEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        core.checkRunning();
        copies.take().buffers(source, target).tagged(0).submit(ends, handler);
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
        return new DmaTask(this, core, copies.take().buffers(source, target));
    }

    /**
     * Prepares a task that copies ranges, and can be submitted any number of times or run by a graph.
     *
     * @param source the range to read, of 1 byte or more
     * @param target a range of the same length, which does not overlap with the source
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks()}
     * @throws IllegalArgumentException as {@link DmaTask#ranges}
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     * @throws ResourceExhaustedException if no task is free
     */
    public DmaTask task(MapRange source, MapRange target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        core.checkUsable();
        RangePair pair = pair(source, target);
        DmaTask task = new DmaTask(this, core, copies.take());
        task.ranges(pair);
        return task;
    }

    /**
     * Prepares copies that are submitted together many times: of the first source to the first target, and so on. This is the cheapest
     * way to copy.
     *
     * @param sources ranges of 1 byte or more
     * @param targets as many ranges, of the same lengths, which do not overlap with their sources
     * @return the series, which belongs to the caller until it is closed, and uses one of {@link #maxTasks()} for each
     *     copy
     * @throws IllegalArgumentException if the lists are empty or of different sizes, the lengths of a source and its target differ, they
     *     overlap or exceed a limit of the device, or the device cannot read the source or write to the target
     * @throws IllegalStateException if the context is closed, or another thread than the engine's calls
     * @throws ResourceExhaustedException if fewer tasks are free than there are copies
     */
    public DmaSeries series(List<MapRange> sources, List<MapRange> targets) {
        Objects.requireNonNull(sources, "sources");
        Objects.requireNonNull(targets, "targets");
        core.checkUsable();
        // Another thread may change the lists of the caller.
        List<RangePair> pairs = pairs(List.copyOf(sources), List.copyOf(targets));
        if (pairs.size() > copies.available()) {
            throw new ResourceExhaustedException(core.description() + " has " + copies.available() + " free tasks of "
                    + copies.size() + ": a series of " + pairs.size() + " copies needs as many");
        }
        return new DmaSeries(core, copies, pairs);
    }

    private List<RangePair> pairs(List<MapRange> sources, List<MapRange> targets) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("A series has at least 1 copy");
        }
        if (sources.size() != targets.size()) {
            throw new IllegalArgumentException("A series has as many targets as sources, and not " + sources.size()
                    + " sources and " + targets.size() + " targets");
        }
        return IntStream.range(0, sources.size())
                .mapToObj(number -> pair(sources.get(number), targets.get(number)))
                .toList();
    }

    /** Checks a copy that is prepared, and returns its operands. */
    RangePair pair(MapRange source, MapRange target) {
        checkLengths(source, target);
        if (source.length() == 0) {
            throw new IllegalArgumentException("A prepared copy has at least 1 byte");
        }
        MapState from = MmapImpl.state(source.map());
        MapState to = MmapImpl.state(target.map());
        type.checkRanges(from, source.offset(), to, target.offset(), source.length());
        type.checkLength(source.length());
        type.checkMaps(from, to);
        return new RangePair(from, from.base() + source.offset(), to, to.base() + target.offset(), source.length());
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
        private boolean restarts;

        private boolean optimizeReports;

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
         * Sets whether the context restarts itself after a failure has stopped it, and repeats the copies of ranges with a future that
         * the failure of another copy has aborted. Copies that are requested between the failure and the restart wait for it. Other
         * forms of copies fail as usual. If the context cannot be restarted, the waiting copies fail with the reason, which the error
         * handler of the engine gets too. A context that was stopped by {@link DmaContext#stop()} is not restarted.
         *
         * <p>The copies with a future then take turns for the tasks, with an object more for each.
         *
         * @param restart by default false: a failure aborts all copies in flight, and {@link DmaContext#restart()} starts the context
         *     again
         * @return this builder
         */
        public Builder restartAfterFailure(boolean restart) {
            this.restarts = restart;
            return this;
        }

        /**
         * Sets whether the device may report some copies only together with a later one ({@code
         * DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS}, since DOCA 3.0). This is less work for the device, but delays the first reports of
         * those that leave together. If one fails, the earlier ones that were not reported yet fail as well, although they were
         * executed, and the SDK does not tell which one is the cause. The first of these failures counts as the root cause, and its
         * message says that a later one may be. DOCA 3.0 reports copies of lists one by one.
         *
         * @param optimized false, which is the default, for a report of each by itself
         * @return this builder
         */
        public Builder optimizeReports(boolean optimized) {
            this.optimizeReports = optimized;
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

        /**
         * Creates the context and starts it on a loop. Any thread may call, except for that of another loop. Any thread may then copy
         * ranges with a future, and stop, restart and close the context.
         *
         * @param loop that progresses the context, and closes it at the end unless it is closed before
         * @return the running context
         * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
         * @throws IllegalStateException if the device is closed, or the thread of another loop calls
         * @throws RejectedExecutionException if the loop is closed or has failed
         * @throws DocaException as {@link #start(ProgressEngine)}
         * @throws DocaFunctionException as {@link #start(ProgressEngine)}
         */
        public DmaContext start(ProgressLoop loop) {
            Objects.requireNonNull(loop, "loop");
            return startOn(loop, this::start);
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
                dma.configure(EngineImpl.of(engine), tasks);
                if (orderedCompletions) {
                    dma.orderCompletions();
                }
                DmaContext created = new DmaContext(device, engine, dma, capabilities, tasks, restarts, closeTimeout());
                if (optimizeReports) {
                    created.core.queue().optimizeReports();
                }
                return created;
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
