/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncLocation;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.testing.Await;
import io.docajava.testing.DeepStack;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a stack overflow in a call loses neither tasks nor buffers. */
@SuppressWarnings("try") // the block does not use the faults itself
class StackOverflowTest {

    private static final int TASKS = 16;
    /** {@code -Pfull} runs more rounds, as the compiled code changes meanwhile. */
    private static final int ROUNDS = FullTests.amount(4, 60);

    private static final Handler<CopyEnd> NOTHING = (end, failure) -> {};

    /** A use of a context and of buffers or ranges. */
    @FunctionalInterface
    private interface Use<T> {

        void make(Lab lab, T source, T target) throws Throwable;
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the results of the copies do not matter
    void copiesOfBuffers() throws Throwable {
        check(1, (lab, source, target) -> lab.dma.copy(source, target, NOTHING));
        check(1, (lab, source, target) -> lab.dma.copy(source, target));
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the results of the copies do not matter
    void copiesOfRanges() throws Throwable {
        check((lab, source, target) -> lab.dma.copy(lab.memory, 0, lab.memory, 64, 64, 0, (end, failure) -> {}));
        check((lab, source, target) -> lab.dma.copy(source, target, NOTHING));
        check((lab, source, target) -> lab.dma.copy(source, target));
        check((lab, source, target) -> lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(64, 64)));
        Kept<Mmap> kept = new Kept<>();
        check(
                (lab, source, target) -> {
                    Mmap other = kept.get(() -> Mmap.allocate(lab.device, 64, Access.LOCAL_READ_WRITE));
                    lab.dma.copy(other, 0, lab.memory, 64, 64, 0, (end, failure) -> {});
                    lab.dma.copy(lab.memory, 0, lab.memory, 64, 64, 0, (end, failure) -> {});
                },
                kept::close);
    }

    @Test
    void copiesToLists() throws Throwable {
        check(3, (lab, source, target) -> lab.dma.copy(source, target, NOTHING));
    }

    @Test
    void refusedCopies() throws Throwable {
        check((lab, source, target) -> lab.dma.copy(source, source, NOTHING));
        check(1, (lab, source, target) -> lab.dma.copy(source, source, NOTHING));
        check(3, (lab, source, target) -> lab.dma.copy(target, target, NOTHING));
    }

    @Test
    void flushes() throws Throwable {
        check((lab, source, target) -> {
            lab.dma.copy(source, target, NOTHING);
            lab.dma.flush();
        });
    }

    @Test
    void tasks() throws Throwable {
        check((lab, source, target) -> lab.dma.task(source, target).close());
        Kept<DmaTask> kept = new Kept<>();
        check(
                (lab, source, target) ->
                        kept.get(() -> lab.dma.task(source, target)).submit(),
                kept::close);
    }

    @Test
    void tasksOfBuffers() throws Throwable {
        check(1, (lab, source, target) -> lab.dma.task(source, target).close());
        Kept<DmaTask> kept = new Kept<>();
        check(
                1,
                (lab, source, target) ->
                        kept.get(() -> lab.dma.task(source, target)).submit(),
                kept::close);
    }

    @Test
    void series() throws Throwable {
        check((lab, source, target) ->
                lab.dma.series(List.of(source), List.of(target)).close());
        Kept<DmaSeries> kept = new Kept<>();
        check(
                (lab, source, target) -> kept.get(() -> lab.dma.series(List.of(source), List.of(target)))
                        .submit(),
                kept::close);
    }

    @Test
    void buffers() throws Throwable {
        check(1, (lab, source, target) -> lab.buffers.data(lab.memory, 100, 10).close());
        check(
                1,
                (lab, source, target) -> lab.buffers
                        .list()
                        .data(lab.memory, 100, 10)
                        .data(lab.memory, 200, 10)
                        .build()
                        .close());
        check(1, (lab, source, target) -> source.reuseAsData(200, 100));
        check(1, (lab, source, target) -> {
            try (BufPool pool = BufPool.create(lab.memory, 4, 64)) {
                Buf buf = pool.take();
                buf.close();
            }
        });
    }

