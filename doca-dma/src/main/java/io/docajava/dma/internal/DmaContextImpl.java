/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Handler;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.context.AbstractContext;
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
import io.docajava.dma.CopyEnd;
import io.docajava.dma.CopyProgress;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaContextBuilder;
import io.docajava.dma.DmaSeries;
import io.docajava.dma.DmaTask;
import io.docajava.ffi.argument.Elements;
import io.docajava.ffi.generated.dma.DocaDma;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link DmaContext}. */
public final class DmaContextImpl extends AbstractContext implements DmaContext {

    private final DmaCapabilities capabilities;
    private final OperationPool copies;
    private final CopyOperations type;
    private final CopyOperations.Ends ends = new CopyOperations.Ends();
    private final OperationSink futures = OperationSink.future();
    private final WaitingLine waiting;
    private final DividedCopies divided;
    /** The length of the longest copy with a future that is not one of {@link #divided}. */
    private final long wholeLength;

    private final EngineLoop.OperationStart<Long> queued = this::startQueued;

    DmaContextImpl(
            Device device,
            EngineImpl engine,
            DmaObject dma,
            DmaCapabilities capabilities,
            int maxTasks,
            boolean restarts,
            Duration closeTimeout) {
        CopyOperations copyType = new CopyOperations(dma, new CopyCheck(device, capabilities));
        OperationPool pool = new OperationPool(copyType, maxTasks);
        super("DMA context on " + device.info().displayName(), device, engine, dma, List.of(pool), closeTimeout);
        this.capabilities = capabilities;
        this.type = copyType;
        this.copies = pool;
        this.waiting = openLine();
        this.divided = new DividedCopies(this, copies, waiting, type, restarts);
        this.wholeLength = restarts ? 0 : type.maxLength();
    }

    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, DocaDma::doca_dma_cap_task_memcpy_is_supported)
                .filter(result -> result == DocaError.SUCCESS.code())
                .isPresent();
    }

    public static DmaContextBuilder builder(Device device) {
        return new DmaContextBuilderImpl(device);
    }

    @Override
    public DmaCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int maxTasks() {
        return copies.size();
    }

    @Override
    public Completion<Long> copy(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        checkUsable();
        Completion<Long> completion = new OperationCompletion<>(engine());
        waiting.start(
                copies,
                null,
                source,
                target,
                null,
                completion,
                () -> copies.take().buffers(source, target).submit(futures, completion));
        return completion;
    }

    @Override
    public Completion<Long> copy(MapRange source, MapRange target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        if (life().isRunningHere() && source.length() <= wholeLength && source.length() > 0 && waiting.isEmpty()) {
            checkRanges(source, target);
            Completion<Long> completion = new OperationCompletion<>(engine());
            if (!submitBound(source, target, completion)) {
                checkUsable();
                start(source, target, completion);
            }
            return completion;
        }
        EngineLoop loop = loopOrCheck();
        checkRanges(source, target);
        if (loop != null) {
            return loop.enqueue(waiting.room(), queued, source, target);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(source, target, completion);
        return completion;
    }

    private boolean submitBound(MapRange source, MapRange target, Completion<Long> completion) {
        MapState from = MmapImpl.state(source.map());
        MapState to = MmapImpl.state(target.map());
        return copies.submitBound(
                from,
                from.base() + source.offset(),
                to,
                to.base() + target.offset(),
                source.length(),
                0,
                futures,
                completion);
    }

    @Override
    public Completion<Long> copy(MapRange source, MapRange target, CopyProgress progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(progress, "progress");
        EngineLoop loop = loopOrCheck();
        checkRanges(source, target);
        if (loop != null) {
            return loop.enqueue(
                    waiting.room(),
                    (from, to, completion) -> {
                        checkOpen();
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
        checkOpen();
        start((MapRange) source, (MapRange) target, completion);
    }

    private void start(MapRange source, MapRange target, Completion<Long> completion) {
        if (source.length() > wholeLength) {
            startDivided(source, target, null, completion);
            return;
        }
        try {
            if (waiting.hasToWait(copies) && life().isRunning()) {
                waiting.park(new ParkedOperation(
                        copies,
                        MmapImpl.state(source.map()),
                        MmapImpl.state(target.map()),
                        completion,
                        () -> copyNow(source, target, completion)));
            } else {
                checkState();
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
                checkState();
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
            submit(from, source.offset(), to, target.offset(), source.length(), 0, futures, completion);
        }
    }

    @Override
    public void copy(MapRange source, MapRange target, Handler<? super CopyEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        checkLengths(source, target);
        copy(source.map(), source.offset(), target.map(), target.offset(), source.length(), 0, handler);
    }

    @Override
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
        if (!life().isRunningHere()) {
            checkRunning();
        }
        MapState from = MmapImpl.state(source);
        MapState to = MmapImpl.state(target);
        type.checkRanges(from, sourceOffset, to, targetOffset, length);
        type.checkLength(length);
        if (length > 0
                && copies.submitBound(
                        from, from.base() + sourceOffset, to, to.base() + targetOffset, length, tag, ends, handler)) {
            return;
        }
        checkRunning();
        if (length == 0) {
            type.checkMaps(from, to);
            engine().delivery().later(() -> ends.passEmpty(from, sourceOffset, to, targetOffset, tag, handler));
        } else {
            submit(from, sourceOffset, to, targetOffset, length, tag, ends, handler);
        }
    }

    @Override
    public void flush() {
        checkUsable();
        flushTasks();
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

    @Override
    public void copy(Buf source, Buf target, Handler<? super CopyEnd> handler) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(handler, "handler");
        checkRunning();
        copies.take().buffers(source, target).tagged(0).submit(ends, handler);
    }

    @Override
    public DmaTask task(Buf source, Buf target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        checkUsable();
        return new DmaTaskImpl(this, copies.take().buffers(source, target));
    }

    @Override
    public DmaTask task(MapRange source, MapRange target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        checkUsable();
        RangePair pair = pair(source, target);
        DmaTaskImpl task = new DmaTaskImpl(this, copies.take());
        task.setRanges(pair);
        return task;
    }

    @Override
    public DmaSeries series(List<MapRange> sources, List<MapRange> targets) {
        // Another thread may change the lists of the caller.
        List<MapRange> from = Elements.copy(sources, "sources");
        List<MapRange> to = Elements.copy(targets, "targets");
        checkUsable();
        List<RangePair> pairs = pairs(from, to);
        if (pairs.size() > copies.available()) {
            throw new ResourceExhaustedException(description() + " has " + copies.available() + " free tasks of "
                    + copies.size() + ": a series of " + pairs.size() + " copies needs as many");
        }
        return new DmaSeriesImpl(this, copies, pairs);
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
}
