/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.CopyHandler;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time from submitting one copy to learning of its end, one copy at a time, and beside it what the processor takes to
 * copy as much by itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            "--illegal-native-access=deny",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class DmaCopyBenchmark {

    /** Bytes per copy. */
    @Param({"64", "4096", "65536"})
    public int size;

    private Device device;
    private ProgressEngine engine;
    private DmaContext dma;
    private Mmap sourceMemory;
    private Mmap targetMemory;
    private BufInventory buffers;
    private Buf source;
    private Buf target;
    private DmaTask task;
    private final Handler handler = new Handler();

    /** Opens the first device that copies. */
    @Setup
    public void open() {
        device = Device.open(DmaContext::isSupported);
        engine = ProgressEngine.create();
        dma = DmaContext.builder(device).maxTasks(2).start(engine);
        sourceMemory = Mmap.allocate(device, size, Access.LOCAL_READ_ONLY);
        targetMemory = Mmap.allocate(device, size, Access.LOCAL_READ_WRITE);
        buffers = BufInventory.create(2);
        source = buffers.data(sourceMemory, 0, size);
        target = buffers.space(targetMemory, 0, size);
        task = dma.task(source, target);
    }

    @TearDown
    public void close() {
        task.close();
        buffers.close();
        targetMemory.close();
        sourceMemory.close();
        dma.close();
        engine.close();
        device.close();
    }

    /** The same copy by the processor. */
    @Benchmark
    public MemorySegment memorySegmentCopy() {
        return targetMemory.segment().copyFrom(sourceMemory.segment());
    }

    /** A task that is prepared once and submitted again and again. */
    @Benchmark
    public long dmaTask() {
        target.clear();
        task.submit();
        while (!task.isDone()) {
            engine.progress();
        }
        if (task.failure().isPresent()) {
            throw task.failure().get();
        }
        return task.bytes();
    }

    /** A copy with a callback. */
    @Benchmark
    public long dmaCallback() {
        target.clear();
        handler.isDone = false;
        dma.copy(source, target, handler);
        while (!handler.isDone) {
            engine.progress();
        }
        if (handler.failure != null) {
            throw handler.failure;
        }
        return handler.bytes;
    }

    /** A copy with a future. */
    @Benchmark
    public long dmaFuture() throws InterruptedException {
        target.clear();
        return dma.copy(source, target).await(engine);
    }

    private static final class Handler implements CopyHandler {

        private boolean isDone;
        private long bytes;
        private @Nullable TaskFailedException failure;

        @Override
        public void copied(Buf from, Buf to, long copied) {
            bytes = copied;
            isDone = true;
        }

        @Override
        public void failed(Buf from, Buf to, TaskFailedException reason) {
            failure = reason;
            isDone = true;
        }
    }
}
