/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import io.docajava.DocaException;
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
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaTask;
import io.docajava.dma.Requirements;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests more copies on a loop than its context has tasks: they wait, and none is lost. */
@Timeout(600)
@SuppressWarnings({"try", "FutureReturnValueIgnored"}) // some requests are refused
@DocaEmulator
class LoopPressureTest {

    private static final int BLOCK = 64;
    private static final int BLOCKS = 256;
    private static final int CALLERS = 4;
    private static final Duration NEVER = Duration.ofHours(24);

    private final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    private final Mmap memory = Mmap.allocate(device, 2L * BLOCKS * BLOCK, Access.LOCAL_READ_WRITE);

    private ProgressLoop loop;
    private DmaContext dma;
    private BufInventory buffers;
    private final List<Buf> sources = new ArrayList<>();
    private final List<Buf> targets = new ArrayList<>();

    @BeforeAll
    static void needsOrder() {
        Requirements.function("doca_dma_set_ordered_completions");
    }

    @BeforeEach
    void fill() {
        for (long i = 0; i < (long) BLOCKS * BLOCK; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i / BLOCK * 31 + i));
        }
    }

    private void start(ProgressLoop.Builder builder, int tasks) {
        start(builder, tasks, false);
    }

    private void start(ProgressLoop.Builder builder, int tasks, boolean optimized) {
        loop = builder.name("mover").start();
        dma = loop.call(engine -> DmaContext.builder(device)
                        .maxTasks(tasks)
                        .orderedCompletions(true)
                        .optimizeReports(optimized)
                        .start(engine))
                .join();
        buffers = loop.call(engine -> BufInventory.create(2 * BLOCKS)).join();
        loop.call(engine -> {
                    for (long i = 0; i < BLOCKS; i++) {
                        sources.add(buffers.data(memory, i * BLOCK, BLOCK));
                        targets.add(buffers.space(memory, (BLOCKS + i) * BLOCK, BLOCK));
                    }
                    return true;
                })
                .join();
    }

    @AfterEach
    void close() {
        loop.close();
        buffers.close();
        memory.close();
        device.close();
    }

    /** Copies a block. It must run on the loop's thread. */
    private Completion<Long> copy(int block) {
        Buf target = targets.get(block);
        target.clear();
        return dma.copy(sources.get(block), target);
    }

    /** Copies a block by any thread. */
    private Completion<Long> ask(int block) {
        return dma.copy(
                memory.range((long) block * BLOCK, BLOCK), memory.range((long) (BLOCKS + block) * BLOCK, BLOCK));
    }

    private static long joined(CompletableFuture<Long> copy) throws Exception {
        return Await.result(copy, "a copy");
    }

    private void assertCopied() {
        long half = (long) BLOCKS * BLOCK;
        assertThat(memory.segment().asSlice(half).mismatch(memory.segment().asSlice(0, half)))
                .isEqualTo(-1);
    }

    /** One copy stays deferred after the flush. */
    @Test
    void aRefusedCopyWithOptimizedReportsStopsNothing() throws Exception {
        start(ProgressLoop.builder(), 16, true);
        try (EmulatorFaults noRoom = EmulatorFaults.builder()
                .failCall("doca_task_submit_ex", 3, "AGAIN")
                .inject()) {
            List<Completion<Long>> together =
                    loop.call(engine -> List.of(copy(0), copy(1), copy(2))).join();
            for (Completion<Long> copy : together) {
                assertThat(copy.get(Await.LIMIT_S, TimeUnit.SECONDS)).isEqualTo(BLOCK);
            }
            assertThat(EmulatorFaults.failedCall()).isPresent();
        }
        try (EmulatorFaults refusal = EmulatorFaults.builder()
                .failCall("doca_task_submit_ex", 3, "INVALID_VALUE")
                .inject()) {
            List<Completion<Long>> copies =
                    loop.call(engine -> List.of(copy(3), copy(4), copy(5))).join();
            assertThat(copies.get(0).get(Await.LIMIT_S, TimeUnit.SECONDS)).isEqualTo(BLOCK);
            assertThat(copies.get(1).get(Await.LIMIT_S, TimeUnit.SECONDS)).isEqualTo(BLOCK);
            assertThatThrownBy(() -> copies.get(2).get(Await.LIMIT_S, TimeUnit.SECONDS))
                    .hasMessageContaining("DOCA_ERROR_INVALID_VALUE");
        }
        assertThat(loop.call(engine -> dma.state()).join()).isEqualTo(ContextState.RUNNING);
    }

    /** Four callers copy their own blocks repeatedly for about a second, without waiting in between. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyCallersAskForMoreThanThereAreTasks(boolean virtual) throws Exception {
        start(ProgressLoop.builder().maxQueued(16), 4);
        List<FutureTask<Long>> callers = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        for (int caller = 0; caller < CALLERS; caller++) {
            int first = caller;
            FutureTask<Long> task = new FutureTask<>(() -> {
                long bytes = 0;
                do {
                    List<CompletableFuture<Long>> copies = new ArrayList<>();
                    for (int block = first; block < BLOCKS; block += CALLERS) {
                        copies.add(ask(block));
                    }
                    for (CompletableFuture<Long> copy : copies) {
                        bytes += joined(copy);
                    }
                } while (System.nanoTime() < end);
                return bytes;
            });
            Thread.Builder threads =
                    virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            threads.start(task);
            callers.add(task);
        }
        for (FutureTask<Long> caller : callers) {
            long round = (long) BLOCKS / CALLERS * BLOCK;
            assertThat(Await.result(caller, "the copies of a caller"))
                    .isGreaterThanOrEqualTo(round)
                    .satisfies(bytes -> assertThat(bytes % round).isZero());
        }
        assertCopied();
    }

    @Test
    void copiesKeepTheirOrder() throws Exception {
        start(ProgressLoop.builder(), 3);
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<Long>> copies = loop.call(engine -> {
                    List<CompletableFuture<Long>> asked = new ArrayList<>();
                    for (int i = 0; i < BLOCKS; i++) {
                        int block = i;
                        asked.add(copy(block).whenComplete((bytes, failure) -> order.add(block)));
                    }
                    return asked;
                })
                .join();
        for (CompletableFuture<Long> copy : copies) {
            assertThat(joined(copy)).isEqualTo(BLOCK);
        }
        assertThat(loop.call(engine -> List.copyOf(order)).join())
                .hasSize(BLOCKS)
                .isSorted();
        assertCopied();
    }

    /** Copies that wait for tasks count as queued, and calls that need no task still run. */
    @Test
    void operationsDeferredForTasksFillTheQueue() throws Exception {
        start(ProgressLoop.builder().maxQueued(5).rejectWhenFull(true), 2);
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            for (int block = 0; block < 6; block++) {
                copies.add(askWhenLeft(block));
            }
            assertThat(loop.call(engine -> dma.inFlight()).join()).isEqualTo(2);
            CompletableFuture<Long> last = askWhenLeft(6);
            assertThatThrownBy(() -> ask(7)).isInstanceOf(RejectedExecutionException.class);
            copies.add(last);
            assertThat(copies).noneMatch(CompletableFuture::isDone);
        }
        for (CompletableFuture<Long> copy : copies) {
            assertThat(joined(copy)).isEqualTo(BLOCK);
        }
    }

    /** A context whose device does nothing fills its queue. */
    @Test
    void aFullContextKeepsNoOthersOut() throws Exception {
        start(ProgressLoop.builder().maxQueued(3).rejectWhenFull(true), 1);
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        try (DmaContext other = DmaContext.builder(device).maxTasks(1).start(loop)) {
            try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
                for (int block = 0; block < 4; block++) {
                    copies.add(askWhenLeft(block));
                }
                Await.until(() -> dma.stats().queued() == 3, "3 copies that wait");
                assertThatThrownBy(() -> ask(4))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessage(dma + " on ProgressLoop \"mover\" is full: it has as much work queued as its limit"
                                + " allows, which is 3; maxQueued() of the loop sets it");
                copies.add(other.copy(memory.range(0, BLOCK), memory.range(BLOCKS * (long) BLOCK, BLOCK)));
                assertThat(loop.call(engine -> other.inFlight()).join()).isEqualTo(1);
                assertThat(loop.stats().queued()).isEqualTo(3);
            }
            for (CompletableFuture<Long> copy : copies) {
                assertThat(joined(copy)).isEqualTo(BLOCK);
            }
        }
    }

    /** The close of a context releases a thread that waits for room in its queue. */
    @Test
    void aClosedContextLetsNobodyWait() throws Exception {
        start(ProgressLoop.builder().maxQueued(1), 1);
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        FutureTask<Completion<Long>> asking = new FutureTask<>(() -> ask(2));
        Thread waiting = Thread.ofPlatform().daemon().unstarted(asking);
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            copies.add(ask(0));
            copies.add(ask(1));
            Await.until(() -> dma.stats().queued() == 1, "a copy that waits");
            waiting.start();
            Await.until(() -> waiting.getState() == Thread.State.WAITING, "a thread that waits for room");
        }
        dma.close();
        Completion<Long> last = Await.result(asking, "the thread that waited for room");
        copies.add(last);
        for (CompletableFuture<Long> copy : copies) {
            assertThat(copy).satisfies(any -> Await.until(any::isDone, "the end of a copy"));
        }
    }

    /** Retries, as a place in the queue is freed a moment after its future is done. */
    private Completion<Long> askWhenLeft(int block) {
        while (true) {
            try {
                return ask(block);
            } catch (RejectedExecutionException full) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aStopRefusesWhatWaits() throws Exception {
        start(ProgressLoop.builder(), 2);
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            for (int block = 0; block < 5; block++) {
                copies.add(ask(block));
            }
            loop.call(engine -> {
                        dma.stop();
                        return true;
                    })
                    .join();
        }
        for (CompletableFuture<Long> copy : copies.subList(2, 5)) {
            assertThatThrownBy(() -> joined(copy))
                    .cause()
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageMatching("DMA context on 0000:03:00.0 \\(mlx5_0\\) is (stopping|idle): it was stopped;"
                            + " restart\\(\\) starts it again");
        }
        loop.call(engine -> {
                    dma.restart();
                    return true;
                })
                .join();
        assertThat(joined(ask(0))).isEqualTo(BLOCK);
    }

    @Test
    void aFailureRefusesWhatWaits() throws Exception {
        start(ProgressLoop.builder(), 2);
        List<CompletableFuture<Long>> copies;
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failTask(1, "IO_FAILED").inject()) {
            copies = loop.call(engine -> {
                        List<CompletableFuture<Long>> asked = new ArrayList<>();
                        for (int block = 0; block < 5; block++) {
                            asked.add(copy(block));
                        }
                        return asked;
                    })
                    .join();
            assertThatThrownBy(() -> joined(copies.getFirst())).cause().isInstanceOf(DocaException.class);
            for (CompletableFuture<Long> copy : copies.subList(2, 5)) {
                assertThatThrownBy(() -> joined(copy))
                        .cause()
                        .isInstanceOf(ContextNotRunningException.class)
                        .hasMessageContaining("it stopped itself after an operation failed")
                        .cause()
                        .hasMessageStartingWith("Copying 64 bytes from 0 of Mmap");
            }
        }
        loop.call(engine -> {
                    dma.restart();
                    return true;
                })
                .join();
        assertThat(joined(ask(0))).isEqualTo(BLOCK);
    }

    @Test
    void aBadCopyIsRefusedAtOnceAlsoWhereItWouldWait() throws Exception {
        start(ProgressLoop.builder(), 1);
        List<Throwable> refused = new ArrayList<>();
        List<Completion<Long>> copies = loop.call(engine -> {
                    Completion<Long> first = copy(0);
                    refused.add(catchThrowable(() -> dma.copy(sources.get(1), sources.get(2))));
                    refused.add(catchThrowable(() -> dma.copy(sources.get(1), targets.get(0))));
                    return List.of(first, copy(1));
                })
                .join();
        assertThat(refused)
                .extracting(Throwable::getMessage)
                .containsExactly(
                        "The target has room for 0 bytes behind its data; the source has 64",
                        "The target is used by another copy in flight");
        for (Completion<Long> copy : copies) {
            assertThat(joined(copy)).isEqualTo(BLOCK);
        }
        assertThat(joined(ask(3))).isEqualTo(BLOCK);
    }

    @Test
    void closingEndsWhatWaits() {
        start(ProgressLoop.builder().closeTimeout(Duration.ofMillis(50)), 2);
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            for (int block = 0; block < 5; block++) {
                copies.add(ask(block));
            }
            loop.close();
        }
        assertThat(copies).allMatch(CompletableFuture::isDone);
        for (CompletableFuture<Long> copy : copies.subList(2, 5)) {
            assertThat(copy.exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining("it was stopped");
        }
        assertThat(dma.state()).isEqualTo(ContextState.IDLE);
    }

    /** Each copy allocates only its queue entry and its future. */
    @Test
    void theAllocationsOfTheLoopDoNotGrow() throws Exception {
        start(ProgressLoop.builder(), 64);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 40; round++) {
            copyAll();
        }
        long id = loop.thread().threadId();
        long before = threads.getThreadAllocatedBytes(id);
        for (int round = 0; round < 40; round++) {
            copyAll();
        }
        long each = (threads.getThreadAllocatedBytes(id) - before) / (40L * BLOCKS);
        // This allows for a future, its handler, a number, and the copy itself if it waits.
        assertThat(each).isBetween(16L, 250L);
        assertThat(loop.call(engine -> engine.inFlight()).join()).isZero();
    }

    private void copyAll() throws Exception {
        List<CompletableFuture<Long>> copies = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            copies.add(ask(block));
        }
        for (CompletableFuture<Long> copy : copies) {
            assertThat(joined(copy)).isEqualTo(BLOCK);
        }
    }

    @Test
    void theBuffersOfACopyThatWaitsAreInUse() throws Exception {
        start(ProgressLoop.builder(), 1);
        List<Completion<Long>> copies = new ArrayList<>();
        List<Throwable> refused = new ArrayList<>();
        Await.result(
                loop.call(engine -> {
                    copies.add(copy(0));
                    copies.add(copy(1));
                    refused.add(catchThrowable(() -> sources.get(1).reuseAsData(0, BLOCK)));
                    refused.add(catchThrowable(() -> targets.get(1).clear()));
                    refused.add(catchThrowable(() -> dma.copy(sources.get(2), targets.get(1))));
                    return true;
                }),
                "the submission of both copies");
        assertThat(refused)
                .extracting(Throwable::getMessage)
                .containsExactly(
                        "A buffer that a task in flight uses cannot be changed or closed",
                        "A buffer that a task in flight uses cannot be changed or closed",
                        "The target is used by another copy in flight");
        for (Completion<Long> copy : copies) {
            assertThat(joined(copy)).isEqualTo(BLOCK);
        }
    }

    @Test
    void aCopyDoesNotWaitForATaskThatIsNotReleased() throws Exception {
        start(ProgressLoop.builder(), 1);
        List<DmaTask> taken = new ArrayList<>();
        CompletableFuture<Long> first = Work.on(loop, () -> {
            Completion<Long> copy = copy(0);
            copy.thenRun(() -> taken.add(dma.task(sources.get(2), targets.get(2))));
            return copy;
        });
        CompletableFuture<Long> second = ask(1);
        assertThat(joined(first)).isEqualTo(BLOCK);
        // The copy either waited or came after the task was taken; in both cases it fails, as there is no task.
        assertThatThrownBy(() -> joined(second))
                .cause()
                .isInstanceOf(ResourceExhaustedException.class)
                .hasMessageContaining("has no free task: all 1 are held by open prepared tasks and series");
        Await.result(
                loop.call(engine -> {
                    taken.forEach(DmaTask::close);
                    return true;
                }),
                "the close of the tasks");
        assertThat(joined(ask(3))).isEqualTo(BLOCK);
    }

    @Test
    void aCopyThatAnotherThreadCompletesHasEnded() throws Exception {
        start(ProgressLoop.builder(), 2);
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            Completion<Long> copy = ask(0);
            Thread thread = Thread.ofPlatform().start(() -> copy.complete(7L));
            assertThat(joined(copy)).isEqualTo(7);
            thread.join();
            CompletableFuture<Long> late = ask(1).orTimeout(1, TimeUnit.MILLISECONDS);
            assertThatThrownBy(() -> joined(late)).cause().isInstanceOf(java.util.concurrent.TimeoutException.class);
        }
        CompletableFuture<Long> supplied = ask(2).completeAsync(() -> 9L);
        assertThat(joined(supplied)).isIn(9L, (long) BLOCK);
    }

    @Test
    void aCopyThatWaitsEndsWhenAnotherThreadCompletesIt() throws Exception {
        start(ProgressLoop.builder(), 1);
        List<CompletableFuture<Long>> ended = new ArrayList<>();
        try (EmulatorFaults faults = EmulatorFaults.builder().delay(NEVER).inject()) {
            CompletableFuture<Long> first = ask(0);
            ended.add(ask(1).completeAsync(() -> 9L, Runnable::run));
            ended.add(ask(2).completeOnTimeout(9L, 1, TimeUnit.MILLISECONDS));
            assertThat(joined(ended.get(0))).isEqualTo(9);
            assertThat(joined(ended.get(1))).isEqualTo(9);
            assertThat(first).isNotDone();
            Completion<Long> obtruded = ask(3);
            obtruded.obtrudeValue(9L);
            ended.add(obtruded);
            ended.add(first);
        }
        for (CompletableFuture<Long> copy : ended) {
            assertThat(joined(copy)).isIn(9L, (long) BLOCK);
        }
        assertThat(joined(ask(4))).isEqualTo(BLOCK);
    }
}
