/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.CopyEnd;
import io.docajava.dma.DmaContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Measures DMA copies within this process: a number of threads, each with copies in flight whose handlers submit the next ones. */
final class CopyMeasurement {

    private static final int MAX_SAMPLES = 1 << 20;

    private final Device device;
    private final Duration duration;

    CopyMeasurement(Device device, Duration duration) {
        this.device = device;
        this.duration = duration;
    }

    Figure run(String mode, int size, int threads, int depth) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(threads);
        List<Window> windows = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Window>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(() -> measure(size, depth, ready)));
            }
            for (Future<Window> one : running) {
                windows.add(one.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("copies of " + size + " bytes failed: " + e.getCause(), e);
        }
        long operations = windows.stream().mapToLong(window -> window.completed).sum();
        double seconds =
                windows.stream().mapToLong(window -> window.nanos).max().orElseThrow() / 1e9;
        long[] times = windows.stream().flatMapToLong(Window::times).toArray();
        return new Figure(mode, "dma copy", size, threads, depth, operations, seconds, Figure.Latency.of(times));
    }

    private Window measure(int size, int depth, CountDownLatch ready) throws InterruptedException {
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, 2L * size * depth, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device).maxTasks(depth).start(engine)) {
            engine.idleStrategy(IdleStrategy.busySpin());
            Window window = new Window(dma, memory, size, depth);
            ready.countDown();
            ready.await();
            window.run(engine, duration.toNanos());
            return window;
        }
    }

    /** The copies in flight of one thread. The tag of a copy is its place in the window. */
    private static final class Window {

        private final DmaContext dma;
        private final Mmap memory;
        private final int size;
        private final long[] submitted;
        private final long[] samples = new long[MAX_SAMPLES];
        private long end;
        private int inFlight;
        private long completed;
        private long nanos;
        private @Nullable TaskFailedException failure;

        Window(DmaContext dma, Mmap memory, int size, int depth) {
            this.dma = dma;
            this.memory = memory;
            this.size = size;
            this.submitted = new long[depth];
        }

        void run(ProgressEngine engine, long limit) {
            long start = System.nanoTime();
            end = start + limit;
            for (int place = 0; place < submitted.length; place++) {
                submit(place);
            }
            while (inFlight > 0) {
                engine.progress();
            }
            if (failure != null) {
                throw failure;
            }
            nanos = System.nanoTime() - start;
        }

        private void submit(int place) {
            submitted[place] = System.nanoTime();
            inFlight++;
            long source = (long) place * size;
            dma.copy(memory, source, memory, source + (long) submitted.length * size, size, place, this::ended);
        }

        private void ended(CopyEnd copy, @Nullable TaskFailedException failed) {
            long now = System.nanoTime();
            if (failed != null) {
                failure = failed;
                inFlight--;
                return;
            }
            int place = (int) copy.tag();
            samples[(int) (completed % MAX_SAMPLES)] = now - submitted[place];
            completed++;
            inFlight--;
            if (now < end && failure == null) {
                submit(place);
            }
        }

        LongStream times() {
            return Arrays.stream(samples, 0, (int) Math.min(completed, MAX_SAMPLES));
        }
    }
}
