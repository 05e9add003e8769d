/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.Work;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a context on a loop that threads of all kinds use. */
@Timeout(600)
class AnyThreadTest extends CompletionModes {

    private static final int BLOCK = 256;
    private static final int BLOCKS = 1024;

    private Device device;
    private Mmap memory;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        memory = Mmap.allocate(device, 2 * BLOCKS * BLOCK, Access.LOCAL_READ_WRITE);
        for (long i = 0; i < memory.byteSize() / 2; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, Lab.byteAt(i));
        }
    }

    @AfterEach
    void close() {
        memory.close();
        device.close();
    }

    private MapRange source(int block) {
        return memory.range((long) block * BLOCK, BLOCK);
    }

    private MapRange target(int block) {
        return memory.range((long) (BLOCKS + block) * BLOCK, BLOCK);
    }

    private void assertAllCopied() {
        assertThat(memory.segment()
                        .asSlice(BLOCKS * BLOCK)
                        .mismatch(memory.segment().asSlice(0, BLOCKS * BLOCK)))
                .isEqualTo(-1);
    }

    @Test
    void startsCopiesAndCloses() {
        try (ProgressLoop loop = ProgressLoop.start();
                DmaContext dma = DmaContext.builder(device).maxTasks(4).start(loop)) {
            assertThat(dma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(dma.copy(source(0), target(0)).join()).isEqualTo(BLOCK);
            List<Thread> threads = new ArrayList<>();
            dma.copy(source(1), target(1))
                    .thenAccept(bytes -> threads.add(Thread.currentThread()))
                    .join();
            assertThat(threads).containsExactly(loop.thread());
            dma.stop();
            assertThat(dma.copy(source(0), target(0)))
                    .failsWithin(Await.LIMIT)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ContextNotRunningException.class);
            dma.restart();
            assertThat(dma.copy(source(0), target(0)).join()).isEqualTo(BLOCK);
        }
    }

    @Test
    void platformAndVirtualThreadsShareAContext() throws Exception {
        try (ProgressLoop loop = ProgressLoop.start();
                DmaContext dma = DmaContext.builder(device).maxTasks(8).start(loop)) {
            for (ExecutorService threads :
                    List.of(Executors.newFixedThreadPool(4), Executors.newVirtualThreadPerTaskExecutor())) {
                try (threads) {
                    memory.segment().asSlice(BLOCKS * BLOCK).fill((byte) 0);
                    List<Future<Long>> copies = new ArrayList<>();
                    for (int i = 0; i < BLOCKS; i++) {
                        int block = i;
                        copies.add(threads.submit(
                                () -> dma.copy(source(block), target(block)).join()));
                    }
                    for (Future<Long> copy : copies) {
                        assertThat(copy.get()).isEqualTo(BLOCK);
                    }
                }
                assertAllCopied();
            }
            assertThat(dma.stats().completed()).isEqualTo(2 * BLOCKS);
        }
    }

    /** An engine whose thread does nothing more keeps no map open that it does not use. */
    @Test
    void aMapThatAnotherThreadHasUsedCloses() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device)
                        .closeTimeout(Duration.ofMillis(50))
                        .start(engine)) {
            Mmap used = Mmap.allocate(device, BLOCK, Access.LOCAL_READ_WRITE);
            Mmap left = Mmap.allocate(device, BLOCK, Access.LOCAL_READ_WRITE);
            dma.copy(source(0), left.all()).await();
            dma.copy(source(0), used.all()).await();
            assertThat(closeElsewhere(left)).isNull();
            assertThat(closeElsewhere(used))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(used + " cannot be closed: the " + dma + " uses it, and thread \""
                            + Thread.currentThread().getName() + "\" has not progressed for 50 ms");
            Thread other = Thread.ofPlatform().start(() -> closeUntilDone(used));
            while (other.isAlive()) {
                engine.progress();
            }
            used.close();
        }
    }

    @Test
    void anInterruptDoesNotEndTheWaitForAnotherThread() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            Mmap used = Mmap.allocate(device, BLOCK, Access.LOCAL_READ_WRITE);
            dma.copy(source(0), used.all()).await();
            AtomicBoolean wasInterrupted = new AtomicBoolean();
            Thread other = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                used.close();
                wasInterrupted.set(Thread.interrupted());
            });
            while (other.isAlive()) {
                engine.progress();
            }
            assertThat(wasInterrupted).isTrue();
            assertThatThrownBy(() -> dma.copy(source(0), used.range(0, BLOCK)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(used + " is closed");
        }
    }

    private static void closeUntilDone(Mmap map) {
        while (true) {
            try {
                map.close();
                return;
            } catch (IllegalStateException late) {
                Thread.onSpinWait();
            }
        }
    }

    private static @Nullable Throwable closeElsewhere(Mmap map) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        map.close();
                    } catch (Throwable failure) {
                        thrown.set(failure);
                    }
                })
                .join();
        return thrown.get();
    }

    @Test
    void wrongRangesAreThrownAndClosedMapsFailTheFuture() {
        try (ProgressLoop loop = ProgressLoop.start();
                DmaContext dma = DmaContext.builder(device).start(loop)) {
            assertThatThrownBy(() -> dma.copy(source(0), source(0))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> dma.copy(source(0), memory.range(0, 1)))
                    .hasMessage("A copy of 256 bytes does not fit into a target of 1 bytes");
            Mmap other = Mmap.allocate(device, BLOCK, Access.LOCAL_READ_WRITE);
            assertThat(dma.copy(source(0), other.all()).join()).isEqualTo(BLOCK);
            // The loop's thread gives the buffer of the idle task back.
            other.close();
            assertThatThrownBy(() -> dma.copy(source(0), other.all()).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .cause()
                    .hasMessage(other + " is closed");
        }
    }

    @Test
    void aCancelledCopyNeverStarts() {
        try (ProgressLoop loop = ProgressLoop.start();
                DmaContext dma = DmaContext.builder(device).start(loop)) {
            CompletableFuture<Void> go = new CompletableFuture<>();
            CompletableFuture<Boolean> held = loop.call(engine -> {
                while (!go.isDone()) {
                    Thread.onSpinWait();
                }
                return true;
            });
            Completion<Long> cancelled = dma.copy(source(0), target(0));
            Completion<Long> other = dma.copy(source(1), target(1));
            assertThat(cancelled.cancel(false)).isTrue();
            go.complete(null);
            assertThat(other.join()).isEqualTo(BLOCK);
            assertThat(held.join()).isTrue();
            assertThat(dma.stats().completed()).isEqualTo(1);
            assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, (long) BLOCKS * BLOCK))
                    .isZero();
        }
    }

    @Test
    void theEndOfTheLoopWaitsForCopiesAndRefusesLaterOnes() {
        List<Completion<Long>> copies = new ArrayList<>();
        DmaContext dma;
        try (ProgressLoop loop = ProgressLoop.start()) {
            dma = DmaContext.builder(device).maxTasks(4).start(loop);
            for (int i = 0; i < BLOCKS; i++) {
                copies.add(dma.copy(source(i), target(i)));
            }
        }
        assertThat(copies).allMatch(copy -> copy.resultNow() == BLOCK);
        assertAllCopied();
        dma.close();
        assertThatThrownBy(() -> dma.copy(source(0), target(0))).isInstanceOf(IllegalStateException.class);
    }

    /** The forms without a future belong to the loop's thread. */
    @Test
    void otherThreadsAreToldTheWayToTheLoop() {
        ProgressLoop loop = ProgressLoop.builder().name("copies").start();
        DmaContext dma = DmaContext.builder(device).start(loop);
        String here = Thread.currentThread().getName();
        String refusal = dma + " belongs to thread \"copies\" and was called by thread \"" + here
                + "\". Call it there, by call() or execute() of that ProgressLoop, or use the form of an operation with a"
                + " future, which any thread may call";
        assertThatThrownBy(() -> dma.copy(source(0), target(0), (end, failure) -> {}))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        assertThatThrownBy(() -> dma.task(source(0), target(0)))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        assertThat(dma.copy(source(0), target(0)).join()).isEqualTo(BLOCK);
        loop.close();
        assertThatThrownBy(() -> dma.copy(source(0), target(0), (end, failure) -> {}))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(dma + " is closed");
        assertThatThrownBy(() -> dma.copy(source(0), target(0)))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(dma + " is closed");
    }

    /** The first thread that uses an object of an ended loop owns it, but a closed object has no owner. */
    @Test
    void aClosedContextSaysSoToEveryThread() {
        ProgressLoop loop = ProgressLoop.start();
        DmaContext dma = DmaContext.builder(device).start(loop);
        loop.close();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertThatThrownBy(() -> other.submit(dma::flush).get())
                    .cause()
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage(dma + " is closed");
            for (ThrowingCallable use : List.<ThrowingCallable>of(dma::flush, dma::restart, dma::stop, dma::inFlight)) {
                assertThatThrownBy(use)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage(dma + " is closed");
            }
        }
    }

    @Test
    void aClosedLoopRefusesContexts() {
        ProgressLoop loop = ProgressLoop.start();
        loop.close();
        assertThatThrownBy(() -> DmaContext.builder(device).start(loop)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void loopsStartContextsOnThemselvesAndNotOnOthers() {
        try (ProgressLoop loop = ProgressLoop.start();
                ProgressLoop other = ProgressLoop.start()) {
            long bytes = Work.on(loop, () -> {
                        DmaContext dma = DmaContext.builder(device).start(loop);
                        assertThatThrownBy(() -> DmaContext.builder(device).start(other))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessage("A context on 0000:03:00.0 (mlx5_0) cannot be started by the thread of"
                                        + " ProgressLoop \"" + loop.thread().getName()
                                        + "\", as loops could wait for each other forever");
                        return dma.copy(source(0), target(0));
                    })
                    .join();
            assertThat(bytes).isEqualTo(BLOCK);
        }
    }

    @Test
    void countsTheWaitingCopiesThatKeepAMapOpen() {
        try (ProgressLoop loop = ProgressLoop.start();
                DmaContext dma = DmaContext.builder(device).maxTasks(1).start(loop)) {
            Mmap used = Mmap.allocate(device, BLOCK, Access.LOCAL_READ_WRITE);
            List<Completion<Long>> copies = new ArrayList<>();
            Throwable refusal = loop.call(engine -> {
                        for (int i = 0; i < 3; i++) {
                            copies.add(dma.copy(used.range(0, BLOCK), memory.range((long) i * BLOCK, BLOCK)));
                        }
                        return catchThrowable(used::close);
                    })
                    .join();
            assertThat(refusal)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(used + " cannot be closed while 2 pending operations use it");
            copies.forEach(copy -> assertThat(copy.join()).isEqualTo(BLOCK));
            used.close();
        }
    }

    /** Maps open and close at random while several contexts and threads use them: a copy ends right, or is refused. */
    @Test
    void mapsCloseAtRandomWhileThreadsCopy() throws Exception {
        Mmap[] maps = new Mmap[6];
        for (int i = 0; i < maps.length; i++) {
            maps[i] = Mmap.allocate(device, 4 * BLOCK, Access.LOCAL_READ_WRITE);
        }
        try (ProgressLoop first = ProgressLoop.start();
                ProgressLoop second = ProgressLoop.start();
                DmaContext one = DmaContext.builder(device).maxTasks(3).start(first);
                DmaContext two = DmaContext.builder(device).maxTasks(2).start(first);
                DmaContext three = DmaContext.builder(device).maxTasks(3).start(second);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<DmaContext> contexts = List.of(one, two, three);
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(thread);
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < 500; i++) {
                        step(random, maps, contexts.get(random.nextInt(3)));
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        for (Mmap map : maps) {
            map.close();
        }
    }

    private void step(Random random, Mmap[] maps, DmaContext dma) {
        int number = random.nextInt(maps.length);
        Mmap from = maps[number];
        Mmap to = maps[random.nextInt(maps.length)];
        try {
            if (random.nextInt(10) == 0) {
                // A second close returns at once, although the first one may still be refused.
                synchronized (maps) {
                    if (maps[number].equals(from)) {
                        from.close();
                        maps[number] = Mmap.allocate(device, 4 * BLOCK, Access.LOCAL_READ_WRITE);
                    }
                }
            } else {
                assertThat(dma.copy(from.range(0, BLOCK), to.range(2 * BLOCK, BLOCK))
                                .join())
                        .isEqualTo(BLOCK);
            }
        } catch (IllegalStateException refused) {
            assertThat(refused)
                    .hasMessageMatching(
                            ".* cannot be closed while (operations in flight use it: .*|[0-9]+ pending operations? uses? it)");
        } catch (CompletionException failed) {
            assertThat(failed.getCause())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith(" is closed");
        }
    }
}
