/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventEnd;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.dma.DocaDma;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the forms of copy that promise it allocate no memory. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class AllocationTest extends CompletionModes {

    private static final int COPIES = 20_000;
    /** The tolerance is far below one byte for each copy, and covers occasional allocations of the JVM on any thread. */
    private static final long TOLERANCE = COPIES / 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A thread of the SDK never fetches the errors that it has logged. */
    @Test
    void errorsThatAnotherThreadHasLoggedCostNothing() throws InterruptedException {
        CountDownLatch logged = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread other;
        try (Lab lab = new Lab()) {
            other = Thread.ofPlatform().daemon().start(() -> {
                DocaDma.doca_dma_destroy(MemorySegment.NULL);
                logged.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            logged.await();
            assertCopiesAllocateNothing(lab);
        }
        end.countDown();
        other.join();
    }

    @Test
    void aTaskThatIsSubmittedAgainAllocatesNothing() {
        try (Lab lab = new Lab()) {
            assertCopiesAllocateNothing(lab);
        }
    }

    private static void assertCopiesAllocateNothing(Lab lab) {
        try (DmaTask task = lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64))) {
            assertAllocatesNothing(() -> {
                for (int i = 0; i < COPIES; i++) {
                    task.submit();
                    while (!task.isDone()) {
                        lab.engine.progress();
                    }
                }
            });
        }
    }

    @Test
    void buffersThatAreAimedAnewAllocateNothing() {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 4096);
            Buf target = lab.space(8192, 64);
            try (DmaTask task = lab.dma.task(source, target)) {
                assertAllocatesNothing(() -> {
                    for (int i = 0; i < COPIES; i++) {
                        source.reuseAsData(i % 64 * 64L, 64);
                        target.reuseAsSpace(8192 + i % 64 * 64L, 64);
                        task.submit();
                        while (!task.isDone()) {
                            lab.engine.progress();
                        }
                    }
                });
            }
            lab.assertCopied(0, 8192, 4096);
        }
    }

    @Test
    void copiesOfRangesWithAHandlerAllocateNothing() {
        try (Lab lab = new Lab()) {
            long[] bytes = new long[1];
            Handler<CopyEnd> handler = (end, failure) -> bytes[0] += end.bytes();
            assertAllocatesNothing(() -> {
                bytes[0] = 0;
                for (int i = 0; i < COPIES; i++) {
                    lab.dma.copy(lab.memory, i % 64 * 64L, lab.memory, 8192 + i % 64 * 64L, 64, i, handler);
                    while (bytes[0] == i * 64L) {
                        lab.engine.progress();
                    }
                }
            });
        }
    }

    @Test
    void copiesWithAHandlerAllocateNothing() {
        try (Lab lab = new Lab()) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            Counter counter = new Counter();
            assertAllocatesNothing(() -> {
                counter.copied = 0;
                for (int i = 0; i < COPIES; i++) {
                    target.clear();
                    lab.dma.copy(source, target, counter);
                    while (counter.copied == i) {
                        lab.engine.progress();
                    }
                }
            });
        }
    }

    @Test
    void copiesThatLeaveTogetherAllocateNothing() {
        for (boolean optimized : new boolean[] {false, true}) {
            try (Lab lab = new Lab(builder -> builder.maxTasks(64).optimizeReports(optimized))) {
                assertCopiesThatLeaveTogetherAllocateNothing(lab);
            }
        }
    }

    private static void assertCopiesThatLeaveTogetherAllocateNothing(Lab lab) {
        Buf source = lab.data(0, 64);
        Buf[] targets = new Buf[16];
        DmaTask[] tasks = new DmaTask[targets.length];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = lab.space(1000 + i * 64L, 64);
            tasks[i] = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(4000 + i * 64L, 64));
        }
        Counter counter = new Counter();
        assertAllocatesNothing(() -> {
            for (int round = 0; round < COPIES / targets.length / 2; round++) {
                counter.copied = 0;
                for (int i = 0; i < targets.length; i++) {
                    targets[i].clear();
                    lab.dma.copy(source, targets[i], counter);
                    tasks[i].submit();
                }
                while (lab.dma.inFlight() > 0) {
                    lab.engine.progress();
                }
            }
        });
        assertThat(counter.copied).isEqualTo(targets.length);
        for (DmaTask task : tasks) {
            task.close();
        }
    }

    @Test
    void aSeriesThatIsSubmittedAgainAllocatesNothing() {
        try (Lab lab = new Lab(64)) {
            List<MapRange> sources = new ArrayList<>();
            List<MapRange> targets = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                sources.add(lab.filled(i * 64L, 64));
                targets.add(lab.memory.range(10_000 + i * 64L, 64));
            }
            try (DmaSeries series = lab.dma.series(sources, targets)) {
                assertAllocatesNothing(() -> {
                    for (int i = 0; i < COPIES / 32; i++) {
                        series.submit();
                        while (!series.isDone()) {
                            lab.engine.progress();
                        }
                    }
                });
            }
            lab.assertCopied(0, 10_000, 32 * 64);
        }
    }

    @Test
    void operationsOfASyncEventAllocateNothing() {
        SyncEventOperation[] operations = {
            SyncEventOperation.set(7), SyncEventOperation.add(1), SyncEventOperation.get()
        };
        SyncEventOperation[] additions = {SyncEventOperation.add(2), SyncEventOperation.add(-2)};
        Handler<SyncEventEnd> handler = (end, failure) -> {
            if (failure != null) {
                throw failure;
            }
        };
        try (Lab lab = new Lab();
                SyncEventContext event = SyncEvent.builder(lab.dma.device())
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(lab.engine);
                SyncEventTask task = event.task(additions[0])) {
            assertAllocatesNothing(() -> {
                for (int i = 0; i < COPIES / 2; i++) {
                    event.submit(operations[i % operations.length], handler);
                    task.operation(additions[i % additions.length]).submit();
                    while (event.inFlight() > 0) {
                        lab.engine.progress();
                    }
                }
            });
        }
    }

    /** A look at the mappings of the process, which shows whether memory is of a file, must not create an object for each. */
    @Test
    void aRegistrationAllocatesLittle() {
        MemorySegment memory = Arena.ofAuto().allocate(4096);
        try (Lab lab = new Lab()) {
            assertThat(allocated(() -> Mmap.register(lab.dma.device(), memory, Access.LOCAL_READ_WRITE)
                            .close()))
                    .isLessThan(64 * 1024);
        }
    }

    /** Programs ask before they use a function of a later release, and so does each registration. */
    @Test
    void aSearchForAMissingFunctionAllocatesLittle() {
        DocaLibrary library = DocaLibrary.load();
        for (String function : List.of("doca_sync_event_task_wait_gt_alloc_init", "doca_mmap_enable_thread_safety")) {
            assertThat(allocated(() -> {
                        boolean has = library.has(function);
                        assertThat(has).isIn(true, false);
                    }))
                    .isLessThan(64 * 1024);
        }
    }

    /** Returns the least number of bytes that some calls have allocated. */
    private static long allocated(Runnable call) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            call.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    /** Takes the minimum of several measurements, as interpreted code may allocate and only compiled code matters. */
    private static void assertAllocatesNothing(Runnable copies) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10 && least > TOLERANCE; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            copies.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated for %d copies", COPIES).isLessThanOrEqualTo(TOLERANCE);
    }

    private static final class Counter implements Handler<CopyEnd> {

        private int copied;

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure != null) {
                throw failure;
            }
            copied++;
        }
    }
}