    /** After an overflow, nothing depends on the engine and the device: both can be closed. */
    @Test
    void contexts() throws Throwable {
        DeepStack.onSmallStack(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                        ProgressEngine engine = ProgressEngine.create()) {
                    DmaContextBuilder builder = DmaContext.builder(device).listener((context, previous, next) -> {});
                    assertThat(DeepStack.attempt(() -> builder.start(engine).close()))
                            .isPositive();
                }
            }
        });
    }

    /** After an overflow, no native object is left of an engine that was not created. */
    @Test
    @NeedsEmulator
    void engines() throws Throwable {
        // The first engine loads classes, and creates the backend of the log, which is never destroyed.
        ProgressEngine.create().close();
        DeepStack.onSmallStack(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                long before = EmulatorFaults.liveObjects();
                assertThat(DeepStack.attempt(() -> ProgressEngine.create().close()))
                        .isPositive();
                assertThat(EmulatorFaults.liveObjects()).isEqualTo(before);
            }
        });
    }

    /** After an overflow, each object is either closed, or still open and can be closed. */
    @Test
    void closing() throws Throwable {
        DeepStack.onSmallStack(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
                ProgressEngine engine = ProgressEngine.create();
                SyncEvent event = SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .start();
                for (AutoCloseable object : List.of(memory, engine, event, device)) {
                    assertThat(DeepStack.attempt(object::close)).isPositive();
                }
            }
        });
    }

    @Test
    void progress() throws Throwable {
        check((lab, source, target) -> {
            if (lab.dma.inFlight() == 0) {
                lab.dma.copy(source, target, NOTHING);
            }
            lab.engine.progress();
        });
    }

    /** The loop may be asleep: an overflow in one call must not prevent a later call from waking it. */
    @Test
    void loops() throws Throwable {
        DeepStack.onSmallStack(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                ProgressLoop loop = ProgressLoop.start();
                AtomicReference<CompletableFuture<Integer>> last = new AtomicReference<>();
                assertThat(DeepStack.attempt(() -> last.set(loop.call(engine -> 1))))
                        .isPositive();
                assertThat(Await.result(last.get(), "the last call of the loop"))
                        .isEqualTo(1);
                assertThat(DeepStack.attempt(loop::close)).isPositive();
                assertThat(loop.thread().isAlive()).isFalse();
            }
        });
    }

    /** A submission ends even if the thread that completes its future has a nearly full stack. */
    @Test
    @NeedsEmulator
    @SuppressWarnings("FutureReturnValueIgnored") // the submission ends
    void completions() throws Throwable {
        List<Consumer<Completion<Long>>> endings = List.of(
                copy -> copy.complete(7L),
                copy -> copy.completeExceptionally(new IllegalStateException("as a test")),
                copy -> copy.cancel(false),
                copy -> copy.completeAsync(() -> 7L, Runnable::run));
        DeepStack.onSmallStack(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                for (Consumer<Completion<Long>> ending : endings) {
                    checkCompletion(ending);
                }
            }
        });
    }

    private static void checkCompletion(Consumer<Completion<Long>> ending) throws Throwable {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 128, Access.LOCAL_READ_WRITE);
                ProgressLoop loop =
                        ProgressLoop.builder().closeTimeout(Duration.ofHours(1)).start();
                DmaContext dma = DmaContext.builder(device).start(loop)) {
            try (EmulatorFaults faults =
                    EmulatorFaults.builder().delay(Duration.ofHours(24)).inject()) {
                Completion<Long> copy = dma.copy(memory.range(0, 64), memory.range(64, 64));
                assertThat(DeepStack.attempt(() -> ending.accept(copy))).isPositive();
                assertThat(copy)
                        .satisfiesAnyOf(
                                done -> assertThat(done).succeedsWithin(Await.LIMIT),
                                done -> assertThat(done).failsWithin(Duration.ZERO));
            }
        }
    }

    /** An object that the first use creates and that is closed after each round. */
    private static final class Kept<T extends AutoCloseable> {

        private @Nullable T object;

        T get(Supplier<T> maker) {
            T made = object == null ? maker.get() : object;
            object = made;
            return made;
        }

        void close() throws Exception {
            if (object != null) {
                object.close();
            }
            object = null;
        }
    }

    private static void check(Use<MapRange> use) throws Throwable {
        check(use, () -> {});
    }

    private static void check(Use<MapRange> use, DeepStack.Code end) throws Throwable {
        DeepStack.onSmallStack(() -> {
            try (Lab lab = new Lab(TASKS)) {
                MapRange source = lab.filled(0, 3000);
                MapRange target = lab.memory.range(10_000, 3000);
                for (int i = 0; i < ROUNDS; i++) {
                    checkRound(lab, () -> use.make(lab, source, target), end);
                }
                checkTasks(lab, () -> lab.dma.task(source, target));
            }
        });
    }

    private static void check(int targets, Use<Buf> use) throws Throwable {
        check(targets, use, () -> {});
    }

    private static void check(int targets, Use<Buf> use, DeepStack.Code end) throws Throwable {
        DeepStack.onSmallStack(() -> {
            try (Lab lab = new Lab(TASKS)) {
                Buf source = lab.data(0, 3000);
                Buf target = targets == 1
                        ? lab.space(10_000, 3000)
                        : lab.buffers
                                .list()
                                .space(lab.memory, 10_000, 1000)
                                .space(lab.memory, 12_000, 1000)
                                .space(lab.memory, 14_000, 1000)
                                .build();
                for (int i = 0; i < ROUNDS; i++) {
                    checkRound(lab, () -> use.make(lab, source, target), end);
                    target.clearList();
                }
                checkTasks(lab, () -> lab.dma.task(source, target));
                source.close();
                target.close();
                assertThat(lab.buffers.available()).isEqualTo(Lab.BUFFERS);
            }
        });
    }

    private static void checkRound(Lab lab, DeepStack.Code use, DeepStack.Code end) throws Throwable {
        int available = lab.buffers.available();
        int overflows = 0;
        try {
            overflows = DeepStack.attempt(use);
        } catch (IllegalArgumentException | IllegalStateException | DocaException refused) {
            overflows = 1;
        }
        assertThat(overflows).isPositive();
        lab.drain();
        assertThat(lab.reported).isEmpty();
        end.run();
        assertThat(lab.buffers.available()).isEqualTo(available);
    }

    /** Checks that the context runs and still has all its tasks. */
    private static void checkTasks(Lab lab, Supplier<DmaTask> maker) {
        assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
        List<DmaTask> all = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            all.add(maker.get());
        }
        all.forEach(DmaTask::close);
    }
}
