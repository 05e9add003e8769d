/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.Work;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests copies on the thread of a loop that other threads request. */
@Timeout(600)
class LoopCopyTest extends CompletionModes {

    private static final int BLOCK = 256;

    private Device device;
    private Mmap memory;
    private final ConcurrentLinkedQueue<Throwable> reported = new ConcurrentLinkedQueue<>();

    static List<IdleStrategy> strategies() {
        return List.of(
                IdleStrategy.yielding(),
                IdleStrategy.backoff(),
                IdleStrategy.eventDriven(),
                IdleStrategy.eventDriven(0));
    }

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        memory = Mmap.allocate(device, 2 * 1024 * BLOCK, Access.LOCAL_READ_WRITE);
        for (long i = 0; i < memory.byteSize() / 2; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, Lab.byteAt(i));
        }
    }

    @AfterEach
    void close() {
        memory.close();
        device.close();
    }

    /** Copies of ranges wait for a free task, hold their maps meanwhile, and are submitted in order. */
    @Test
    void rangesWaitForAFreeTask() {
        try (ProgressLoop loop = start(IdleStrategy.backoff())) {
            DmaContext dma = loop.call(
                            engine -> DmaContext.builder(device).maxTasks(2).start(engine))
                    .join();
            List<Completion<Long>> copies = loop.call(engine -> {
                        List<Completion<Long>> started = new ArrayList<>();
                        for (long i = 0; i < 100; i++) {
                            started.add(
                                    dma.copy(memory.range(i * BLOCK, BLOCK), memory.range((1024 + i) * BLOCK, BLOCK)));
                        }
                        assertThat(dma.stats().queued()).isEqualTo(98);
                        assertThat(dma.inFlight()).isEqualTo(2);
                        started.remove(50).cancel(false);
                        assertThatThrownBy(memory::close).isInstanceOf(IllegalStateException.class);
                        assertThatThrownBy(() -> dma.copy(memory.range(0, 64), memory.range(63, 64)))
                                .isInstanceOf(IllegalArgumentException.class);
                        return started;
                    })
                    .join();
            copies.forEach(copy -> assertThat(copy.join()).isEqualTo(BLOCK));
            assertThat(memory.segment()
                            .asSlice(1024 * BLOCK, 50 * BLOCK)
                            .mismatch(memory.segment().asSlice(0, 50 * BLOCK)))
                    .isEqualTo(-1);
            assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, (1024 + 50) * BLOCK))
                    .isZero();
            loop.call(engine -> {
                        dma.close();
                        return true;
                    })
                    .join();
        }
    }

    /** Each virtual thread copies its own block, and blocks until the copy has ended. */
    @ParameterizedTest
    @MethodSource("strategies")
    void virtualThreadsCopy(IdleStrategy strategy) throws Exception {
        try (ProgressLoop loop = start(strategy)) {
            Copier copier = copier(loop, 500);
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> copies = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    int block = i;
                    copies.add(virtual.submit(
                            () -> Work.on(loop, () -> copier.copy(block)).join()));
                }
                for (Future<Long> copy : copies) {
                    assertThat(copy.get()).isEqualTo(BLOCK);
                }
            }
            loop.call(engine -> copier.close()).join();
        }
        long bytes = 500 * BLOCK;
        assertThat(memory.segment()
                        .asSlice(memory.byteSize() / 2, bytes)
                        .mismatch(memory.segment().asSlice(0, bytes)))
                .isEqualTo(-1);
        assertThat(reported).isEmpty();
    }

    @Test
    void closingTheLoopEndsItsContexts() {
        ProgressLoop loop = start(IdleStrategy.eventDriven());
        Copier copier = copier(loop, 64);
        Completion<Long> copy = copier.dma.copy(memory.range(0, BLOCK), memory.range(1024 * BLOCK, BLOCK));
        loop.close();
        assertThat(copy).isCompletedWithValue((long) BLOCK);
        assertThatThrownBy(() -> loop.call(own -> true)).isInstanceOf(RejectedExecutionException.class);
        assertThat(copier.dma.state()).isEqualTo(ContextState.IDLE);
        assertThatThrownBy(copier.buffers::available)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(copier.buffers + " is closed");
        assertThat(reported).isEmpty();
    }

    @Test
    void failuresReachTheCaller() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven())) {
            Copier copier = copier(loop, 64);
            CompletableFuture<Long> copy = Work.on(loop, () -> {
                Buf source = copier.buffers.data(memory, 0, BLOCK);
                Lab.spoil(source);
                return copier.dma.copy(source, copier.buffers.space(memory, memory.byteSize() / 2, BLOCK));
            });
            assertThatThrownBy(copy::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            DocaCallException.class,
                            failure -> assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED));
            assertThatThrownBy(() -> Work.on(loop, () -> copier.copy(1)).join())
                    .cause()
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining("it stopped itself after an operation failed");
            loop.call(engine -> {
                        copier.dma.restart();
                        return true;
                    })
                    .join();
            assertThat(Work.on(loop, () -> copier.copy(1)).join()).isEqualTo(BLOCK);
            loop.call(engine -> copier.close()).join();
        }
    }

    /** A copy with a future waits for a task. A copy with a callback, or one that is prepared, needs a task at once. */
    @Test
    void aCopyThatFindsNoFreeTaskWaitsUnlessItCallsBack() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven(0))) {
            Copier copier = loop.call(engine -> new Copier(
                            DmaContext.builder(device).maxTasks(8).start(engine), BufInventory.create(64), memory))
                    .join();
            List<CompletableFuture<Long>> copies = loop.call(engine -> {
                        List<CompletableFuture<Long>> asked =
                                IntStream.range(0, 9).mapToObj(copier::copy).toList();
                        Buf source = copier.buffers.data(memory, 0, BLOCK);
                        Buf target = copier.buffers.space(memory, memory.byteSize() / 2, BLOCK);
                        assertThatThrownBy(() -> copier.dma.task(source, target))
                                .isInstanceOf(ResourceExhaustedException.class)
                                .hasMessage("DMA context on " + Lab.DEVICE + " has no free task: all 8 are in use;"
                                        + " progress until one completes, or raise maxTasks()");
                        source.close();
                        target.close();
                        return asked;
                    })
                    .join();
            for (CompletableFuture<Long> copy : copies) {
                assertThat(copy.join()).isEqualTo(BLOCK);
            }
            loop.call(engine -> copier.close()).join();
        }
    }

    /** The bytes show whether a copy was made. Closing the buffers shows that they are released. */
    @Test
    void aCancelledCopyIsNotSubmitted() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven(0))) {
            Copier copier = loop.call(engine -> new Copier(
                            DmaContext.builder(device).maxTasks(2).start(engine), BufInventory.create(64), memory))
                    .join();
            CompletableFuture<Long> last = Work.on(loop, () -> {
                CompletableFuture<Long> first = copier.copy(0);
                CompletableFuture<Long> second = copier.copy(1);
                Buf source = copier.buffers.data(memory, 2 * BLOCK, BLOCK);
                Buf target = copier.buffers.space(memory, memory.byteSize() / 2 + 2 * BLOCK, BLOCK);
                assertThat(copier.dma.copy(source, target).cancel(false)).isTrue();
                return first.thenCombine(second, Long::sum)
                        .thenCombine(copier.copy(3), Long::sum)
                        .thenApply(bytes -> {
                            source.close();
                            target.close();
                            return bytes;
                        });
            });
            assertThat(last.join()).isEqualTo(3 * BLOCK);
            loop.call(engine -> copier.close()).join();
        }
        long half = memory.byteSize() / 2;
        assertThat(memory.segment().asSlice(half + 2 * BLOCK, BLOCK).mismatch(MemorySegment.ofArray(new byte[BLOCK])))
                .isEqualTo(-1);
        assertThat(memory.segment()
                        .asSlice(half + 3 * BLOCK, BLOCK)
                        .mismatch(memory.segment().asSlice(3 * BLOCK, BLOCK)))
                .isEqualTo(-1);
    }

    @Test
    void aCancelledCopyInFlightIsCarriedOut() {
        try (ProgressLoop loop = start(IdleStrategy.eventDriven())) {
            Copier copier = copier(loop, 64);
            CompletableFuture<Boolean> drained = loop.call(engine -> {
                Buf source = copier.buffers.data(memory, 0, BLOCK);
                Buf target = copier.buffers.space(memory, memory.byteSize() / 2, BLOCK);
                Completion<Long> copy = copier.dma.copy(source, target);
                assertThat(copy.cancel(false)).isTrue();
                assertThatThrownBy(target::close).isInstanceOf(IllegalStateException.class);
                copier.dma.drain(Await.LIMIT);
                assertThat(copy.isCancelled()).isTrue();
                assertThat(target.dataLength()).isEqualTo(BLOCK);
                return copier.close();
            });
            assertThat(drained.join()).isTrue();
        }
    }

    @Test
    void theErrorHandlerLearnsWhatCallbacksThrow() {
        ArithmeticException thrown = new ArithmeticException("callback");
        try (ProgressLoop loop = start(IdleStrategy.eventDriven())) {
            Copier copier = copier(loop, 64);
            Long copied = Work.on(loop, () -> {
                        copier.dma.copy(
                                copier.buffers.data(memory, 0, BLOCK),
                                copier.buffers.space(memory, memory.byteSize() / 2, BLOCK),
                                new Repeat(
                                        () -> {
                                            throw thrown;
                                        },
                                        copier.dma));
                        return copier.copy(1);
                    })
                    .join();
            assertThat(copied).isEqualTo(BLOCK);
            loop.call(engine -> {
                        copier.dma.drain(Await.LIMIT);
                        return copier.close();
                    })
                    .join();
        }
        assertThat(reported).containsExactly(thrown);
    }

    @Test
    void aLoopThatFailsEndsItsCopies() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        ProgressLoop loop = start(workCount -> {
            if (broken.get()) {
                throw new ArithmeticException("strategy is broken");
            }
            Thread.onSpinWait();
        });
        Copier copier = copier(loop, 64);
        Completion<Long> copy = copier.dma.copy(memory.range(0, BLOCK), memory.range(1024 * BLOCK, BLOCK));
        loop.execute(() -> broken.set(true));
        loop.thread().join();
        assertThat(copy).isDone();
        loop.close();
        assertThat(copier.dma.state()).isEqualTo(ContextState.IDLE);
        copier.buffers.close();
    }

    /** Without any time, contexts cannot be closed, but every wait for a copy has to end. */
    @Test
    void operationsThatDoNotEndInTimeAreAbandoned() throws Exception {
        ProgressLoop loop =
                ProgressLoop.builder().name("mover").closeTimeout(Duration.ZERO).start();
        Copier copier = copier(loop, 400);
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        ProgressEngine engine = loop.call(own -> own).join();
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        CompletableFuture<Boolean> busy = loop.call(own -> {
            for (int i = 0; i < 400; i++) {
                copies.add(copier.copy(i));
            }
            submitted.countDown();
            closing.await();
            return true;
        });
        submitted.await();
        List<FutureTask<@Nullable Throwable>> closers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            FutureTask<@Nullable Throwable> closer = new FutureTask<>(() -> catchThrowable(loop::close));
            Thread thread = Thread.ofPlatform().start(closer);
            // Both threads must be waiting before the loop continues.
            Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING, "the thread to wait");
            closers.add(closer);
        }
        closing.countDown();
        for (FutureTask<@Nullable Throwable> closer : closers) {
            assertThat(closer.get())
                    .isExactlyInstanceOf(DocaException.class)
                    .hasMessageMatching(
                            "DMA context on 0000:03:00.0 \\(mlx5_0\\) cannot close: it is stopping with [0-9]+ tasks"
                                    + " in flight after 0 ms:.*")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageMatching("BufInventory of 800 cannot be closed while tasks in flight use [0-9]+"
                                    + " buffers"));
        }
        assertThat(busy.join()).isTrue();
        assertThat(copies).hasSize(400).allSatisfy(copy -> assertThat(copy).isDone());
        assertThat(copies.stream().filter(CompletableFuture::isCompletedExceptionally))
                .isNotEmpty()
                .anySatisfy(copy -> assertThat(copy.exceptionNow())
                        .isInstanceOf(DocaCallException.class)
                        .hasMessageContaining("DOCA_ERROR_SHUTDOWN")
                        .hasRootCauseMessage("ProgressLoop \"mover\" was closed before this was complete"));
        loop.close();
        // The device may still use the buffers: they cannot be closed before another thread has waited for the copies.
        assertThatThrownBy(copier.buffers::close).isInstanceOf(IllegalStateException.class);
        copier.close();
        engine.close();
    }

    private ProgressLoop start(IdleStrategy strategy) {
        return ProgressLoop.builder()
                .idleStrategy(strategy)
                .errorHandler(reported::add)
                .start();
    }

    private Copier copier(ProgressLoop loop, int tasks) {
        return loop.call(engine -> new Copier(
                        DmaContext.builder(device).maxTasks(tasks).start(engine),
                        BufInventory.create(2 * tasks),
                        memory))
                .join();
    }

    /** The objects that belong to the thread of a loop. */
    private record Copier(DmaContext dma, BufInventory buffers, Mmap memory) {

        /** Copies a block of the first half of the memory to the second half. */
        CompletableFuture<Long> copy(int block) {
            long offset = (long) block * BLOCK;
            Buf source = buffers.data(memory, offset, BLOCK);
            Buf target = buffers.space(memory, memory.byteSize() / 2 + offset, BLOCK);
            return dma.copy(source, target).whenComplete((bytes, failure) -> {
                source.close();
                target.close();
            });
        }

        boolean close() {
            dma.close();
            buffers.close();
            return true;
        }
    }
}
